// Whether the traffic of a site is unusual for this hour, or fell silent. Pure.
//
// What is expected is what is usual for the weekday and time of day, times the level of the hours before, so that
// growth, a holiday or a good day raise no alarm. Counts around it have a negative binomial distribution, and what is
// found is so rare in it that usual traffic seldom has it in a week.
import { HOUR, MINUTE, QUARTER } from '../durations.ts';
import type { Curve } from './curve.ts';
import { DRIFT, type Level, levelAfter, STEP_MS, type Step } from './level.ts';
import { type Counts, logAtLeast, logAtMost } from './negativeBinomial.ts';
import type { Usual } from './usual.ts';

/** Page views of a site up to now. */
export interface Recent {
  /** Epoch milliseconds, up to which all views are known. */
  now: number;
  /** Views by age in whole minutes: those of the last 60 seconds first. As many as `LOOK_MS` has. */
  ages: readonly number[];
  /** Time of the last view within `SILENCE_LOOK_MS`; undefined: there is none. */
  lastView: number | undefined;
  /** No silence is counted from before: the server did not run, or its views were not in the tables. */
  knownSince: number;
}

export interface Judging {
  /** Views an hour; where fewer are usual, nothing is found. */
  minimum: number;
  /** An alarm was raised within the last week: another one has to be surer, so that seldom two of a week are false. */
  isSecond: boolean;
}

export type TrafficAlarm = 'spike' | 'slump' | 'silent';

export interface Finding {
  kind: TrafficAlarm;
  /** What was looked at. Of a silence, from the last view on. */
  start: number;
  end: number;
  /** Of a silence: views that came between the last one and this time are not known. Absent: all are known. */
  knownSince?: number;
  views: number;
  /** By the last hours and the time of day; of a silence, in its last `SILENCE_COUNTED_MS`. */
  expected: number;
  usual: Usual;
  /** Weeks that say what is usual. */
  weeks: number;
}

/** How far back views are looked at: the part of a silence that is counted, and an hour before it. */
export const LOOK_MS = 4 * HOUR;
/** How far back the last view is looked for: the tag may break in the night, or while alarms are held back. */
export const SILENCE_LOOK_MS = 26 * HOUR;
/** What was expected is counted in so much of a silence, its end. */
export const SILENCE_COUNTED_MS = LOOK_MS - HOUR;

const SPIKE_MS = 5 * MINUTE;
const SLUMP_MS = 15 * MINUTE;
/** A table that is late by less is no silence. */
const SHORTEST_SILENCE_MS = 2 * MINUTE;
const HOURS_A_WEEK = 168;

/** Thresholds for the first alarm of a week, and for another one. */
const UNUSUAL = {
  first: {
    /** Probability of a count or one farther from what is expected. */
    probability: Math.log(6e-6),
    /** A smaller change is no news, however sure it is. */
    spike: 2.15,
    slump: 2,
    /** Silences of usual traffic in a week. */
    silences: 0.1,
  },
  second: { probability: Math.log(1.5e-8), spike: 3, slump: 3, silences: 0.01 },
} as const;
type Unusual = (typeof UNUSUAL)[keyof typeof UNUSUAL];

/** Relative variance of usual views, for one view a quarter of an hour and one week: of a median of smoothed counts. */
const USUAL_VARIANCE = 0.6;

/** @returns What is found, the most serious first. */
export function judge(recent: Recent, curve: Curve, { minimum, isSecond }: Judging): Finding | undefined {
  const hourly = curve.between(recent.now - HOUR, recent.now).median;
  if (hourly < minimum) return undefined;
  const unusual = isSecond ? UNUSUAL.second : UNUSUAL.first;
  return (
    findSilence(recent, curve, Math.log(unusual.silences / (HOURS_A_WEEK * hourly))) ??
    findSpike(recent, curve, unusual) ??
    findSlump(recent, curve, unusual)
  );
}

