// Whether the traffic of a site is unusual for this hour, or fell silent. Pure.
//
// What is expected is what is usual for the weekday and time of day, times the level of the last hour, so that growth,
// a holiday or a good day raise no alarm. Views scatter more than a Poisson distribution does: their variance is taken
// as m + (c m)², with c from the last hour, and differences are measured on the scale on which that variance is 1.
import { HOUR, MINUTE } from '../traffic/zone.ts';
import type { Curve } from './curve.ts';
import type { Usual } from './usual.ts';

/** Page views of a site up to now. */
export interface Recent {
  /** Epoch milliseconds, up to which all views are known. */
  now: number;
  /** Views by age in whole minutes: those of the last 60 seconds first. As many as `LOOK_MS` has. */
  ages: readonly number[];
  /** Time of the last view; undefined: none is known. */
  lastView: number | undefined;
  /** No silence is counted from before: the server did not run, or its views were not in the tables. */
  knownSince: number;
}

export type TrafficAlarm = 'spike' | 'slump' | 'silent';

export interface Finding {
  kind: TrafficAlarm;
  /** What was looked at. Of a silence, from the last view on. */
  start: number;
  end: number;
  views: number;
  /** By the last hour and the time of day. */
  expected: number;
  usual: Usual;
}

/** How far back views are looked at: the longest silence that is looked for, and an hour before it. */
export const LOOK_MS = 4 * HOUR;

const SPIKE_MS = 5 * MINUTE;
const SLUMP_MS = 15 * MINUTE;
const LEVEL_MS = HOUR;
const LONGEST_SILENCE_MS = LOOK_MS - LEVEL_MS;
/** A table that is late by less is no silence. */
const SHORTEST_SILENCE_MS = 2 * MINUTE;

/**
 * Deviations on a scale where they are usually 1. With several hundred windows a day, 3 would be met every few days. A
 * slump is less urgent, and the morning of a holiday looks like one.
 */
const UNUSUAL = { spike: 3.7, slump: 4.5 } as const;
/** A smaller change is no news, however sure it is. */
const LEAST_FACTOR = 2;
/** Probability of no view at all, of natural logarithm. */
const UNBELIEVABLE = Math.log(1e-6);

/** Scatter of five minutes, and the weight of this guess beside the twelve times five minutes of the last hour. */
const SCATTER = 0.12;
const GUESS_WEIGHT = 12;
const STEP_MS = 5 * MINUTE;
/** How far the shape of an hour differs from the usual one. */
const DRIFT = 0.12;
/** Views that pull the level of the last hour towards the usual one. */
const PULL = 10;

/**
 * @param minimum Views an hour; where fewer are usual, nothing is found.
 * @returns What is found, the most serious first.
 */
export function judge(recent: Recent, curve: Curve, minimum: number): Finding | undefined {
  const { now } = recent;
  if (curve.between(now - HOUR, now).median < minimum) return undefined;
  return findSilence(recent, curve) ?? findSpike(recent, curve) ?? findSlump(recent, curve);
}

function findSilence(recent: Recent, curve: Curve): Finding | undefined {
  const { now, knownSince, lastView } = recent;
  if (lastView === undefined) return undefined;
  const start = Math.max(lastView, knownSince);
  if (now - start < SHORTEST_SILENCE_MS || now - start > LONGEST_SILENCE_MS) return undefined;
  const { level, scatter } = levelBefore(recent, curve, now - lastView);
  const usual = curve.between(start, now);
  const expected = usual.median * level;
  // Of a negative binomial distribution with this mean and variance.
  const none = -Math.log1p(scatter ** 2 * expected) / scatter ** 2;
  if (none > UNBELIEVABLE) return undefined;
  return { kind: 'silent', start: lastView, end: now, views: 0, expected, usual };
}

function findSpike(recent: Recent, curve: Curve): Finding | undefined {
  const found = look(recent, curve, SPIKE_MS);
  if (found === undefined || found.views <= found.usual.high) return undefined;
  const { expected, deviation } = compare(recent, curve, found);
  const isSpike = deviation >= UNUSUAL.spike && found.views >= LEAST_FACTOR * expected;
  return isSpike ? { kind: 'spike', ...found, expected } : undefined;
}

function findSlump(recent: Recent, curve: Curve): Finding | undefined {
  const found = look(recent, curve, SLUMP_MS);
  if (found === undefined || found.views >= found.usual.low) return undefined;
  const { expected, deviation } = compare(recent, curve, found);
  const isSlump = deviation <= -UNUSUAL.slump && found.views * LEAST_FACTOR <= expected;
  return isSlump ? { kind: 'slump', ...found, expected } : undefined;
}

type Look = Pick<Finding, 'start' | 'end' | 'views' | 'usual'>;

/** The last `window` milliseconds; undefined where they are not known whole. */
function look(recent: Recent, curve: Curve, window: number): Look | undefined {
  const [start, end] = [recent.now - window, recent.now];
  if (start < recent.knownSince) return undefined;
  return { start, end, views: viewsWithin(recent, 0, window), usual: curve.between(start, end) };
}

/** What was to be expected, and how far from it the views are. */
function compare(recent: Recent, curve: Curve, { start, end, views, usual }: Look) {
  const { level, scatter } = levelBefore(recent, curve, end - start);
  const expected = usual.median * level;
  return { expected, deviation: stabilised(views, scatter) - stabilised(expected, scatter) };
}

/** A scale on which counts with the variance m + (scatter m)² have the variance 1. */
const stabilised = (count: number, scatter: number): number =>
  (2 / scatter) * Math.asinh(scatter * Math.sqrt(count + 3 / 8));

/** Views of an age, in milliseconds, by whole minutes. */
function viewsWithin({ ages }: Recent, from: number, until: number): number {
  let sum = 0;
  for (let age = Math.ceil(from / MINUTE); age < Math.ceil(until / MINUTE); age++) sum += ages[age] ?? 0;
  return sum;
}

/** How the hour before the last `age` milliseconds compares with what is usual, and how views scatter around that. */
function levelBefore(recent: Recent, curve: Curve, age: number): { level: number; scatter: number } {
  const steps = stepsBefore(recent, curve, Math.ceil(age / MINUTE) * MINUTE);
  const sumOf = (of: (step: Step) => number) => steps.reduce((sum, step) => sum + of(step), 0);
  const views = sumOf((step) => step.views);
  const level = (views + PULL) / (sumOf(({ usual }) => usual) + PULL);
  const squares = sumOf(({ usual }) => (usual * level) ** 2);
  const beyondPoisson = sumOf((step) => (step.views - step.usual * level) ** 2 - step.usual * level);
  const observed = squares === 0 ? 0 : Math.max(0, beyondPoisson / squares);
  const own = (GUESS_WEIGHT * SCATTER ** 2 + steps.length * observed) / (GUESS_WEIGHT + steps.length);
  return { level, scatter: Math.sqrt(own + DRIFT ** 2 + 1 / (views + PULL)) };
}

interface Step {
  usual: number;
  views: number;
}

/** The hour before, in steps; those that are not known whole are left out. */
function stepsBefore(recent: Recent, curve: Curve, age: number): Step[] {
  const steps: Step[] = [];
  for (let young = age; young < age + LEVEL_MS; young += STEP_MS) {
    const [start, end] = [recent.now - young - STEP_MS, recent.now - young];
    if (start < recent.knownSince) break;
    steps.push({ usual: curve.between(start, end).median, views: viewsWithin(recent, young, young + STEP_MS) });
  }
  return steps;
}
