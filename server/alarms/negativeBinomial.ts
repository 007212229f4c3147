// Tails of the negative binomial distribution: counts whose mean is not known exactly. Pure.
import { logGamma } from '../experiments/sampleRatio.ts';

/** Of counts with this mean, whose mean varies by this relative variance. */
export interface Counts {
  mean: number;
  /** Relative variance of the mean: the counts have the variance mean + variance · mean². */
  variance: number;
}

/**
 * Natural logarithm of the probability of a count or a higher one, for counts above the mean. It is that of the count
 * itself and a geometric series, whose ratio is that to the next count: ratios fall, so it is a bound from above.
 */
export function logAtLeast(count: number, { mean, variance }: Counts): number {
  const shape = 1 / variance;
  if (mean <= 0) return count > 0 ? Number.NEGATIVE_INFINITY : 0;
  const ratio = ((count + shape) / (count + 1)) * (mean / (mean + shape));
  return ratio < 1 ? logOf(count, mean, shape) - Math.log1p(-ratio) : 0;
}

/** As `logAtLeast`, of a count or a lower one, for counts below the mean. */
export function logAtMost(count: number, { mean, variance }: Counts): number {
  const shape = 1 / variance;
  if (mean <= 0) return 0;
  const ratio = (count / (count - 1 + shape)) * ((mean + shape) / mean);
  return ratio < 1 ? logOf(count, mean, shape) - Math.log1p(-ratio) : 0;
}

/** Logarithm of the probability of this very count. */
const logOf = (count: number, mean: number, shape: number): number =>
  logGamma(count + shape) -
  logGamma(shape) -
  logGamma(count + 1) -
  shape * Math.log1p(mean / shape) +
  (count === 0 ? 0 : count * Math.log(mean / (mean + shape)));