/** @param probability Natural logarithm: after each view, a silence is as rare as this. */
function findSilence(recent: Recent, curve: Curve, probability: number): Finding | undefined {
  const { now, knownSince, lastView } = recent;
  if (lastView === undefined) return undefined;
  const start = Math.max(lastView, knownSince, now - SILENCE_COUNTED_MS);
  if (now - start < SHORTEST_SILENCE_MS) return undefined;
  const level = levelBefore(recent, curve, now - lastView);
  const usual = curve.between(start, now);
  const expected = usual.median * level.mean;
  if (logOfNone(expected, (now - start) / MINUTE, level) > probability) return undefined;
  const gap = knownSince > lastView && { knownSince };
  return { kind: 'silent', start: lastView, end: now, ...gap, views: 0, expected, usual, weeks: curve.weeks };
}

/** Logarithm of the probability of no view: minutes scatter each for itself, the level is the same for all of them. */
function logOfNone(expected: number, minutes: number, { variance, scatter }: Level): number {
  const given = (minutes / scatter) * Math.log1p((scatter * expected) / minutes);
  const unsure = variance + DRIFT * minutes;
  return -Math.log1p(unsure * given) / unsure;
}

function findSpike(recent: Recent, curve: Curve, { probability, spike }: Unusual): Finding | undefined {
  const found = look(recent, curve, SPIKE_MS);
  if (found === undefined || found.views <= found.usual.high) return undefined;
  const counts = expectedIn(recent, curve, found);
  const isSpike = found.views >= spike * counts.mean && logAtLeast(found.views, counts) <= probability;
  return isSpike ? { kind: 'spike', ...found, expected: counts.mean } : undefined;
}

function findSlump(recent: Recent, curve: Curve, { probability, slump }: Unusual): Finding | undefined {
  const found = look(recent, curve, SLUMP_MS);
  if (found === undefined || found.views >= found.usual.low) return undefined;
  const counts = expectedIn(recent, curve, found);
  const isSlump = found.views * slump <= counts.mean && logAtMost(found.views, counts) <= probability;
  return isSlump ? { kind: 'slump', ...found, expected: counts.mean } : undefined;
}

type Look = Pick<Finding, 'start' | 'end' | 'views' | 'usual' | 'weeks'>;

/** The last `window` milliseconds; undefined where they are not known whole. */
function look(recent: Recent, curve: Curve, window: number): Look | undefined {
  const [start, end] = [recent.now - window, recent.now];
  if (start < recent.knownSince) return undefined;
  return { start, end, views: viewsWithin(recent, 0, window), usual: curve.between(start, end), weeks: curve.weeks };
}

/** What was to be expected, and how surely. */
function expectedIn(recent: Recent, curve: Curve, { start, end, usual }: Look): Counts {
  const { mean, variance, scatter } = levelBefore(recent, curve, end - start);
  const minutes = (end - start) / MINUTE;
  const aQuarter = (usual.median * QUARTER) / (end - start);
  const ofUsual = USUAL_VARIANCE / (curve.weeks * Math.max(aQuarter, 1));
  return { mean: usual.median * mean, variance: variance + DRIFT * minutes + scatter / minutes + ofUsual };
}

/** Views of an age, in milliseconds, by whole minutes. */
function viewsWithin({ ages }: Recent, from: number, until: number): number {
  let sum = 0;
  for (let age = Math.ceil(from / MINUTE); age < Math.ceil(until / MINUTE); age++) sum += ages[age] ?? 0;
  return sum;
}

/** The level before the last `age` milliseconds, by all steps that are known whole. */
function levelBefore(recent: Recent, curve: Curve, age: number): Level {
  const steps: Step[] = [];
  for (let young = Math.ceil(age / MINUTE) * MINUTE; young + STEP_MS <= LOOK_MS; young += STEP_MS) {
    const [start, end] = [recent.now - young - STEP_MS, recent.now - young];
    if (start < recent.knownSince) break;
    steps.push({ usual: curve.between(start, end).median, views: viewsWithin(recent, young, young + STEP_MS) });
  }
  return levelAfter(steps.reverse());
}
