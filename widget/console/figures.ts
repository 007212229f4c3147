// Figures and times as the page writes them.
import { zoneHere, zoneOfDay } from './periods.ts';

const [WHOLE, TENTHS, HUNDREDTHS] = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('en', { maximumFractionDigits: digits }),
) as [Intl.NumberFormat, Intl.NumberFormat, Intl.NumberFormat];
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const BELOW_ONE = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** A figure in full: fractions of a large one say nothing. */
export function toFigure(value: number): string {
  const size = Math.abs(value);
  return (size < 10 ? HUNDREDTHS : size < 1000 ? TENTHS : WHOLE).format(value);
}

const FIXED = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

/**
 * What writes the figures of a column of a table: all with the decimals of the largest, so that a longer one is more.
 * @returns writes what would be 0 with them as a figure alone.
 */
export function inColumn(figures: readonly number[]): (value: number) => string {
  if (figures.every(Number.isInteger)) return toFigure;
  const most = Math.max(...figures.map(Math.abs));
  const digits = most < 10 ? 2 : most < 1000 ? 1 : 0;
  return (value) => (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits ? toFigure : FIXED[digits]!.format)(value);
}

/** What gives a column of a table the room of its longest figure; app.css reads it. */
export const roomFor = (figures: readonly number[]): { '--figure': string } => ({
  '--figure': String(Math.max(0, ...figures.map((value) => inColumn(figures)(value).length))),
});

const PERCENT = { style: 'percent', maximumFractionDigits: 2 } as const;
const RATE = new Intl.NumberFormat('en', { ...PERCENT, minimumFractionDigits: 2 });
const ROUND_RATE = new Intl.NumberFormat('en', PERCENT);

/** A share of which hundredths of a percent matter, such as that of clicks: below each other their points are, too. */
export const toRate = (share: number): string => RATE.format(share);

/** By how much two shares differ: a percentage of a percentage would read as points. */
export const toPoints = (difference: number): string => `${toRate(Math.abs(difference)).replace('%', '')} points`;

/** The same in a sentence and at an axis: 50% is not 50.00% there. */
export const toRoundRate = (share: number): string => ROUND_RATE.format(share);

/** For the axis: a quarter is 0.25 there, not 0.3. */
export const toCompact = (value: number): string => (value < 1 ? BELOW_ONE : COMPACT).format(value);

/** By how much a figure differs from the one before, as a share; undefined where there is nothing to compare with. */
export const changeOf = (now: number, before: number | undefined): number | undefined =>
  before === undefined || before === 0 ? undefined : (now - before) / before;

export const toShare = (share: number): string => SHARE.format(Math.abs(share));

/** A local time `YYYY-MM-DDTHH:MM…` as its clock and calendar have it, whatever the zone of this browser. */
const asUtc = (local: string): Date => new Date(`${local.slice(0, 16)}Z`);

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const DAY = format({ weekday: 'short', day: 'numeric', month: 'short' });
const SHORT_DAY = format({ day: 'numeric', month: 'short' });
const IN_FULL = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const FULL_DAY = format(IN_FULL);
const HOUR = format({ hour: '2-digit', minute: '2-digit' });

/** When an interval begins. */
export const toMoment = (start: string, interval: 'hour' | 'day'): string =>
  interval === 'day' ? DAY.format(asUtc(start)) : `${DAY.format(asUtc(start))}, ${HOUR.format(asUtc(start))}`;

/** When each of several intervals begins, in order; where a clock shows a time again, with its offset, as in lists. */
export const toMoments = (starts: readonly string[], interval: 'hour' | 'day'): string[] =>
  withOffsets(starts, (start) => toMoment(start, interval));

/** The same in a file: dates and times that spreadsheets know, by the clock of the site. */
export const toCellTimes = (starts: readonly string[], interval: 'hour' | 'day'): string[] =>
  withOffsets(starts, (start) => toCellTime(start).slice(0, interval === 'day' ? 10 : undefined));

/** A local time, to the minute. @param local `YYYY-MM-DDTHH:MM…` */
export const toCellTime = (local: string): string => local.slice(0, 16).replace('T', ' ');

/** The same of parts of one day, which the time of day names. */
export const toTimes = (starts: readonly string[]): string[] => withOffsets(starts, (start) => toTick(start, 'hour'));

function withOffsets(starts: readonly string[], write: (start: string) => string): string[] {
  const seen = new Set<string>();
  return starts.map((start) => {
    const name = write(start);
    if (seen.has(name)) return `${name} (${start.slice(19)})`;
    seen.add(name);
    return name;
  });
}

/** The same below an axis. */
export const toTick = (start: string, interval: 'hour' | 'day'): string =>
  (interval === 'day' ? SHORT_DAY : HOUR).format(asUtc(start));

/** Days as a range. */
export function toRange({ from, to }: { from: string; to: string }): string {
  const [first, last] = [FULL_DAY.format(asUtc(`${from}T00:00`)), FULL_DAY.format(asUtc(`${to}T00:00`))];
  return first === last ? first : `${first} to ${last}`;
}

/** A moment of UTC to the minute. @param iso ISO 8601, with or without Z. */
export const toMinute = (iso: string): string => `${FULL_DAY.format(asUtc(iso))}, ${HOUR.format(asUtc(iso))}`;

/** An instant by the clock of a time zone, to the minute. @param iso ISO 8601, of UTC where it names no zone. */
export const toClock = (iso: string, timeZone: string): string =>
  format({ dateStyle: 'long', timeStyle: 'short', timeZone: zoneHere(timeZone) }).format(instantOf(iso));

/** The same of a publication, which may be a day without a time. */
export const toPublished = (iso: string, timeZone: string): string =>
  zoneOfDay(timeZone, instantOf(iso)) === timeZone ? toClock(iso, timeZone) : dayWriter(timeZone)(iso);

/**
 * What writes the day of a moment by the clock of a time zone.
 * @returns takes ISO 8601, of UTC where it names no zone; "" for "".
 */
export function dayWriter(timeZone: string): (moment: string) => string {
  const inZone = format({ ...IN_FULL, timeZone: zoneHere(timeZone) });
  return (moment) => {
    if (moment === '') return '';
    const at = instantOf(moment);
    return (zoneOfDay(timeZone, at) === timeZone ? inZone : FULL_DAY).format(at);
  };
}

const instantOf = (moment: string): number => Date.parse(HAS_ZONE.test(moment) ? moment : `${moment}Z`);

const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;
