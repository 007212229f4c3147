// Posts as vectors of weighted terms, and how close two of them are.

import type { PostIndex, WeightedTerms } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import type { TermReader } from './termReader.ts';
import { LEAD_GAIN } from './weights.ts';

/** A post or a taste, ready to be looked for. */
export interface Probe {
  /** Its heaviest terms that other posts may have, divided by its length. */
  looked: WeightedTerms;
  /** Distinct terms, all of them. */
  distinct: number;
}

/** A term of a probe being made. */
export interface Weighted {
  term: number;
  /** On this side of the product: √frequency × rarity. */
  weight: number;
  rarity: number;
}

/** The heaviest terms of a post in the index; what it says first weighs more. Leaves the post in `index.asked`. */
export function probeOf(index: PostIndex, number: number, most: number): Probe {
  const { terms, frequencies, count, leadTerms } = index.asked.read(index.digests.place(number));
  const { common } = index;
  const kept: Weighted[] = [];
  for (let i = 0; i < count; i++) {
    const posts = index.postsWith(terms[i]!);
    if (posts < 2 || posts > common) continue;
    const rarity = index.rarity(posts);
    const weight = ROOTS[frequencies[i]!]! * rarity * (i < leadTerms ? 1 + LEAD_GAIN : 1);
    kept.push({ term: terms[i]!, weight, rarity });
  }
  return { looked: heaviest(kept, { most, length: index.catalogue.norms[number]! }), distinct: count };
}

/** The heaviest of some terms; `length` is that of the whole vector. */
export function heaviest(kept: Weighted[], { most, length }: { most: number; length: number }): WeightedTerms {
  kept.sort((a, b) => b.weight - a.weight || a.term - b.term);
  const top = kept.slice(0, most);
  return {
    terms: Uint32Array.from(top, ({ term }) => term),
    // The other side of the product, √frequency × rarity, has no rarity in the postings: it is put in here.
    weights: Float32Array.from(top, ({ weight, rarity }) => (weight * rarity) / (length || 1)),
  };
}

/** Cosine of two posts over all their terms: 1 for the same words. */
export function cosine(index: PostIndex, a: number, b: number): number {
  return cosineTo(index, { post: a, read: index.compared.read(index.digests.place(a)) }, b);
}

/** As `cosine`, with one post read already, to be compared with many. */
export function cosineTo(index: PostIndex, one: { post: number; read: TermReader }, other: number): number {
  const { norms } = index.catalogue;
  const { terms, frequencies, count } = index.reader.read(index.digests.place(other));
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const at = one.read.find(terms[i]!);
    if (at < 0) continue;
    const product = ROOTS[frequencies[i]!]! * ROOTS[one.read.frequencies[at]!]!;
    sum += product * index.rarity(index.postsWith(terms[i]!)) ** 2;
  }
  return sum / (norms[one.post]! * norms[other]! || 1);
}
