// Turns an event as it came into a row, or into the reason why it is dropped. The steps are listed in their order.
import { MAX_APP_EVENT_AGE_MS, MAX_EVENT_AGE_MS } from '../contract/limits.ts';
import { parseEventMetadata } from '../posts/parseEventMetadata.ts';
import type { PostPatch } from '../posts/post.ts';
import type { Site, SiteId } from '../sites/site.ts';
import { eventKey } from './dedupe/eventKey.ts';
import { blankRow, type EventRow } from './eventRow.ts';
import { type FieldLengths, type ParsedEvent, parseEvent, text } from './parseEvent.ts';
import { belongsToSite } from './siteHosts.ts';
import { AddressReader, isOf, type Page } from './steps/address.ts';
import { type Agent, AgentReader } from './steps/agent.ts';
import { channelOf, segmentsOf } from './steps/audience.ts';
import { DeclaredPages } from './steps/declaredPages.ts';
import { ACTIONS, conversionLabelOf, conversionTypeOf, engagedSeconds, networkOf, videoOf } from './steps/details.ts';
import { deviceOf } from './steps/device.ts';
import { Calendar, eventTime } from './steps/eventTime.ts';
import { parseLists } from './steps/lists.ts';
import { bareHost, underRules } from './steps/referrer.ts';
import { VisitorIds } from './steps/visitorId.ts';
import type { DropReason, Sender } from './types.ts';

export interface PipelineOptions {
  findSite(id: string): Site | undefined;
  /** Address that traffic of a page counts under. Default: its own. */
  pageOf?: ((site: SiteId, url: string) => string) | undefined;
  /** Secret of the day, for visitors without an id. */
  salt(time: number): string;
  /** Default: as in `INGEST_LIMITS`. */
  lengths?: FieldLengths | undefined;
  /** Texts that name a page although they are no addresses. Default: none. */
  names?: readonly string[] | undefined;
}

/** The reason for a drop; or the row, with the parsed address of its page. */
export type Outcome =
  | {
      site: string;
      drop: DropReason;
      /** Name the bot is counted under, where that is the reason. */
      bot?: string | undefined;
      /** Host of the page, where that is the reason. */
      host?: string | undefined;
    }
  | {
      site: string;
      row: EventRow;
      page: Page;
      /** Metadata of a view about its page, where the site takes it. */
      patch?: PostPatch | undefined;
    };

/** What the steps need besides the event: the options, and what is remembered of earlier events. */
interface Surroundings extends PipelineOptions {
  addresses: AddressReader;
  agents: AgentReader;
  calendar: Calendar;
  declared: DeclaredPages;
  visitors: VisitorIds;
}

/** Input of a step: the event, its site, the page it names; and the row, which the step fills in. */
interface Subject {
  event: ParsedEvent;
  sender: Sender;
  agent: Agent;
  site: Site;
  page: Page;
  /** Epoch milliseconds. */
  arrival: number;
  around: Surroundings;
  row: EventRow;
}

/** Fills in the row. @returns Why the event is dropped. */
type Step = (subject: Subject) => DropReason | undefined;

const STEPS: Readonly<Record<string, Step>> = {
  consent: ({ event }) => (event.data?.opted_out === true ? 'opted-out' : undefined),
  action: readAction,
  host: ({ page, site }) => (isOf(page, site) ? undefined : 'foreign-host'),
  bot: (subject) => (botOf(subject) === undefined ? undefined : 'bot'),
  time: readTime,
  visitor: readVisitor,
  page: findPage,
  referrer: readOrigin,
  campaign: takeCampaign,
  audience: readAudience,
  details: readDetails,
  key: makeKey,
};

/** In the order of their work, which the documents draw. */
export const STEP_NAMES: readonly string[] = Object.keys(STEPS);

const steps = Object.values(STEPS);

export class Pipeline {
  readonly #around: Surroundings;

  constructor(options: PipelineOptions) {
    this.#around = {
      ...options,
      addresses: new AddressReader(options.names),
      agents: new AgentReader(),
      calendar: new Calendar(),
      declared: new DeclaredPages(),
      visitors: new VisitorIds(),
    };
  }

  /** @param arrival Epoch milliseconds. */
  run(value: unknown, sender: Sender, arrival: number): Outcome {
    const around = this.#around;
    const event = parseEvent(value, around.lengths);
    if (!event) return { site: '', drop: 'malformed' };
    const site = around.findSite(event.idsite);
    if (!site) return { site: '', drop: 'unknown-site' };
    const page = around.addresses.page(event.url);
    if (!page) return { site: site.id, drop: 'bad-url' };
    const agent = around.agents.read(sender.userAgent);
    const row = blankRow(site.id, page.url);
    const subject: Subject = { event, sender, agent, site, page, arrival, around, row };
    for (const step of steps) {
      const drop = step(subject);
      if (drop !== undefined) return { site: site.id, drop, ...causeOf(drop, subject) };
    }
    // The row may count under another page than the event names.
    const counted = row.url === page.url ? page : (around.addresses.page(row.url) ?? page);
    return { site: site.id, row, page: counted, patch: site.eventMetadata ? patchOf(subject) : undefined };
  }
}

/** What is counted or shown beside the reason. */
function causeOf(drop: DropReason, subject: Subject): { bot?: string | undefined; host?: string } {
  if (drop === 'bot') return { bot: botOf(subject) };
  return drop === 'foreign-host' ? { host: subject.page.address.hostname } : {};
}

