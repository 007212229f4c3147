// First stage: candidate generation. Posts close enough in words to the query vector; then those that may be shown.

import { at } from '../at.ts';
import type { Scored } from '../textindex/topK.ts';
import { byAddress, topK } from '../textindex/topK.ts';
import { float32At, uint32At } from '../textindex/typedReads.ts';
import { closeness } from './closeness.ts';
import type { Filter } from './filters.ts';
import type { Query } from './query.ts';
import { lengthCorrection } from './queryVector.ts';
import type { Candidates } from './scorer.ts';
import {
  CANDIDATE_FLOOR,
  CANDIDATES,
  CLOSEST,
  LONG_POWER,
  LONG_TERMS,
  RELEVANCE_FLOOR,
  SURE_FLOOR,
  TASTE_FLOOR,
  TASTE_LENGTH_POWER,
  VOUCHING,
} from './weights.ts';

/**
 * Every post that shares enough terms with the query vector, with its closeness, in no order. They lie in the
 * workspace. No filter is applied here: a post's score must not depend on which others may be shown.
 */
export function candidates(query: Query): Candidates {
  const { index, workspace, post, read, vector, dotProducts } = query;
  const { size, norms, divisors } = index.catalogue;
  const numbers = workspace.numbers.of(size);
  const scores = workspace.scores.of(size);
  // None by words; other readers may still bring some.
  if (!vector) return { numbers, scores, count: 0, closest: 0, belongs: true };
  const floor =
    post >= 0
      ? CANDIDATE_FLOOR / lengthCorrection(vector.distinct)
      : TASTE_FLOOR / vector.distinct ** TASTE_LENGTH_POWER;
  const gathered = gather(dotProducts, { norms, floor, size, into: numbers });
  const found: Candidates = {
    numbers,
    scores,
    count: keepListed(query, numbers, gathered),
    closest: 0,
    belongs: false,
  };
  scoreAll(found, dotProducts, divisors);
  if (found.count > CANDIDATES) found.count = keepClosest(found, CANDIDATES);
  for (let i = 0; i < found.count; i++) {
    const score = float32At(scores, i);
    // Visits are closest to the taste they make.
    if (score > found.closest && !read.includes(uint32At(numbers, i))) found.closest = score;
  }
  found.belongs = belongs(query, found);
  return found;
}

/** Keeps the posts that may be shown at all; the post being read is not among them. Works in place. */
function keepListed({ index, post }: Query, numbers: Uint32Array, count: number): number {
  const { listed } = index.catalogue;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const number = uint32At(numbers, i);
    numbers[kept] = number;
    if (listed[number] === 1 && number !== post) kept++;
  }
  return kept;
}

/** Scores alike in their first bits: numbers without a sign are in the order of their bits. */
const GROUP_BITS = 16;
const GROUPS = 1 << (32 - GROUP_BITS - 1);

/** Keeps the `most` closest, or of those that are about as close as the last of them the ones that came first. */
function keepClosest({ numbers, scores, count }: Candidates, most: number): number {
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, count);
  const groups = new Uint32Array(GROUPS);
  for (const score of bits) groups[score >>> GROUP_BITS]!++;
  let group = groups.length;
  let sure = 0;
  for (let size = groups[group - 1]!; sure + size <= most; size = groups[group - 1]!) {
    sure += size;
    group--;
  }
  let room = most - sure;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const mine = uint32At(bits, i) >>> GROUP_BITS;
    if (mine < group && (mine < group - 1 || room-- <= 0)) continue;
    numbers[kept] = uint32At(numbers, i);
    scores[kept++] = float32At(scores, i);
  }
  return kept;
}

/** One post that is clearly close, or a few that are together; of a taste nothing is asked. */
function belongs({ index, post, closeness, vector }: Query, found: Scored): boolean {
  if (post < 0 || !vector) return true;
  const correction = Math.min(1, LONG_TERMS / vector.distinct) ** LONG_POWER;
  const { urls } = index.catalogue;
  const closest: number[] = [];
  for (const place of topK(found, VOUCHING, byAddress(urls))) {
    closest.push(closeness(at(found.numbers, place)) * correction);
    closest.sort((a, b) => b - a).splice(CLOSEST);
    if (Math.max(...closest) >= SURE_FLOOR || closest.reduce((sum, one) => sum + one, 0) >= RELEVANCE_FLOOR)
      return true;
  }
  return false;
}

// Loops over all posts stand in functions of their own, with nothing behind them: compiled while they run for the first
// time, they would be left for slower code at their end, at every question again.

/** Numbers of the posts whose sum reaches the floor; how many they are. */
function gather(
  sums: Float32Array,
  { norms, floor, size, into }: { norms: Float32Array; floor: number; size: number; into: Uint32Array },
): number {
  let count = 0;
  // One pass over all posts by number is quicker than a list of those that have a sum, in the order in which they got
  // it.
  for (let number = 0; number < size; number++) {
    // Asked in this order the first answer is nearly always no: what can be foreseen costs nothing.
    const sum = sums[number]!;
    if (sum >= floor * norms[number]! && sum > 0) into[count++] = number;
  }
  return count;
}

/** Closeness of each of those found. */
function scoreAll({ numbers, scores, count }: Scored, sums: Float32Array, divisors: Float32Array): void {
  for (let i = 0; i < count; i++) {
    const number = uint32At(numbers, i);
    scores[i] = closeness(float32At(sums, number), float32At(divisors, number));
  }
}

/** The candidates that pass the filters. Works in place. */
export function keepAllowed(found: Candidates, allowed: Filter): Candidates {
  const { numbers, scores } = found;
  let count = 0;
  for (let i = 0; i < found.count; i++) {
    const number = uint32At(numbers, i);
    if (!allowed(number)) continue;
    numbers[count] = number;
    scores[count] = float32At(scores, i);
    count++;
  }
  return { ...found, count };
}
