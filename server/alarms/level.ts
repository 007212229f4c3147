// How the traffic of a site compares with what is usual, and how sure that is. Pure.
//
// The level, by which usual views are multiplied, is filtered from steps of five minutes: a gamma distribution that
// each step widens, because levels drift, and whose views narrow it, as it is conjugate to Poisson counts. Where many
// views come, the last half hour weighs most; where few come, hours do. Views scatter more than a Poisson distribution,
// and by how much is measured on how far each step was from what the filter expected of it.
import { MINUTE } from '../durations.ts';

/** Usual and real views of `STEP_MS`. */
export interface Step {
  usual: number;
  views: number;
}

export interface Level {
  /** Views are so many times the usual ones. */
  mean: number;
  /** Relative variance of the mean, at the end of the last step. */
  variance: number;
  /** Relative variance of the views of a minute around their mean, beside that of a Poisson distribution. */
  scatter: number;
}

export const STEP_MS = 5 * MINUTE;
const STEP_MINUTES = STEP_MS / MINUTE;

/** Relative variance that drifting adds to a level in a minute: 13 % in half an hour, 17 % in an hour. */
export const DRIFT = 0.0005;
/** Views that say, before the first step, that the level is 1. */
const PRIOR = 10;
/** Scatter that is taken before any is measured: 12 % of five minutes. As many steps outweigh it. */
const SCATTER = 0.075;
const GUESS_STEPS = 24;
/** A burst says little of the scatter of other times. */
const MOST_BEYOND = 0.5;
const LEAST_SCATTER = 0.01;
/** Expected views of a step whose difference says half as much of the scatter as that of many. */
const FEW = 4;

/** @param steps The earliest first. */
export function levelAfter(steps: readonly Step[]): Level {
  let [views, usual] = [PRIOR, PRIOR];
  let [beyond, weight] = [GUESS_STEPS * SCATTER, GUESS_STEPS];
  let scatter = SCATTER;
  for (const step of steps) {
    const kept = 1 / (1 + DRIFT * STEP_MINUTES * views);
    [views, usual] = [views * kept, usual * kept];
    const expected = (step.usual * views) / usual;
    if (expected <= 0) continue;
    const excess = (step.views - expected) ** 2 - expected - expected ** 2 / views;
    const says = expected / (expected + FEW);
    beyond += says * Math.min(excess / expected ** 2, MOST_BEYOND) * STEP_MINUTES;
    weight += says;
    scatter = Math.max(LEAST_SCATTER, beyond / weight);
    // Of what scatters, fewer views say the same.
    const share = 1 / (1 + (scatter / STEP_MINUTES) * expected);
    [views, usual] = [views + step.views * share, usual + step.usual * share];
  }
  return { mean: views / usual, variance: 1 / views, scatter };
}
