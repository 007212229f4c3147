// A rate, such as clicks of a list, where readers are assigned, not lists: lists of one reader are alike, so the spread
// between readers counts. Delta method: A. Deng, U. Knoblich, J. Lu, Applying the Delta Method in Metric Analytics, KDD
// 2018.

/** Sums over the readers of a variant, of what is counted (`x`) and what it is divided by (`y`), of each reader. */
export interface RatioSums {
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
}

export const NOTHING: RatioSums = { x: 0, y: 0, xx: 0, xy: 0, yy: 0 };

/** Adds one reader. */
export function addReader(sums: RatioSums, x: number, y: number): void {
  sums.x += x;
  sums.y += y;
  sums.xx += x * x;
  sums.xy += x * y;
  sums.yy += y * y;
}

/** 0 where there is nothing to divide by. */
export const rateOf = ({ x, y }: RatioSums): number => (y > 0 ? x / y : 0);

/** What is known of one variant. */
export interface Sample {
  readers: number;
  sums: RatioSums;
}

/**
 * Standard error of the difference of two rates, as it is where there is none: readers of both variants say how far
 * readers spread, since few clicks of a small variant say too little of it.
 * @returns Infinity where readers are too few to say.
 */
export function differenceError(one: Sample, other: Sample): number {
  const readers = one.readers + other.readers;
  const [a, b] = [one.sums, other.sums];
  if (a.y <= 0 || b.y <= 0 || readers < 3) return Number.POSITIVE_INFINITY;
  const rate = (a.x + b.x) / (a.y + b.y);
  const spread = (squaresAround(rate, a) + squaresAround(rate, b)) / (readers - 2);
  return Math.sqrt(spread * (one.readers / (a.y * a.y) + other.readers / (b.y * b.y)));
}

/** Sum of the squares of x - rate · y. */
const squaresAround = (rate: number, { xx, xy, yy }: RatioSums): number =>
  Math.max(0, xx - 2 * rate * xy + rate * rate * yy);
