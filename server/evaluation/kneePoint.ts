// The knee of a frontier: the setting that gains most of the one side for what it gives up of the other.

export interface Compared {
  mix: number;
  /** MRR@20 of the next read. */
  reciprocal: number;
}

/**
 * Both sides are measured as shares of what they span, from the page alone to the readers alone. The setting with the
 * highest sum is furthest above the straight line between the two ends; of equal ones the page's.
 * @param points From the page alone to the readers alone.
 * @param pageOf What is kept of the page.
 */
export function chooseSetting<P extends Compared>(points: readonly P[], pageOf: (point: P) => number): number {
  const reads = scaled(points.map(({ reciprocal }) => reciprocal));
  const page = scaled(points.map(pageOf));
  let best = 0;
  for (const at of points.keys()) if (reads[at]! + page[at]! > reads[best]! + page[best]! + 1e-9) best = at;
  return points[best]?.mix ?? 0;
}

/** Shares of the span from the lowest to the highest; 0 where there is none. */
function scaled(values: readonly number[]): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (high > low ? (value - low) / (high - low) : 0));
}
