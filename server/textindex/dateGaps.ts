// How much it says that two posts of a site came out close to one another: how many times as often posts that are close
// in words are so far apart as any two posts of the site are. On one site posts of the same day are thirteen times as
// likely to belong together, on another seventy times. Learned from the posts alone, without readers.
//
//   const gaps = learnDateGaps({ close, dates });      gaps.logRatio(30)     ≤ 0: the log of the ratio, against 0 days

import { at } from '../at.ts';
import { DAY } from '../durations.ts';

/** Buckets of days apart, in equal steps of log(1 + days × 4): the first ones are hours, the last ones years. */
const BUCKETS = 32;
const STEPS = 2;
const PARTS_OF_A_DAY = 4;
/** What is supposed of a site of which nothing is known yet: (1 + days / 30)^−⅔. */
const USUAL_DAYS = 30;
const USUAL_POWER = 2 / 3;
/** It counts in each bucket as much as so many pairs of posts. */
const SUPPOSED_PAIRS = 4;
/** Dates that stand for all of a site. */
const SAMPLE = 1024;

const bucketOf = (days: number): number => Math.min(STEPS * Math.log2(1 + PARTS_OF_A_DAY * days), BUCKETS - 1);
const daysAt = (bucket: number): number => (2 ** (bucket / STEPS) - 1) / PARTS_OF_A_DAY;
const usualLog = (days: number): number => -USUAL_POWER * Math.log(1 + days / USUAL_DAYS);

export class DateGaps {
  /** Log of the ratio in the middle of each bucket, never rising; undefined: nothing is known of the site. */
  readonly logs: readonly number[] | undefined;

  constructor(logs?: readonly number[]) {
    this.logs = logs;
  }

  /** @param days Not negative. @returns At most 0, and never more for more days. */
  logRatio(days: number): number {
    const { logs } = this;
    if (!logs) return usualLog(days);
    const place = bucketOf(days) - 0.5;
    const below = Math.floor(place);
    if (below < 0) return 0;
    const from = at(logs, below);
    const to = at(logs, Math.min(below + 1, BUCKETS - 1));
    return from + (place - below) * (to - from) - at(logs, 0);
  }
}

/**
 * @param of.close Days between posts that are close in words.
 * @param of.dates Publication dates of posts of the site, epoch milliseconds.
 */
export function learnDateGaps({ close, dates }: { close: readonly number[]; dates: readonly number[] }): DateGaps {
  const random = randomShares(dates);
  const counts = new Float64Array(BUCKETS);
  for (const days of close) {
    const bucket = Math.floor(bucketOf(days));
    counts[bucket] = at(counts, bucket) + 1;
  }
  const usual = counts.map((_, bucket) => Math.exp(usualLog(daysAt(bucket + 0.5))));
  // As a ratio of two distributions it is 1 on the mean.
  const mean = usual.reduce((sum, ratio, bucket) => sum + ratio * at(random, bucket), 0) || 1;
  // A bucket's count is Poisson's, what is supposed of its ratio a gamma distribution: few pairs change little.
  const weights = random.map((share, bucket) => close.length * share + (SUPPOSED_PAIRS * mean) / at(usual, bucket));
  const ratios = counts.map((count, bucket) => (count + SUPPOSED_PAIRS) / at(weights, bucket));
  return new DateGaps(Array.from(neverRising(ratios, weights), Math.log));
}

/** How often two posts of a site, taken at random, are so far apart. */
function randomShares(dates: readonly number[]): Float64Array {
  const every = Math.max(1, Math.ceil(dates.length / SAMPLE));
  const sorted = Float64Array.from(dates.filter((_, place) => place % every === 0)).sort();
  const shares = new Float64Array(BUCKETS);
  const pairs = (sorted.length * (sorted.length - 1)) / 2 || 1;
  let below = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const within = bucket === BUCKETS - 1 ? pairs : pairsWithin(sorted, daysAt(bucket + 1) * DAY);
    shares[bucket] = (within - below) / pairs;
    below = within;
  }
  return shares;
}

/** Pairs of sorted numbers that are less than this apart. */
function pairsWithin(sorted: Float64Array, gap: number): number {
  let pairs = 0;
  let first = 0;
  for (const [last, number] of sorted.entries()) {
    while (number - at(sorted, first) >= gap) first++;
    pairs += last - first;
  }
  return pairs;
}

/** The closest numbers that never rise: neighbours that do have their mean (pool adjacent violators). */
function neverRising(values: Float64Array, weights: Float64Array): number[] {
  const pools: { value: number; weight: number; size: number }[] = [];
  for (const [place, value] of values.entries()) {
    let pool = { value, weight: at(weights, place), size: 1 };
    for (let last = pools.at(-1); last && last.value < pool.value; last = pools.at(-1)) {
      const weight = last.weight + pool.weight;
      const mean = (last.value * last.weight + pool.value * pool.weight) / weight;
      pool = { value: mean, weight, size: last.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ value, size }) => new Array<number>(size).fill(value));
}
