// The figures of a site now, shared by all callers: the last minutes are cached for seconds, what is usual for an hour.
import { LRUCache } from 'lru-cache';
import { LEAST_WEEKS, tooFewDays } from '../alarms/curve.ts';
import type { Usual } from '../alarms/usual.ts';
import {
  HOUR_MINUTES,
  NOW_FIGURES,
  NOW_MINUTES,
  NOW_SOURCES,
  type NowFigure,
  type NowFigureName,
  type NowQuarter,
  type NowRecord,
  type NowSource,
  type NowSourceName,
  type PlaceName,
  type UsualRecord,
} from '../contract/now.ts';
import { typeOfCategory } from '../contract/referrers.ts';
import { HOUR, QUARTER, SECOND } from '../durations.ts';
import { shownName } from '../ingest/referrers/table.ts';
import type { Exclusions } from '../sites/exclusions.ts';
import type { SiteId } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import { threeDecimals } from '../threeDecimals.ts';
import { toLocalIso } from '../traffic/intervals.ts';
import type { Period } from '../traffic/period.ts';
import { categoryOf } from '../traffic/scope.ts';
import { addDays, dayOf, startOfDay } from '../traffic/zone.ts';
import { type Live, readLive } from './live.ts';
import { type NowQuestion, type NowScope, windowsFrom } from './question.ts';
import { readUsualDay, readUsualHour, type UsualDay, type UsualHour } from './usual.ts';

export interface Now {
  /** @param now Epoch milliseconds. */
  look(question: NowQuestion, now: number): Promise<NowRecord>;
  /** The next look at a site is a new one: something was hidden or shown. */
  forget(site: SiteId): void;
}

interface Options {
  store: { traffic: TrafficStore };
  exclusions: Pick<Exclusions, 'of'>;
  /** Monotonic milliseconds. */
  clock(): number;
}

const LIVE_MS = 5 * SECOND;
const USUAL_MS = HOUR;
/** Questions that are remembered: a question of a wall, or of a view with a section, is one of its own. */
const MAX_QUESTIONS = 500;

const OF_HOUR: readonly NowFigureName[] = ['recirculation_rate', 'clicks'];
/** Figures that are counts: of the others a range may begin and end between two whole numbers. */
const COUNTS: readonly NowFigureName[] = ['visitors', 'views', 'clicks'];

export function createNow({ store, exclusions, clock }: Options): Now {
  const looks = createShared<NowRecord>(LIVE_MS, clock);
  const days = createShared<UsualDay>(USUAL_MS, clock);
  const hours = createShared<UsualHour>(USUAL_MS, clock);

  async function read(question: NowQuestion, now: number): Promise<NowRecord> {
    const { traffic } = store;
    const { site, zone, sections, keepEvents } = question;
    const nowScope: NowScope = { ...question, now, excluded: await exclusions.of(site) };
    const today = dayOf(now, zone);
    const day = { start: startOfDay(today, zone), end: startOfDay(addDays(today, 1), zone) };
    const hour = now - (now % HOUR);
    const who = [site, zone, sections];
    const live = readLive(traffic, nowScope, day.start);
    const usualDay = days.get([...who, today], () => readUsualDay(traffic, nowScope, day));
    const usualHour = usualDay.then(({ weeks }) =>
      hours.get([...who, hour], () => readUsualHour(traffic, nowScope, { hour, weeks })),
    );
    return toRecord({ now, zone, keepEvents, day, ...(await all({ live, usualDay, usualHour })) });
  }

  return {
    look: (question, now) => {
      const { site, zone, sections, posts, keepEvents } = question;
      return looks.get([site, zone, sections, posts, keepEvents], () => read(question, now));
    },
    forget: looks.forget,
  };
}