/** Of web pages only: an id is no address of a post. */
function patchOf({ event: { metadata }, row, arrival }: Subject): PostPatch | undefined {
  const isView = row.action === 'pageview' && row.url.startsWith('http');
  return isView && metadata !== undefined ? parseEventMetadata(metadata, arrival) : undefined;
}

function readAction({ event, row }: Subject): DropReason | undefined {
  const action = ACTIONS.find((name) => name === event.action);
  if (action === undefined) return 'unknown-action';
  row.action = action;
  return undefined;
}

/** The campaign is read from the address of the event, not from this one. */
function findPage(subject: Subject): undefined {
  const { row, page, around } = subject;
  const declared = declaredPage(subject);
  const isView = row.action === 'pageview';
  if (isView) around.declared.remember(row.visitor, page.url, declared);
  const named = declared ?? (isView ? undefined : around.declared.of(row.visitor, page.url));
  row.url = countedPage(named ?? page.url, subject);
}

/** Metadata of a video event is about the video. */
const OF_VIDEOS: readonly string[] = ['videostart', 'vheartbeat'];

/** The page that the metadata names: AMP pages name their canonical one, apps the article. Pages of this site only. */
function declaredPage({ event: { metadata }, site, around, row }: Subject): string | undefined {
  if (metadata === undefined || OF_VIDEOS.includes(row.action)) return undefined;
  for (const said of [metadata.canonical_url, metadata.link]) {
    const page = typeof said === 'string' ? around.addresses.page(said) : undefined;
    // An id would match any site.
    if (page?.url.startsWith('http') && isOf(page, site)) return page.url;
  }
  return undefined;
}

const countedPage = (url: string, { site, around }: Subject): string =>
  around.pageOf !== undefined && url.includes('?') && url.startsWith('http') ? around.pageOf(site.id, url) : url;

/**
 * A program that reports for others has a user agent of its own, which is no sign of a bot; one that is in the table of
 * bots is a bot nevertheless.
 */
function botOf({ agent: { bot, named }, sender: { userAgent, sendsFor } }: Subject): string | undefined {
  return sendsFor !== undefined && !named && !userAgent.startsWith('Mozilla/') ? undefined : bot;
}

function readTime({ event, sender, site, arrival, around, row }: Subject): undefined {
  const said = event.ts ?? event.date ?? text(event.data?.ts);
  const maxAge = sender.sendsFor === 'app users' ? MAX_APP_EVENT_AGE_MS : MAX_EVENT_AGE_MS;
  row.time = eventTime(said, arrival, maxAge);
  row.day = around.calendar.dayIn(site.timezone, row.time);
}

function readVisitor({ event, sender, site, arrival, around, row }: Subject): undefined {
  const signs = {
    siteUuid: text(event.data?.parsely_site_uuid),
    u: event.u,
    ampid: event.ampid,
    ip: sender.visitorIp ?? sender.ip,
    userAgent: sender.userAgent,
  };
  row.visitor = around.visitors.of(site.id, signs, around.salt(arrival));
}

function readOrigin(subject: Subject): undefined {
  const { event, site, around, row } = subject;
  const { address, foreign, url } = around.addresses.referrer(event.urlref);
  const internal = address !== undefined && url !== '' && belongsToSite(address, site);
  const { category, name, host } = underRules(foreign, site.referrers);
  row.referrerType = internal ? 'internal' : category;
  row.referrer = internal ? bareHost(address.hostname) : name;
  row.referrerHost = host;
  row.referrerUrl = internal ? countedPage(url, subject) : '';
}

function takeCampaign({ page, row }: Subject): undefined {
  row.campaignId = page.campaign.campaignId;
  row.campaignMedium = page.campaign.campaignMedium;
  row.campaignSource = page.campaign.campaignSource;
  row.campaignContent = page.campaign.campaignContent;
  row.campaignTerm = page.campaign.campaignTerm;
}

function readAudience({ event, sender, agent, site, row }: Subject): undefined {
  row.channel = channelOf(event);
  row.segments = segmentsOf(event, site.segmentKeys);
  const otherwise = sender.sendsFor === 'app users' ? 'mobile' : 'desktop';
  row.device = deviceOf(agent, event.screen, otherwise);
}

function readDetails(subject: Subject): DropReason | undefined {
  const { event, page, around, row } = subject;
  const { action } = row;
  if (action === 'heartbeat' || action === 'vheartbeat') {
    const seconds = engagedSeconds(event.inc);
    if (seconds === undefined) return 'bad-increment';
    row.seconds = seconds;
  }
  if (action === 'videostart' || action === 'vheartbeat') {
    row.video = countedPage(videoOf(event, row.url), subject);
  }
  if (action === 'share') row.network = networkOf(event);
  if (action === 'conversion') {
    row.conversionType = conversionTypeOf(event);
    row.conversionLabel = conversionLabelOf(event);
  }
  if (action === 'list') {
    row.lists = parseLists(event.lists, (post) => around.addresses.resolve(page, post)?.url);
    if (row.lists === undefined) return 'malformed';
  }
  return undefined;
}

/** An event with neither an id nor a time of its own has no key: an equal one may be a second event. */
function makeKey({ event, row }: Subject): undefined {
  if (event.eid !== undefined) {
    row.key = eventKey(row.site, row.action, event.eid);
  } else if (
    event.rand !== undefined ||
    event.ts !== undefined ||
    event.date !== undefined ||
    event.data?.ts !== undefined
  ) {
    row.key = eventKey(row.site, row.visitor, JSON.stringify(event));
  }
}
