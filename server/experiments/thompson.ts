// Thompson sampling between alternatives of one post, such as headlines: each gets as many readers as it is likely to
// be the best one. Source: W. Thompson, On the likelihood that one unknown probability exceeds another in view of the
// evidence of two samples, Biometrika 25, 1933; with decay: V. Raj, S. Kalyani, Taming non-stationary bandits: a
// Bayesian approach, 2017.

/** What is known of an alternative. */
export interface Arm {
  /** Readers it was shown to. */
  shown: number;
  /** Of these, readers whose click was a quality click. */
  successes: number;
}

/**
 * Counts after some time: old ones count less, because headlines age.
 * @param age Since the counts were as they are given; the same unit as `halfLife`.
 */
export function decayed({ shown, successes }: Arm, age: number, halfLife: number): Arm {
  const kept = 2 ** (-age / halfLife);
  return { shown: shown * kept, successes: successes * kept };
}

/** Points of the distributions that are compared. */
const POINTS = 2_000;
/** Standard deviations to both sides of the distributions that are looked at. */
const REACH = 7;

/**
 * Probability of each alternative to be the best one: its share of the next readers. Before, any rate is as likely as
 * any other: one that was hardly shown yet may be far better than the others, and is tried.
 */
export const thompsonShares = (arms: readonly Arm[]): number[] => chancesOf(arms, { a: 1, b: 1 });

/**
 * Probability of each alternative to be the best one, where nothing is tried any more. Before, each has the rate of all
 * together, with the weight of one success: one that was hardly shown is not better for that.
 * @returns undefined where none had a success.
 */
export function finalChances(arms: readonly Arm[]): number[] | undefined {
  const [shown, successes] = [sumOf(arms, 'shown'), sumOf(arms, 'successes')];
  return successes > 0 ? chancesOf(arms, { a: 1, b: Math.max(1, shown / successes - 1) }) : undefined;
}

export const sumOf = (arms: readonly Arm[], field: keyof Arm): number => arms.reduce((sum, arm) => sum + arm[field], 0);

function chancesOf(arms: readonly Arm[], prior: Beta): number[] {
  const posteriors = arms.map(({ shown, successes }) => ({
    a: prior.a + successes,
    b: prior.b + Math.max(0, shown - successes),
  }));
  const [low, high] = rangeOf(posteriors);
  const step = (high - low) / POINTS;
  const cumulated = posteriors.map((posterior) => cumulate(posterior, low, step));
  const shares = cumulated.map((own, arm) => {
    let best = 0;
    for (let point = 1; point <= POINTS; point++) {
      let others = 1;
      for (const [other, below] of cumulated.entries())
        if (other !== arm) others *= ((below[point] ?? 0) + (below[point - 1] ?? 0)) / 2;
      best += ((own[point] ?? 0) - (own[point - 1] ?? 0)) * others;
    }
    return best;
  });
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / whole);
}

interface Beta {
  a: number;
  b: number;
}

/** Where any of the distributions has weight. */
function rangeOf(posteriors: readonly Beta[]): [low: number, high: number] {
  const ends = posteriors.map(({ a, b }) => {
    const mean = a / (a + b);
    const reach = REACH * Math.sqrt((mean * (1 - mean)) / (a + b + 1)) + REACH / (a + b);
    return [Math.max(0, mean - reach), Math.min(1, mean + reach)] as const;
  });
  return [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))];
}

/** Cumulated distribution at each point, 0 to 1. */
function cumulate({ a, b }: Beta, low: number, step: number): Float64Array {
  const mode = a + b > 2 ? (a - 1) / (a + b - 2) : 0.5;
  const logDensity = (rate: number) => power(a - 1, rate) + power(b - 1, 1 - rate);
  const highest = logDensity(mode);
  const sums = new Float64Array(POINTS + 1);
  for (let point = 1; point <= POINTS; point++)
    sums[point] = (sums[point - 1] ?? 0) + Math.exp(logDensity(low + (point - 0.5) * step) - highest);
  const whole = sums[POINTS] ?? 1;
  return sums.map((sum) => sum / whole);
}

/** exponent · log(base), where 0 · log(0) is 0. */
const power = (exponent: number, base: number): number => (exponent === 0 ? 0 : exponent * Math.log(base));
