// Who gets which messages of a site, and when. Pure.
import { HOUR, MINUTE } from '../durations.ts';
import { type AlarmSettings, isMorning, isPast, isQuiet, sinceTime } from '../sites/alarmSettings.ts';
import { type MailRecipient, subscribed, type Topic } from '../sites/mail.ts';
import type { Site } from '../sites/site.ts';
import type { SiteWebhook } from '../sites/webhook.ts';
import type { StoredMessage } from '../storage/messages.ts';
import { dayOf, endOfDay, instantOf } from '../traffic/zone.ts';
import { messageId } from './outbox.ts';

/** How long after its time a morning page is still sent, in milliseconds. */
export const MORNING_NEWS_MS = 6 * HOUR;

/** `later`: in its quiet hours, or before its time of the morning page. */
export type When = 'now' | 'later' | 'never';

export type SiteWithWebhook = Site & { webhook: SiteWebhook; alarms: AlarmSettings };

export const sendsToWebhook = (site: Site): site is SiteWithWebhook =>
  site.webhook !== undefined && site.alarms !== undefined;

/** Whether a site has someone who gets one of these. */
export const isWanted = (site: Site, ...topics: readonly Topic[]): boolean =>
  sendsToWebhook(site) || subscribed(site.mail).some(({ gets }) => gets.some((topic) => topics.includes(topic)));

/**
 * Whether someone of a site gets the winners of its headline tests as sentences. A webhook gets them with their fields
 * from `announceWinners.ts`, but for Slack, which takes sentences alone.
 */
export const wantsWinnersInWords = (site: Site): boolean =>
  isSlack(site) || subscribed(site.mail).some(({ gets }) => gets.includes('experiments'));

export const isSlack = (site: Site): boolean => sendsToWebhook(site) && site.alarms.format === 'slack';

/** What happened before is no news to any receiver of the site. */
export const newsSince = (site: Site): number =>
  Math.min(...(sendsToWebhook(site) ? [site.alarms.since] : []), ...subscribed(site.mail).map(({ since }) => since));

function topicOf(kind: string): Topic | undefined {
  if (kind.startsWith('alarm.')) return 'alarms';
  return ({ 'experiment.ended': 'experiments', 'headline.won': 'experiments', 'digest.morning': 'morning' } as const)[
    kind
  ];
}

/** Id of the morning page of a day: one is made, whenever its receivers want it. */
export const morningId = (site: Site, now: number): string =>
  messageId(site.id, 'digest.morning', dayOf(now, site.timezone));

/** Whether the morning page of a site is due for one of its receivers. */
export const isMorningOf = (site: Site, now: number): boolean =>
  morningsOf(site).some((morning) => isMorning(morning, now, site.timezone));

/**
 * The last millisecond of the day of a morning page. Receivers have times of their own, also those that are added when
 * it is made.
 */
export const untilOfMorning = (site: Site, now: number): number => endOfDay(dayOf(now, site.timezone), site.timezone);

/**
 * Until when a message is tried again for a receiver; epoch milliseconds. The page of a day is for some hours after the
 * time of its receiver.
 * @param morning Minutes from midnight.
 */
export function untilFor(site: Site, message: StoredMessage, morning: number | undefined): number {
  const { id, at, until } = message;
  if (morning === undefined || id !== morningId(site, at)) return until;
  // By the clock: a day on which it changes has an hour more or less.
  const midnight = Date.parse(`${dayOf(at, site.timezone)}T00:00:00Z`);
  return Math.min(until, instantOf(midnight + morning * MINUTE, site.timezone) + MORNING_NEWS_MS);
}

function morningsOf(site: Site): (number | undefined)[] {
  const recipients = subscribed(site.mail).filter(({ gets }) => gets.includes('morning'));
  return [...(sendsToWebhook(site) ? [site.alarms.morning] : []), ...recipients.map(({ morning }) => morning)];
}

/** When the webhook of a site gets a message. */
export function whenForWebhook(site: SiteWithWebhook, message: StoredMessage, now: number): When {
  const { since, morning } = site.alarms;
  if (message.until < now) return 'never';
  if (message.kind === 'headline.won' && !isSlack(site)) return 'never';
  return message.kind === 'digest.morning'
    ? whenMorning(site, message, { morning, since, now })
    : whenNews(message, since);
}

/** When a recipient gets a message. */
export function whenForRecipient(site: Site, to: MailRecipient, message: StoredMessage, now: number): When {
  const topic = topicOf(message.kind);
  if (topic === undefined || !to.gets.includes(topic)) return 'never';
  if (message.until < now) return 'never';
  const { morning, since } = to;
  const when = topic === 'morning' ? whenMorning(site, message, { morning, since, now }) : whenNews(message, since);
  return when === 'now' && isQuiet(to.quiet, now, site.timezone) ? 'later' : when;
}

const whenNews = ({ at }: StoredMessage, since: number): When => (at < since ? 'never' : 'now');

interface Morning {
  /** Minutes from midnight; undefined: none is wanted. */
  morning: number | undefined;
  /** Since when the receiver is one; epoch milliseconds. */
  since: number;
  now: number;
}

/** A page that a command asked for is due at once; that of the day at the time of its receiver. */
function whenMorning(site: Site, message: StoredMessage, { morning, since, now }: Morning): When {
  if (message.id !== morningId(site, message.at)) return whenNews(message, since);
  if (morning === undefined || dayOf(now, site.timezone) !== dayOf(message.at, site.timezone)) return 'never';
  if (!isPast(morning, now, site.timezone)) return 'later';
  const past = sinceTime(morning, now, site.timezone);
  // The page is made at the earliest time of all receivers: one who was added later still gets it at a later time.
  if (message.at < since && now - past < since) return 'never';
  return past < MORNING_NEWS_MS ? 'now' : 'never';
}
