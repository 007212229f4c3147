// What alarms say, as text and as fields. Pure.
import type { HeadlineRecord } from '../contract/alternatives.ts';
import { counted, inWholeDigits } from '../counted.ts';
import { DAY, HOUR, MINUTE } from '../durations.ts';
import type { Experiment } from '../experiments/experiment.ts';
import type { SiteId } from '../sites/site.ts';
import { offsetAt } from '../traffic/zone.ts';
import { type Finding, SILENCE_COUNTED_MS, type TrafficAlarm } from './judge.ts';

/** What is sent. */
export interface AlarmMessage {
  kind: `alarm.${TrafficAlarm}` | 'experiment.ended' | 'headline.won';
  /** When it happened; epoch milliseconds. */
  at: number;
  text: string;
  data: Readonly<Record<string, unknown>>;
  /** Later it is no news. */
  until: number;
}

const TRAFFIC_NEWS_MS = 6 * HOUR;
/** Read after a night, too. */
const SILENCE_NEWS_MS = 12 * HOUR;
const ENDING_NEWS_MS = 3 * DAY;

export function trafficMessage(site: SiteId, zone: string, found: Finding): AlarmMessage {
  const { kind, start, end, views, expected, usual } = found;
  const data = {
    apikey: site,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    views,
    expected: Math.round(expected),
    usual: { median: Math.round(usual.median), low: Math.round(usual.low), high: Math.round(usual.high) },
  };
  const text = `${site}: ${kind === 'silent' ? silence(found, zone) : unusual(found, zone)}`;
  return {
    kind: `alarm.${kind}`,
    at: end,
    text,
    data,
    until: end + (kind === 'silent' ? SILENCE_NEWS_MS : TRAFFIC_NEWS_MS),
  };
}

function silence({ start, end, knownSince, expected }: Finding, zone: string): string {
  const from = knownSince ?? start;
  const minutes = Math.round((end - from) / MINUTE);
  const within = end - from > SILENCE_COUNTED_MS ? ` in the last ${SILENCE_COUNTED_MS / HOUR} hours` : '';
  const since =
    knownSince === undefined
      ? `since ${clock(start, zone)}`
      : `since they are counted again, ${clock(knownSince, zone)} (the last one before came ${clock(start, zone)})`;
  return `no view for ${minutes} minutes, ${since}; about ${inWholeDigits(expected)} were to be expected${within}. Look whether pages still have the tag and reach the server: afterword doctor, with the address of a page.`;
}

function unusual({ kind, start, end, views, expected, usual, weeks }: Finding, zone: string): string {
  const minutes = Math.round((end - start) / MINUTE);
  const less = kind === 'slump' ? 'only ' : '';
  return `${less}${counted(views, 'view')} of all pages in the ${minutes} minutes up to ${clock(end, zone)}. Usual then are ${inWholeDigits(usual.median)} (middle half of ${weeks} weeks: ${inWholeDigits(usual.low)} to ${inWholeDigits(usual.high)}); after the hours before, about ${inWholeDigits(expected)} were to be expected.`;
}

/** Of an experiment that ended by itself, after `since`; undefined for others. */
export function endedMessage(site: SiteId, experiment: Experiment, since: number): AlarmMessage | undefined {
  const { name, stoppedAt, endedBy, result } = experiment;
  if (stoppedAt === undefined || stoppedAt < since || endedBy === undefined || endedBy === 'command') return undefined;
  const why = {
    decision: result?.verdict === 'broken' ? 'readers do not come in its shares' : 'it is decided',
    readers: 'the planned readers have come',
    days: 'it ran as long as reports are kept',
  };
  const ended = `${site}: the experiment ${name} has ended, because ${why[endedBy]}.`;
  const text = [ended, ...(result?.says ?? [])].join(' ');
  const data = {
    apikey: site,
    experiment: name,
    ended_by: endedBy,
    ended: new Date(stoppedAt).toISOString(),
    says: result?.says ?? null,
  };
  return { kind: 'experiment.ended', at: stoppedAt, text, data, until: stoppedAt + ENDING_NEWS_MS };
}

/** Of a test of titles or pictures that readers have decided after `since`; undefined for others. */
export function wonMessage(site: SiteId, test: HeadlineRecord, since: number): AlarmMessage | undefined {
  const { url, winner, ended, alternatives } = test;
  const at = ended === null ? 0 : Date.parse(ended);
  const [own, won] = [alternatives[0], alternatives[(winner ?? 0) - 1]];
  if (winner === null || at < since || own === undefined || won === undefined) return undefined;
  const { title, image_url } = won;
  const changed = [...(title === own.title ? [] : ['title']), ...(image_url === own.image_url ? [] : ['picture'])];
  const others = alternatives.length === 2 ? 'the other one' : `${alternatives.length - 1} others`;
  const is = changed.length === 0 ? 'It stays as it was.' : `It has this ${changed.join(' and ')} everywhere now.`;
  const text = `${site}: readers have chosen “${title}” for ${url}, over ${others}. ${is}`;
  return { kind: 'headline.won', at, text, data: { apikey: site, url, title, winner }, until: at + ENDING_NEWS_MS };
}

/** Such as `Tue 10:05`, by the clock of the site. */
function clock(instant: number, zone: string): string {
  const local = new Date(instant + offsetAt(instant, zone)).toISOString();
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][
    new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay()
  ];
  return `${weekday} ${local.slice(11, 16)}`;
}
