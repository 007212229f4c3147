// Posts as vectors of weighted terms, and what is compared with them.

import type { PostIndex, WeightedTerms } from './postIndex.ts';
import { ROOTS } from './postIndex.ts';

/** A post or a taste, ready to be looked for. */
export interface Probe {
  /** Its heaviest terms that other posts may have, divided by its length: sums of products are cosines × length of the other. */
  looked: WeightedTerms;
  /** Distinct terms, all of them. */
  distinct: number;
}

/** The heaviest terms of a post in the index. */
export function probeOf(index: PostIndex, number: number, most: number): Probe {
  const { terms, frequencies, count } = index.reader.read(index.catalogue.digests[number]!);
  const { common } = index;
  const kept: { term: number; weight: number; rarity: number }[] = [];
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const posts = index.postsWith(terms[i]!);
    const rarity = index.rarity(posts);
    const weight = ROOTS[frequencies[i]!]! * rarity;
    squares += weight * weight;
    if (posts > 1 && posts <= common) kept.push({ term: terms[i]!, weight, rarity });
  }
  return { looked: heaviest(kept, { most, length: Math.sqrt(squares) }), distinct: count };
}

function heaviest(
  kept: { term: number; weight: number; rarity: number }[],
  { most, length }: { most: number; length: number },
): WeightedTerms {
  kept.sort((a, b) => b.weight - a.weight || a.term - b.term);
  const top = kept.slice(0, most);
  return {
    terms: Uint32Array.from(top, ({ term }) => term),
    // The other post's side of the product, √frequency × rarity, lacks its rarity in the postings: it is put in here.
    weights: Float32Array.from(top, ({ weight, rarity }) => (weight * rarity) / length),
  };
}

/** What a visitor likes: the posts read, newest first, each weighing `decay` times the one before. */
export function tasteOf(
  index: PostIndex,
  read: readonly number[],
  { decay, most }: { decay: number; most: number },
): Probe {
  const sum = new Map<number, { term: number; weight: number; rarity: number }>();
  let share = 1;
  for (const number of read) {
    const { terms, frequencies, count } = index.reader.read(index.catalogue.digests[number]!);
    const norm = index.catalogue.norms[number]! || 1;
    for (let i = 0; i < count; i++) {
      const posts = index.postsWith(terms[i]!);
      if (posts < 2 || posts > index.common) continue;
      const rarity = index.rarity(posts);
      const weight = (share * ROOTS[frequencies[i]!]! * rarity) / norm;
      const known = sum.get(terms[i]!);
      if (known) known.weight += weight;
      else sum.set(terms[i]!, { term: terms[i]!, weight, rarity });
    }
    share *= decay;
  }
  const kept = [...sum.values()];
  const length = Math.sqrt(kept.reduce((squares, { weight }) => squares + weight * weight, 0)) || 1;
  return { looked: heaviest(kept, { most, length }), distinct: kept.length };
}

/** Cosine of two posts over all their terms: 1 for the same words. */
export function cosine(index: PostIndex, a: number, b: number): number {
  const { catalogue, reader } = index;
  const first = reader.read(catalogue.digests[a]!);
  const weights = new Map<number, number>();
  for (let i = 0; i < first.count; i++) weights.set(first.terms[i]!, ROOTS[first.frequencies[i]!]!);
  const second = reader.read(catalogue.digests[b]!);
  let sum = 0;
  for (let i = 0; i < second.count; i++) {
    const weight = weights.get(second.terms[i]!);
    if (weight === undefined) continue;
    sum += weight * ROOTS[second.frequencies[i]!]! * index.rarity(index.postsWith(second.terms[i]!)) ** 2;
  }
  return sum / (catalogue.norms[a]! * catalogue.norms[b]! || 1);
}
