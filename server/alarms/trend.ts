// Whether a post gains or loses readers beside its own last hour. Pure.
import type { Trend } from '../contract/now.ts';

/** Deviations of a Poisson distribution. A dozen posts are looked at every few seconds: smaller ones are chance. */
const NOTABLE = 2;

/** @param course Readers of windows of one length, the newest last. */
export function trendOf(course: readonly number[]): Trend {
  const before = course.slice(0, -1);
  if (before.length === 0) return 'steady';
  const mean = before.reduce((sum, readers) => sum + readers, 0) / before.length;
  const deviation = 2 * (root(course.at(-1)!) - root(mean));
  if (Math.abs(deviation) < NOTABLE) return 'steady';
  return deviation > 0 ? 'gaining' : 'losing';
}

/** On this scale counts have the variance 1/4, however many they are. */
const root = (count: number): number => Math.sqrt(count + 3 / 8);