/** What several ask for at once, or one after the other within a time, is made once. What failed is not kept. */
function createShared<T>(lifetime: number, clock: () => number) {
  const kept = new LRUCache<string, { until: number; made: Promise<T> }>({ max: MAX_QUESTIONS });
  return {
    get(parts: readonly unknown[], make: () => Promise<T>): Promise<T> {
      const key = JSON.stringify(parts);
      const known = kept.get(key);
      if (known !== undefined && clock() < known.until) return known.made;
      const entry = { until: clock() + lifetime, made: make() };
      kept.set(key, entry);
      entry.made.catch(() => kept.get(key) === entry && kept.delete(key));
      return entry.made;
    },
    /** Keys begin with the site. */
    forget(site: SiteId): void {
      const beginning = `${JSON.stringify([site]).slice(0, -1)},`;
      for (const key of kept.keys()) if (key.startsWith(beginning)) kept.delete(key);
    },
  };
}

interface Read {
  live: Live;
  usualDay: UsualDay;
  usualHour: UsualHour;
}

async function all(reads: { [Name in keyof Read]: Promise<Read[Name]> }): Promise<Read> {
  const [live, usualDay, usualHour] = await Promise.all([reads.live, reads.usualDay, reads.usualHour]);
  return { live, usualDay, usualHour };
}

interface Found extends Read {
  now: number;
  zone: string;
  keepEvents: number | undefined;
  /** First moment of today and of tomorrow. */
  day: { start: number; end: number };
}

function toRecord(found: Found): NowRecord {
  const { live, usualDay, keepEvents } = found;
  const { start, end } = live.period;
  return {
    period_start: new Date(start).toISOString(),
    period_end: new Date(end + 1).toISOString(),
    weeks: usualDay.weeks.length,
    least_weeks: LEAST_WEEKS,
    too_few_days: tooFewDays(keepEvents),
    figures: NOW_FIGURES.map((name) => toFigure(name, found)),
    posts: live.posts.map(({ pubDate, ...post }) => ({
      ...post,
      pub_date: pubDate === null ? '' : new Date(pubDate).toISOString().slice(0, 19),
    })),
    sections: live.sections.map(({ name, hits, metrics }) => ({ name, visitors: metrics.visitors!, views: hits })),
    referrers: live.referrers.map(({ name, hits, metrics, facet }) => {
      const category = categoryOf(facet)!;
      const shown = { name: shownName(category, name), type: typeOfCategory(category), category };
      return { ...shown, visitors: metrics.visitors!, views: hits };
    }),
    sources: NOW_SOURCES.map((category) => toSource(category, found)),
    today: toToday(found),
  };
}

function toFigure(name: NowFigureName, { live, usualHour, now }: Found): NowFigure {
  const value = live.figures[name];
  const measured = toUsual(usualHour.at(name, now));
  const usual = COUNTS.includes(name) ? inWholes(measured) : measured;
  const minutes = OF_HOUR.includes(name) ? HOUR_MINUTES : NOW_MINUTES;
  return { name, minutes, value, usual, place: placeOf(value, usual) };
}

function toSource(category: NowSourceName, { live, usualHour, now }: Found): NowSource {
  const views = live.sources[category];
  const usual = inWholes(toUsual(usualHour.ofSource(category, now)));
  return { category, views, usual, place: placeOf(views, usual) };
}

/** What is counted is whole, and so is its range: no view is within a middle half from 0.1 to 0.9. */
const inWholes = (usual: UsualRecord | null): UsualRecord | null =>
  usual && { ...usual, low: Math.floor(usual.low), high: Math.ceil(usual.high) };

function placeOf(value: NowFigure['value'], usual: UsualRecord | null): PlaceName | null {
  if (value === null) return null;
  return usual && (value < usual.low ? 'below' : value > usual.high ? 'above' : 'within');
}

function toToday({ live, usualDay, now, zone, day }: Found): NowQuarter[] {
  const quarters = windowsFrom(day.start, QUARTER, (day.end - day.start) / QUARTER);
  return quarters.map(({ start, end }: Period, at) => ({
    start: toLocalIso(start, zone),
    views: live.views[at] ?? null,
    partial: start < now && now <= end,
    usual: toUsual(usualDay.curve?.between(start, end + 1)),
  }));
}

const toUsual = (usual: Usual | undefined): UsualRecord | null =>
  usual === undefined
    ? null
    : { median: threeDecimals(usual.median), low: threeDecimals(usual.low), high: threeDecimals(usual.high) };
