// Posts as vectors of weighted terms, and how close two of them are.

import type { PostIndex } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import type { TermReader } from './termReader.ts';
import { FLOOR_LENGTH, FLOOR_LENGTH_POWER, LEAD_GAIN } from './weights.ts';

/** Posts weighed between two yields. */
const POSTS_A_STEP = 8;

/** Terms to look for, each with its weight. */
export interface WeightedTerms {
  terms: Uint32Array;
  weights: Float32Array;
}

/** A post or a taste, ready to be looked for. */
export interface Probe {
  /** Its heaviest terms that other posts may have, divided by its length. */
  looked: WeightedTerms;
  /** Distinct terms, all of them. */
  distinct: number;
}

/** Terms of a probe being made, `count` of them. */
export interface Weighed {
  terms: Uint32Array;
  /** On this side of the product: √frequency × rarity. */
  weights: Float64Array;
  rarities: Float64Array;
  count: number;
}

export function weighed(room: number): Weighed {
  return { terms: new Uint32Array(room), weights: new Float64Array(room), rarities: new Float64Array(room), count: 0 };
}

const kept = weighed(1 << 14);

/** The heaviest terms of a post in the index; what it says first weighs more. Leaves the post in `asked` and `overlap`. */
export function probeOf(index: PostIndex, number: number, most: number): Probe {
  const read = index.asked.read(index.digests.place(number));
  const { terms, frequencies, count, leadTerms } = read;
  const { posts, rarities } = index.overlap.take(number, read);
  const { common } = index;
  kept.count = 0;
  for (let i = 0; i < count; i++) {
    if (posts[i]! < 2 || posts[i]! > common) continue;
    const at = kept.count++;
    kept.terms[at] = terms[i]!;
    kept.rarities[at] = rarities[i]!;
    kept.weights[at] = ROOTS[frequencies[i]!]! * rarities[i]! * (i < leadTerms ? 1 + LEAD_GAIN : 1);
  }
  return { looked: heaviest(kept, { most, length: index.catalogue.norms[number]! }), distinct: count };
}

const PLACES = 2 ** 20;
const asFloat = new Float32Array(1);
const asBits = new Uint32Array(asFloat.buffer);
let bits = new Uint32Array(0);
/** Weights alike in their first bits: as numbers without a sign, bits are in the order of what they stand for. */
const GROUP_BITS = 18;
const groups = new Uint32Array(1 << (32 - GROUP_BITS - 1));

/** The heaviest of some terms, at most 2^20 of them, heaviest first; `length` is that of the whole vector. */
export function heaviest(of: Weighed, { most, length }: { most: number; length: number }): WeightedTerms {
  const { count } = of;
  const size = Math.min(most, count);
  const order = inOrder(of, size);
  if (size < order.length) breakTie(order, { at: size, terms: of.terms });
  const terms = new Uint32Array(size);
  const weights = new Float32Array(size);
  for (let i = 0; i < size; i++) {
    const at = placeIn(order[i]!);
    terms[i] = of.terms[at]!;
    // The other side of the product, √frequency × rarity, has no rarity in the postings: it is put in here.
    weights[i] = (of.weights[at]! * of.rarities[at]!) / (length || 1);
  }
  return { terms, weights };
}

/** Places of the heaviest terms, heaviest first: of `least` and those about as heavy as the last of them. */
function inOrder({ weights, count }: Weighed, least: number): Float64Array {
  if (bits.length < count) bits = new Uint32Array(count * 2);
  groups.fill(0);
  for (let i = 0; i < count; i++) {
    asFloat[0] = weights[i]!;
    bits[i] = asBits[0]!;
    groups[bits[i]! >>> GROUP_BITS]!++;
  }
  let group = groups.length;
  let size = 0;
  while (size < least) size += groups[--group]!;
  // A weight and where it stands, as one number: such are sorted without being compared by a function.
  const order = new Float64Array(size);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (bits[i]! >>> GROUP_BITS >= group) order[at++] = bits[i]! * PLACES + (PLACES - 1 - i);
  }
  return order.sort().reverse();
}

const placeIn = (weightAndPlace: number): number => PLACES - 1 - (weightAndPlace % PLACES);

/** Which of the terms that weigh the same are within the first `at` is for their numbers to say: chance, the same each time. */
function breakTie(order: Float64Array, { at, terms }: { at: number; terms: Uint32Array }): void {
  const weightOf = (place: number) => Math.floor(order[place]! / PLACES);
  const weight = weightOf(at);
  let start = at;
  let end = at;
  while (start > 0 && weightOf(start - 1) === weight) start--;
  while (end < order.length && weightOf(end) === weight) end++;
  order.subarray(start, end).sort((a, b) => terms[placeIn(a)]! - terms[placeIn(b)]!);
}

/** Length of the vector of a post just read, over all its terms. */
export function lengthOf(index: PostIndex, { terms, frequencies, count }: TermReader): number {
  let squares = 0;
  for (let i = 0; i < count; i++) squares += frequencies[i]! * index.rarity(index.postsWith(terms[i]!)) ** 2;
  return Math.sqrt(squares);
}

/** Tells the catalogue how long the vectors of some posts are by now, in steps of a millisecond or two. */
export function* weighAll(index: PostIndex, numbers: Iterable<number>): Generator<void> {
  let weighed = 0;
  for (const number of numbers) {
    if (!index.digests.has(number)) continue;
    index.catalogue.weigh(number, lengthOf(index, index.reader.read(index.digests.place(number))));
    if (++weighed % POSTS_A_STEP === 0) yield;
  }
}

/** What a cosine with a post of so many distinct terms is multiplied by, before it is compared with a floor. */
export const evened = (distinct: number): number => Math.min(1, distinct / FLOOR_LENGTH) ** FLOOR_LENGTH_POWER;

/** Whether the cosine of two posts over all their terms is at least this. */
export function alike(index: PostIndex, { a, b, least }: { a: number; b: number; least: number }): boolean {
  // The post being asked from is known by all its terms already.
  if (index.overlap.has(a)) return index.overlap.cosine(b) >= least;
  if (index.cosineBound.isBelow(least, a, b)) return false;
  // Copies of one article come one after another, and all are compared with the one that is shown.
  if (!index.pair.has(a)) index.pair.takeLightly(a);
  return index.pair.reaches(b, least);
}
