// An index as pieces, to be kept between two starts, and made of such pieces again. Nothing in it is a post: a post is given
// back under its old number by whoever knows that it has not changed since.
//
//   for (const piece of pieces(parts)) …                 nothing is merged meanwhile; posts may come and go
//   for (const piece of …) restore(parts, piece);

import type { Catalogue } from './catalogue.ts';
import type { Digests } from './digests.ts';
import { type Piece, piece } from './piece.ts';
import { listLength } from './postings.ts';
import type { TermCounts } from './termCounts.ts';
import type { Vocabulary } from './vocabulary.ts';

/** To be raised whenever words, digests or postings are made in another way: what was kept before is not read then. */
export const KEPT_VERSION = 1;

export interface KeptParts {
  catalogue: Catalogue;
  digests: Digests;
  vocabulary: Vocabulary;
  counts: TermCounts;
  lists: Uint8Array[];
}

export interface KeptFacts {
  version: number;
  /** Numbers of posts are below this. */
  size: number;
  builtAt: number;
  /** Terms in more posts than this have no list. */
  common: number;
}

/** @param kept Whether a post's postings are all in the main part. */
export function* pieces(parts: KeptParts, facts: KeptFacts, kept: (number: number) => boolean): Generator<Piece> {
  const { catalogue, digests, vocabulary, counts, lists } = parts;
  yield piece('index', 0, [], facts);
  const { size } = facts;
  const weights = [catalogue.norms.subarray(0, size), catalogue.divisors.subarray(0, size)];
  yield piece('weights', 0, [...weights, catalogue.prints.subarray(0, size * 2)]);
  // The words come last: what is written of posts names no word that came later.
  yield* digests.pieces(kept);
  for (const [at, { keys, posts, heads }] of counts.table.shards.entries()) {
    yield piece('terms', at, [keys, posts, heads, lists[at]!], facts.common);
  }
  yield* counts.seen.pieces();
  yield* vocabulary.pieces();
}

export function restore(parts: KeptParts, kept: Piece): void {
  const { catalogue, digests, vocabulary, counts, lists } = parts;
  if (kept.name === 'index') catalogue.reserve((kept.facts as KeptFacts).size);
  else if (kept.name === 'digests') digests.restore(kept);
  else if (kept.name === 'words') vocabulary.restore(kept);
  else if (kept.name === 'seen') counts.seen.restore(kept);
  else if (kept.name === 'weights') {
    const [norms, divisors, prints] = kept.arrays;
    catalogue.norms.set(norms!);
    catalogue.divisors.set(divisors!);
    catalogue.prints.set(prints!);
  } else if (kept.name === 'terms') {
    const [keys, posts, heads, list] = kept.arrays as [Uint32Array, Uint32Array, Uint32Array, Uint8Array];
    lists[kept.at] = list;
    // Posts that were not in the main part yet come again, and are counted again then.
    for (let slot = 0; slot < heads.length; slot++) if (heads[slot] !== 0) posts[slot] = listLength(list, heads[slot]!);
    const common = kept.facts as number;
    counts.table.restore(kept.at, { keys, posts, heads }, (slot) => heads[slot] !== 0 || posts[slot]! > common);
  }
}

/** @param waiting What is not in the main part yet. */
export function bytesOf(
  { digests, vocabulary, counts, lists }: KeptParts,
  waiting: readonly { bytes: number }[],
): Record<'digests' | 'words' | 'terms' | 'seen' | 'main' | 'tail', number> {
  return {
    digests: digests.bytes,
    words: vocabulary.bytes,
    terms: counts.bytes,
    seen: counts.seen.bytes,
    main: lists.reduce((sum, list) => sum + list.length, 0),
    tail: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
