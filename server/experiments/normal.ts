// The standard normal distribution.

/** log √(2π) */
const LOG_ROOT_TWO_PI = 0.9189385332046728;
/** Beyond it the probability is 0 or 1 within the precision of a double. */
const FARTHEST = 8.3;

/**
 * Probability that a standard normal value is below `z`, within 1e-15.
 * Source: G. Marsaglia, Evaluating the Normal Distribution, Journal of Statistical Software 11(4), 2004.
 */
export function normalCdf(z: number): number {
  if (z > FARTHEST) return 1;
  if (z < -FARTHEST) return 0;
  const square = z * z;
  let term = z;
  let sum = z;
  for (let odd = 3, before = 0; sum !== before; odd += 2) {
    before = sum;
    term *= square / odd;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-square / 2 - LOG_ROOT_TWO_PI);
}

/**
 * The smallest value in a range where a rising condition holds, by bisection.
 * @param holds False below some value, true from there on; true at `high`.
 */
export function firstWhere(holds: (value: number) => boolean, low: number, high: number): number {
  let [below, above] = [low, high];
  while (above - below > 1e-9 * Math.max(1, Math.abs(above))) {
    const middle = (below + above) / 2;
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}
