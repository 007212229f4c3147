// First two calls: posts close enough to what is looked for, and of those the ones that may be shown.

import type { Allows } from './allowed.ts';
import { best } from './best.ts';
import type { PostIndex } from './postIndex.ts';
import type { Asked } from './understand.ts';
import { evened, type Probe } from './vectors.ts';
import {
  CANDIDATE_FLOOR,
  CANDIDATES,
  CLOSEST,
  RELEVANCE_FLOOR,
  SURE_FLOOR,
  TASTE_FLOOR,
  TASTE_LENGTH_POWER,
  VOUCHING,
} from './weights.ts';

/** Numbers of posts with a score each; `count` of them. */
export interface Scored {
  numbers: Uint32Array;
  scores: Float32Array | Float64Array;
  count: number;
}

/** What was found for a question; the scores say how close the posts are in words. */
export interface Found extends Scored {
  /** How close the closest was before any was left out: what is measured against it does not change with a filter. */
  closest: number;
  /** Whether what is asked from has company at the site, whatever a filter lets through. */
  belongs: boolean;
}

/** Where there is nothing to go by; other readers may know something all the same. */
const NOTHING: Found = {
  numbers: new Uint32Array(0),
  scores: new Float32Array(0),
  count: 0,
  closest: 0,
  belongs: true,
};

/** Reused from question to question: arrays made for each would be work for the garbage collector, which all wait for. */
let numbers = new Uint32Array(0);
let scores = new Float32Array(0);

/**
 * Every post that shares enough terms with the probe to be looked at, with how close it is, in no order. Good until the next
 * question. No filter is asked here: what a post is worth must not hang on which others may be shown.
 */
export function candidates(index: PostIndex, asked: Asked): Found {
  const { post, read, probe } = asked;
  if (!probe) return NOTHING;
  const { size, norms, divisors } = index.catalogue;
  const sums = index.addUp(probe.looked);
  const floor =
    post >= 0 ? CANDIDATE_FLOOR / evened(probe.distinct) : TASTE_FLOOR / probe.distinct ** TASTE_LENGTH_POWER;
  if (numbers.length < size) {
    numbers = new Uint32Array(Math.ceil(size * 1.25));
    scores = new Float32Array(numbers.length);
  }
  const count = listedOf(index, post, gather(sums, { norms, floor, size, into: numbers }));
  const found: Found = { numbers, scores, count, closest: 0, belongs: false };
  judge(found, sums, divisors);
  if (count > CANDIDATES) found.count = keepClosest(found, CANDIDATES);
  for (let i = 0; i < found.count; i++) {
    const score = found.scores[i]!;
    // Visits are closest to the taste they make.
    if (score > found.closest && !read.includes(found.numbers[i]!)) found.closest = score;
  }
  found.belongs = belongs(index, found, asked);
  return found;
}

/** Of those gathered, the ones that may be shown to anybody at all; the post being read is not among them. */
function listedOf({ catalogue }: PostIndex, post: number, count: number): number {
  const { listed } = catalogue;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const number = numbers[i]!;
    numbers[kept] = number;
    if (listed[number] === 1 && number !== post) kept++;
  }
  return kept;
}

/** Scores alike in their first bits: numbers without a sign are in the order of their bits. */
const GROUP_BITS = 16;
const groups = new Uint32Array(1 << (32 - GROUP_BITS - 1));

/** Leaves the `most` closest, or of those that are about as close as the last of them the ones that came first. */
function keepClosest({ count }: Scored, most: number): number {
  const bits = new Uint32Array(scores.buffer);
  groups.fill(0);
  for (let i = 0; i < count; i++) groups[bits[i]! >>> GROUP_BITS]!++;
  let group = groups.length;
  let sure = 0;
  while (sure + groups[group - 1]! <= most) sure += groups[--group]!;
  let room = most - sure;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const mine = bits[i]! >>> GROUP_BITS;
    if (mine < group && (mine < group - 1 || room-- <= 0)) continue;
    numbers[kept] = numbers[i]!;
    scores[kept++] = scores[i]!;
  }
  return kept;
}

/** One post that is clearly close, or a few that are together; of a taste nothing is asked. */
function belongs({ catalogue }: PostIndex, found: Scored, { post, closeness }: Asked): boolean {
  if (post < 0) return true;
  const { urls } = catalogue;
  const closest: number[] = [];
  for (const at of best(found, VOUCHING, (a, b) => urls[a]! < urls[b]!)) {
    closest.push(closeness(found.numbers[at]!));
    closest.sort((a, b) => b - a).splice(CLOSEST);
    if (closest[0]! >= SURE_FLOOR || closest.reduce((sum, one) => sum + one, 0) >= RELEVANCE_FLOOR) return true;
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
  // One way through all posts in their order is quicker than a list of those that were met, in the order they were.
  for (let number = 0; number < size; number++) {
    // Asked in this order the first answer is nearly always no: what can be foreseen costs nothing.
    if (sums[number]! >= floor * norms[number]! && sums[number]! > 0) into[count++] = number;
  }
  return count;
}

/** How close each of those found is. */
function judge({ numbers, scores, count }: Scored, sums: Float32Array, divisors: Float32Array): void {
  for (let i = 0; i < count; i++) scores[i] = closeness(sums[numbers[i]!]!, divisors[numbers[i]!]!);
}

/** How close the closest of all is. */
function mostOf(sums: Float32Array, divisors: Float32Array, size: number): number {
  let most = 0;
  for (let number = 0; number < size; number++) {
    // Multiplied, because to divide takes longer, and hardly any post is closer than all before it.
    if (sums[number]! > most * divisors[number]!) most = Math.max(most, closeness(sums[number]!, divisors[number]!));
  }
  return most;
}

/** How close a post is to a probe, by number, and how close the closest of all is. Good until the next post is looked for. */
export function closenesses(index: PostIndex, probe: Probe): { of: (number: number) => number; most: number } {
  const { size, divisors } = index.catalogue;
  const sums = index.addUp(probe.looked);
  const most = mostOf(sums, divisors, size);
  return { of: (number) => closeness(sums[number]!, divisors[number]!), most };
}

/** Posts without a length have no words. */
const closeness = (sum: number, divisor: number): number => (divisor > 0 ? Math.fround(sum / divisor) : 0);

/** The candidates that pass the filters. Works in place. */
export function keepAllowed(found: Found, allowed: Allows): Found {
  const { numbers, scores } = found;
  let count = 0;
  for (let i = 0; i < found.count; i++) {
    const number = numbers[i]!;
    if (!allowed(number)) continue;
    numbers[count] = number;
    scores[count] = scores[i]!;
    count++;
  }
  return { ...found, count };
}
