// Alarms of a simulated year, judged as the server does: what is raised without a cause, and how soon spikes and
// silences that are planted are found.
import { seeded } from '../../demo/world/random.ts';
import { type Curve, createCurve, type QuarterOfWeeks } from '../../server/alarms/curve.ts';
import { type Finding, type Judging, judge, LOOK_MS, SILENCE_LOOK_MS } from '../../server/alarms/judge.ts';
import { logAtLeast } from '../../server/alarms/negativeBinomial.ts';
import { isNews, isSecond, type Raised } from '../../server/alarms/repeats.ts';
import { WEEKS } from '../../server/alarms/usual.ts';
import { MINUTE } from '../../server/durations.ts';
import { BEGIN, DAYS, draw, MINUTE_SPREAD, type SimulatedYear } from './simulatedTraffic.ts';

const QUARTER = 15;
const LOOK = LOOK_MS / MINUTE;
const SILENCE_LOOK = SILENCE_LOOK_MS / MINUTE;
const QUARTERS_A_WEEK = (7 * 1440) / QUARTER;
const FIRST = WEEKS * 7 * 1440 + SILENCE_LOOK;

/** Views of a minute. */
type ViewsOf = (minute: number) => number;

/** A year in which alarms are judged at the end of any minute. */
export interface JudgedYear {
  /** What is found by the views of the minutes before. */
  at(minute: number, viewsOf: ViewsOf, how: Judging): Finding | undefined;
  /** Views an hour that are usual at a minute. */
  usualAt(minute: number): number;
  year: SimulatedYear;
}

export function judgedYear(year: SimulatedYear): JudgedYear {
  const quarters = new Map<number, number>();
  const firstQuarter = BEGIN / MINUTE / QUARTER;
  for (const [minute, count] of year.views.entries()) {
    const quarter = firstQuarter + Math.floor(minute / QUARTER);
    quarters.set(quarter, (quarters.get(quarter) ?? 0) + count);
  }
  let cached: { quarter: number; curve: Curve } | undefined;
  const curveAt = (minute: number): Curve => {
    const quarter = Math.floor(minute / QUARTER);
    if (cached?.quarter !== quarter) {
      const curve = createCurve(quartersUpTo(firstQuarter + quarter), quarters);
      if (curve === undefined) throw new Error('A week without traffic was simulated.');
      cached = { quarter, curve };
    }
    return cached.curve;
  };
  return {
    year,
    usualAt(minute) {
      const now = BEGIN + minute * MINUTE;
      return curveAt(minute - 1).between(now - 60 * MINUTE, now).median;
    },
    at(minute, viewsOf, how) {
      const now = BEGIN + minute * MINUTE;
      const ages: number[] = [];
      for (let age = 0; age < LOOK; age++) ages.push(viewsOf(minute - 1 - age));
      let last = ages.findIndex((count) => count > 0);
      for (let age = LOOK; last < 0 && age < SILENCE_LOOK; age++) if (viewsOf(minute - 1 - age) > 0) last = age;
      const lastView = last < 0 ? undefined : now - (last + 1 / (viewsOf(minute - 1 - last) + 1)) * MINUTE;
      return judge({ now, ages, lastView, knownSince: BEGIN }, curveAt(minute - 1), how);
    },
  };
}

/** As `quartersFor`, of UTC, whose clock never changes. */
function quartersUpTo(last: number): QuarterOfWeeks[] {
  return Array.from({ length: LOOK / QUARTER + 5 }, (_, at) => {
    const quarter = last + 2 - at;
    return { quarter, before: Array.from({ length: WEEKS }, (_, week) => quarter - (week + 1) * QUARTERS_A_WEEK) };
  });
}

/** Alarms of the weeks after the first eight, in which nothing was planted. */
export function falseAlarms({ at, year }: JudgedYear, minimum: number, weeks = DAYS / 7 - WEEKS - 1) {
  const raised: Raised[] = [];
  const end = FIRST + weeks * 7 * 1440;
  for (let minute = FIRST; minute < end; minute++) {
    const how = { minimum, isSecond: isSecond(BEGIN + minute * MINUTE, raised) };
    const found = at(minute, (one) => year.views[one]!, how);
    if (found && isNews(found, raised)) raised.push({ kind: found.kind, at: found.end });
  }
  const byWeek = new Array<number>(weeks).fill(0);
  for (const one of raised) byWeek[Math.floor(((one.at - BEGIN) / MINUTE - FIRST) / (7 * 1440))]! += 1;
  return { raised, weeks, most: Math.max(...byWeek) };
}

export interface Planted {
  kind: 'spike' | 'silent';
  /** Views are so many times what they would be. 0: a silence. */
  factor: number;
  /** Usual views an hour, at least and below. */
  least: number;
  below: number;
  runs: number;
}

export interface Found {
  /** Minutes until it was found; undefined: not within ten. */
  minutes: number | undefined;
  /** Within five minutes it is found by someone who knows the mean of every minute, and how minutes scatter. */
  isAttainable: boolean;
}

/** Events that are planted at random minutes, as they are found. */
export function plant(judged: JudgedYear, { kind, factor, least, below, runs }: Planted, minimum: number): Found[] {
  const random = seeded(`plant ${kind} ${factor} ${least}`);
  const { views, means } = judged.year;
  const found: Found[] = [];
  for (let tries = 0; found.length < runs && tries < runs * 50; tries++) {
    const start = FIRST + Math.floor(random() * (views.length - FIRST - 10));
    const usual = judged.usualAt(start);
    if (usual < least || usual >= below) continue;
    const planted = Array.from({ length: 10 }, (_, minute) =>
      factor === 0 ? 0 : draw(random, means[start + minute]! * factor),
    );
    const within: ViewsOf = (minute) => (minute < start ? views[minute]! : planted[minute - start]!);
    const of = means.slice(start, start + 5);
    found.push({
      minutes: minutesUntil(judged, within, { start, kind, minimum }),
      isAttainable:
        kind === 'silent' ? logOfNone(of) < Math.log(SILENCES_A_WEEK / (168 * usual)) : isSeen(planted.slice(0, 5), of),
    });
  }
  return found;
}

/** As the detector allows itself. */
const SILENCES_A_WEEK = 0.1;
const RARE = Math.log(6e-6);
const SCATTER = MINUTE_SPREAD ** 2;

/** Logarithm of the probability of no view in minutes with these means. */
const logOfNone = (means: readonly number[]): number =>
  -means.reduce((sum, mean) => sum + Math.log1p(SCATTER * mean) / SCATTER, 0);

/** Whether some of the last minutes have more views than usual traffic with these means ever has. */
function isSeen(views: readonly number[], means: readonly number[]): boolean {
  return views.some((_, from) => {
    const sum = (counts: readonly number[]) => counts.slice(from).reduce((all, one) => all + one, 0);
    const [count, mean] = [sum(views), sum(means)];
    return count > mean && logAtLeast(count, { mean, variance: SCATTER / (views.length - from) }) <= RARE;
  });
}

function minutesUntil(
  judged: JudgedYear,
  viewsOf: ViewsOf,
  { start, kind, minimum }: { start: number; kind: Planted['kind']; minimum: number },
): number | undefined {
  for (let minute = 1; minute <= 10; minute++)
    if (judged.at(start + minute, viewsOf, { minimum, isSecond: false })?.kind === kind) return minute;
  return undefined;
}
