// From an event as it came in to a row, or to the reason why there is none. The steps stand in the order they run.
import type { DropReason, Sender } from '../deps.ts';
import { pageUrl, parseWebUrl } from '../posts/canonicalUrl.ts';
import type { Site } from '../sites/site.ts';
import type { Device, EventRow } from './eventRow.ts';
import { type ParsedEvent, parseEvent, text } from './parseEvent.ts';
import { belongsToSite } from './siteHosts.ts';
import { readAgent } from './steps/agent.ts';
import { channelOf, segmentsOf } from './steps/audience.ts';
import { readCampaign } from './steps/campaign.ts';
import { conversionOf, engagedSeconds, isAction, shareOf, videoOf } from './steps/details.ts';
import { dayIn, eventTime } from './steps/eventTime.ts';
import { classifyReferrer } from './steps/referrer.ts';
import { hash64, visitorId } from './steps/visitorId.ts';

export interface Surroundings {
  findSite(id: string): Site | undefined;
  /** Secret of the day, for visitors who bring no id. */
  salt(time: number): string;
  /** Epoch milliseconds of arrival. */
  arrival: number;
}

export type Outcome = { site: string; drop: DropReason } | { site: string; row: EventRow };

/** What a step may look at: the event, its site, the page it names, and the row as far as it is. */
interface Subject extends Surroundings {
  event: ParsedEvent;
  sender: Sender;
  site: Site;
  page: URL;
  row: EventRow;
}

/** Says columns, or the reason to drop. */
type Step = (subject: Subject) => Partial<EventRow> | DropReason;

const steps: readonly (readonly [name: string, Step])[] = [
  ['consent', ({ event }) => (event.data?.opted_out === true ? 'opted-out' : {})],
  ['action', ({ event }) => (isAction(event.action) ? { action: event.action } : 'unknown-action')],
  ['host', ({ page, site }) => (belongsToSite(page, site) ? {} : 'foreign-host')],
  ['bot', ({ sender }) => (isBot(sender) ? 'bot' : {})],
  ['page', describePage],
  ['time', describeTime],
  ['visitor', describeVisitor],
  ['referrer', describeReferrer],
  ['campaign', ({ page }) => readCampaign(page)],
  ['audience', ({ event }) => ({ channel: channelOf(event), segments: segmentsOf(event) })],
  ['device', ({ sender }) => ({ device: deviceOf(sender) })],
  ['details', describeDetails],
  ['key', describeKey],
];

export function runPipeline(value: unknown, sender: Sender, around: Surroundings): Outcome {
  const event = parseEvent(value);
  if (!event) return { site: '', drop: 'malformed' };
  const site = around.findSite(event.idsite);
  if (!site) return { site: '', drop: 'unknown-site' };
  const page = parseWebUrl(event.url);
  if (!page) return { site: site.id, drop: 'bad-url' };
  const subject: Subject = { ...around, event, sender, site, page, row: blankRow(site) };
  for (const [, step] of steps) {
    const said = step(subject);
    if (typeof said === 'string') return { site: site.id, drop: said };
    Object.assign(subject.row, said);
  }
  return { site: site.id, row: subject.row };
}

/** A program that reports for others has no browser's user agent, unless it hands on theirs. */
function isBot({ userAgent, speaksFor }: Sender): boolean {
  if (speaksFor !== undefined && !userAgent.startsWith('Mozilla/')) return false;
  return readAgent(userAgent).bot;
}

function deviceOf({ userAgent, speaksFor }: Sender): Device {
  return readAgent(userAgent).device ?? (speaksFor === 'app users' ? 'mobile' : 'desktop');
}

function describePage({ event }: Subject): Partial<EventRow> | DropReason {
  const url = pageUrl(event.url);
  return url === undefined ? 'bad-url' : { url };
}

function describeTime({ event, arrival, site }: Subject): Partial<EventRow> {
  const said = event.ts ?? event.date ?? text(event.data?.ts);
  const time = eventTime(said, arrival);
  return { time, day: dayIn(site.timezone, time) };
}

function describeVisitor({ event, sender, site, salt, arrival }: Subject): Partial<EventRow> {
  const signs = {
    siteUuid: text(event.data?.parsely_site_uuid),
    u: event.u,
    ampid: event.ampid,
    ip: sender.visitorIp ?? sender.ip,
    userAgent: sender.userAgent,
  };
  return { visitor: visitorId(site.id, signs, salt(arrival)) };
}

function describeReferrer({ event, site }: Subject): Partial<EventRow> {
  const text = event.urlref?.trim() ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { type, name } = classifyReferrer(url);
  if (!url || type === 'direct' || !belongsToSite(url, site)) return { referrerType: type, referrer: name };
  return { referrerType: 'internal', referrer: name, referrerUrl: pageUrl(text) ?? '' };
}

function describeDetails({ event, row }: Subject): Partial<EventRow> | DropReason {
  switch (row.action) {
    case 'heartbeat':
    case 'vheartbeat': {
      const seconds = engagedSeconds(event.inc);
      if (seconds === undefined) return 'bad-increment';
      return row.action === 'heartbeat' ? { seconds } : { seconds, video: videoOf(event, row.url) };
    }
    case 'videostart':
      return { video: videoOf(event, row.url) };
    case 'share':
      return shareOf(event);
    case 'conversion':
      return conversionOf(event);
    case 'pageview':
    case 'custom':
      return {};
  }
}

/** An event that carries neither an id nor a moment of its own cannot be told from a second one just like it. */
function describeKey({ event, row }: Subject): Partial<EventRow> {
  if (event.eid !== undefined) return { key: hash64(`${row.site}\n${row.action}\n${event.eid}`) };
  const moment = event.rand ?? event.ts ?? event.date ?? event.data?.ts;
  return moment === undefined ? {} : { key: hash64(`${row.visitor}\n${JSON.stringify(event)}`) };
}

function blankRow(site: Site): EventRow {
  return {
    site: site.id,
    action: 'pageview',
    time: 0,
    day: '',
    url: '',
    visitor: '0',
    seconds: 0,
    video: '',
    referrerType: 'direct',
    referrer: '',
    referrerUrl: '',
    campaignId: '',
    campaignMedium: '',
    campaignSource: '',
    campaignContent: '',
    campaignTerm: '',
    channel: 'website',
    device: 'desktop',
    segments: [],
    network: '',
    conversionType: '',
    conversionLabel: '',
  };
}
