// Query vectors: the weighted terms that candidates are generated from.

import type { PostIndex } from '../textindex/postIndex.ts';
import { rootOf, type TermVector } from '../textindex/postings.ts';
import { float32At, float64At, uint8At, uint32At } from '../textindex/typedReads.ts';
import { LEAD_GAIN, SHORT_POWER, SHORT_TERMS } from './weights.ts';
import type { Workspace } from './workspace.ts';

/** A post or a visitor's taste, as a vector. */
export interface QueryVector {
  /** Its heaviest terms that other posts may have, divided by its length. */
  heaviest: TermVector;
  /** Distinct terms, all of them. */
  distinct: number;
}

/**
 * The heaviest terms of a post in the index; the terms of its lead weigh more. The post stays in the workspace's
 * `source` and `overlap` until the next query.
 * @param of.most Terms at most.
 */
export function vectorOfPost(
  index: PostIndex,
  { source, overlap, weighed }: Workspace,
  { post, most }: { post: number; most: number },
): QueryVector {
  const read = source.read(index.post(post));
  const { terms, frequencies, count, leadTerms } = read;
  const { posts, rarities } = overlap.take(index, { post, read });
  const { common } = index.statistics;
  weighed.count = 0;
  for (let i = 0; i < count; i++) {
    const often = uint32At(posts, i);
    if (often < 2 || often > common) continue;
    const at = weighed.count++;
    const rarity = float64At(rarities, i);
    weighed.terms[at] = uint32At(terms, i);
    weighed.rarities[at] = rarity;
    weighed.weights[at] = rootOf(uint8At(frequencies, i)) * rarity * (i < leadTerms ? 1 + LEAD_GAIN : 1);
  }
  return { heaviest: weighed.heaviest({ most, length: float32At(index.catalogue.norms, post) }), distinct: count };
}

/** What a cosine with a post of so many distinct terms is multiplied by, before it is compared with a floor. */
export const lengthCorrection = (distinct: number): number => Math.min(1, distinct / SHORT_TERMS) ** SHORT_POWER;
