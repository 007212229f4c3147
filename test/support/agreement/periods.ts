// Random stretches of time: plain data first, so that a counterexample can be read; then what a request writes for them in a world
// and the instants the interface means by it.
import fc from 'fast-check';
import type { World } from '../worlds.ts';
import { dayAfter, dayBefore, dayBegins, localDay, shown, whenShown } from './localTime.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One end of a stretch: so many minutes before now, written in one of the interface's forms. */
export interface Mark {
  ago: number;
  form: 'utc' | 'offset' | 'spaced' | 'clock' | 'day' | 'unpadded' | 'foreign day' | 'look-back';
}

export interface Stretch {
  start: Mark | undefined;
  end: Mark | undefined;
  days: number | undefined;
  /** Minutes to look back. */
  time?: number | undefined;
}

/** What an endpoint does where little is said, and with what is too long. */
export interface StretchRule {
  defaultDays: number;
  tooLong: 'refused' | 'cut';
}

export interface Stretched {
  params: Record<string, string>;
  start: number;
  end: number;
  /** Runs backwards, which is refused. */
  backwards: boolean;
}

type Clock = Pick<World, 'now' | 'zone'>;

const ago = fc.oneof(
  fc.integer({ min: -600, max: 4 * 1440 }),
  fc.integer({ min: 0, max: 100 }).map((hours) => hours * 60),
  fc.integer({ min: 0, max: 130 }).map((days) => days * 1440),
  fc.integer({ min: 0, max: 50 * 1440 }),
);
const mark: fc.Arbitrary<Mark> = fc.record({
  ago,
  form: fc.constantFrom('utc', 'offset', 'spaced', 'clock', 'day', 'day', 'unpadded', 'foreign day', 'look-back'),
});
const none = fc.constant(undefined);

export const stretch: fc.Arbitrary<Stretch> = fc.oneof(
  { arbitrary: fc.record({ start: mark, end: mark, days: none }), weight: 4 },
  { arbitrary: fc.record({ start: mark, end: none, days: none }), weight: 2 },
  fc.record({ start: none, end: mark, days: none }),
  fc.record({ start: none, end: none, days: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ start: none, end: mark, days: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ start: none, end: none, days: none }),
);

/** As the interface reads a stretch of traffic: parameters `period_start`, `period_end`, `days`. */
export function toPeriod(said: Stretch, rule: StretchRule, clock: Clock): Stretched {
  const { now } = clock;
  // Where a long span is refused, none is asked for here: other tests refuse.
  const within = (one: Mark | undefined) =>
    one && { ...one, ago: rule.tooLong === 'refused' ? Math.min(one.ago, 88 * 1440) : one.ago };
  const [start, end] = [toMoment(within(said.start), clock), toMoment(within(said.end), clock)];
  const last = end?.last ?? now;
  // Days, and a look-back, count from the end; of a date, days of the calendar that end with it.
  const edge = end ? end.last + 1 : now;
  const isDate = said.end?.form === 'day' || said.end?.form === 'unpadded';
  const daysBefore = (days: number) =>
    isDate ? dayBegins(dayBefore(localDay(last, clock.zone), days - 1), clock.zone) : edge - days * DAY;
  const lookBack = rule.defaultDays * DAY;
  // "Three days ago" is no start for a period that ended before then: it is three days long. Nor is a default of 90 days a reason
  // to refuse an end that lies after now.
  const byDefault = now - lookBack <= last ? Math.max(now - lookBack, Math.min(edge - 90 * DAY, now)) : edge - lookBack;
  const since =
    start?.first ??
    (said.days !== undefined ? daysBefore(said.days) : said.time !== undefined ? edge - said.time * MINUTE : byDefault);
  return {
    params: {
      ...(start && { period_start: start.text }),
      ...(end && { period_end: end.text }),
      ...(said.days !== undefined && { days: String(said.days) }),
    },
    start: rule.tooLong === 'cut' ? Math.max(since, now - 90 * DAY) : since,
    end: last,
    backwards: start !== undefined && end !== undefined && since > (end.first > end.last ? end.first : end.last),
  };
}

/** As the interface reads publication dates: `pub_date_start`, `pub_date_end`. Posts without a date pass where no start is given. */
export function toPublished({ start, end }: Pick<Stretch, 'start' | 'end'>, clock: Clock) {
  const [from, to] = [toMoment(start, clock), toMoment(end, clock)];
  return {
    params: { ...(from && { pub_date_start: from.text }), ...(to && { pub_date_end: to.text }) },
    passes: (date: number | null) =>
      date === null
        ? from === undefined
        : date <= (to?.last ?? clock.now) && (from === undefined || date >= from.first),
  };
}

interface Moment {
  text: string;
  /** The first instant of what starts with it, and the last one of what ends with it. */
  first: number;
  last: number;
}

function toMoment(mark: Mark | undefined, { now, zone }: Clock): Moment | undefined {
  if (!mark) return undefined;
  const time = now - mark.ago * MINUTE;
  // As an end, a time is left out.
  const exactly = (text: string, at: number): Moment => ({ text, first: at, last: at - 1 });
  switch (mark.form) {
    case 'utc':
      return exactly(new Date(time).toISOString(), time);
    case 'offset':
      return exactly(`${iso(time + 5.5 * HOUR).slice(0, 16)}+05:30`, time - (time % MINUTE));
    case 'spaced':
      return exactly(`${iso(time + 2 * HOUR).slice(0, 19)} 02:00`, time - (time % 1000));
    case 'clock': {
      const local = `${shown(time, zone).slice(0, 16)}:00`;
      return exactly(local.slice(0, 16).replace(' ', 'T'), whenShown(local, zone));
    }
    case 'day':
      return wholeDay(localDay(time, zone), zone);
    case 'unpadded': {
      const day = localDay(time, zone);
      return { ...wholeDay(day, zone), text: day.replaceAll('-0', '-') };
    }
    case 'foreign day': {
      const day = iso(time - 3 * HOUR).slice(0, 10);
      return { text: `${day}-03:00`, first: Date.parse(day) + 3 * HOUR, last: Date.parse(day) + 27 * HOUR - 1 };
    }
    case 'look-back': {
      const minutes = Math.max(mark.ago, 1);
      return exactly(lookBack(minutes), now - minutes * MINUTE);
    }
  }
}

const iso = (time: number): string => new Date(time).toISOString();

const wholeDay = (day: string, zone: string): Moment => ({
  text: day,
  first: dayBegins(day, zone),
  last: dayBegins(dayAfter(day), zone) - 1,
});

function lookBack(minutes: number): string {
  if (minutes > 0 && minutes % (7 * 1440) === 0) return `${minutes / (7 * 1440)}w`;
  if (minutes > 0 && minutes % 1440 === 0) return `${minutes / 1440}d`;
  if (minutes % 60 === 0) return `${minutes / 60}h`;
  return `${minutes}${['m', 'min', 'mins', 'minutes'][minutes % 4]}`;
}
