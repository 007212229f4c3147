// Closeness in words: a cosine, from sums of products that the inverted index adds up.

import type { PostIndex } from '../textindex/postIndex.ts';
import { float32At } from '../textindex/typedReads.ts';
import type { QueryVector } from './queryVector.ts';
import type { Workspace } from './workspace.ts';

/** Closeness of posts to a visitor's taste, by number, and of the closest of all. The sums lie in the workspace. */
export function closenesses(
  index: PostIndex,
  { tasteSums }: Workspace,
  vector: QueryVector,
): { of: (number: number) => number; most: number } {
  const { size, divisors } = index.catalogue;
  const sums = index.score(vector.heaviest, tasteSums.of(size));
  const most = mostOf(sums, divisors, size);
  return { of: (number) => closeness(float32At(sums, number), float32At(divisors, number)), most };
}

/** How close the closest of all is. */
function mostOf(sums: Float32Array, divisors: Float32Array, size: number): number {
  let most = 0;
  for (let number = 0; number < size; number++) {
    // Multiplied, because to divide takes longer, and hardly any post is closer than all before it.
    const sum = sums[number]!;
    const divisor = divisors[number]!;
    if (sum > most * divisor) most = Math.max(most, closeness(sum, divisor));
  }
  return most;
}

/** The cosine that a sum of products stands for; 0 for posts without words, whose length is 0. */
export const closeness = (sum: number, divisor: number): number => (divisor > 0 ? Math.fround(sum / divisor) : 0);
