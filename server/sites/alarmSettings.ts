// What a site wants to be notified of, and when it wants silence. Pure.
import { DAY, HOUR, MINUTE } from '../durations.ts';
import { offsetAt } from '../traffic/zone.ts';

/** `json`: a message of Standard Webhooks. `slack`: its text alone, as incoming webhooks of Slack take it. */
export const FORMATS = ['json', 'slack'] as const;

/** Times of day of the site's zone, in minutes from midnight. A period may pass midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

/** Of the webhook, but for `minimum` and `quiet`, which are for mails, too. */
export interface AlarmSettings {
  format: (typeof FORMATS)[number];
  /** Views an hour; where fewer are usual at this time, nothing is said about traffic. */
  minimum: number;
  /** Nothing is raised then. Default: no time. */
  quiet?: QuietHours | undefined;
  /** When the morning page is sent, in minutes from midnight. Default: never. */
  morning?: number | undefined;
  /** Epoch milliseconds; what happened before is no alarm. */
  since: number;
}

/** A silence of so many views an hour is found within about a quarter of an hour. */
export const DEFAULT_MINIMUM = 60;

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** Minutes from midnight of `07:30`; undefined for another form. */
export function parseTime(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text.trim()) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** @returns undefined where it is no `22:00-07:00`, or both times are the same. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const [from, to, more] = text.split('-').map(parseTime);
  return from === undefined || to === undefined || more !== undefined || from === to ? undefined : { from, to };
}

export const formatTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Minutes from midnight that the clock of a zone shows. */
const timeOfDay = (now: number, zone: string): number =>
  Math.floor(((now + offsetAt(now, zone)) % DAY) / MINUTE) % (DAY / MINUTE);

/** Whether a time is quiet; `from` is, `to` is not. */
export function isQuiet(quiet: QuietHours | undefined, now: number, zone: string): boolean {
  if (quiet === undefined) return false;
  const time = timeOfDay(now, zone);
  const { from, to } = quiet;
  return from < to ? time >= from && time < to : time >= from || time < to;
}

/** The morning page is made within this after its time; later, as after an outage, it is left out. */
const MORNING_MS = 3 * HOUR;

/** Milliseconds since the clock of a zone last showed a time of day, in whole minutes. */
export function sinceTime(time: number, now: number, zone: string): number {
  const minutes = timeOfDay(now, zone) - time;
  return minutes * MINUTE + (minutes < 0 ? DAY : 0);
}

/** Whether the clock of a zone has shown a time of day since its last midnight. */
export const isPast = (time: number, now: number, zone: string): boolean =>
  sinceTime(time, now, zone) <= sinceTime(0, now, zone);

/** Whether the morning page is due: that of a late evening is not that of the day which begins. */
export const isMorning = (morning: number | undefined, now: number, zone: string): boolean =>
  morning !== undefined && isPast(morning, now, zone) && sinceTime(morning, now, zone) < MORNING_MS;
