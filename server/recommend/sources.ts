// Why posts stand in an answer: for their words, or for what other readers read next.

import type { ItemSource } from '../contract/wire.ts';
import { float32At, float64At, uint32At } from '../textindex/typedReads.ts';
import type { Ranked } from './prunedTopK.ts';
import type { Query } from './query.ts';
import type { ScoredCandidates } from './scorer.ts';

/** What the larger part of each score is made of; or what brought a post that was not ranked by a score. */
export function sourcesOf(query: Query, scored: ScoredCandidates, posts: readonly Ranked[]): ItemSource[] {
  const { nextReads, dials, post } = query;
  if (!nextReads) return posts.map(({ source = 'words' }) => source);
  // Without a page, what readers say is added to the score; with one, to what the factors multiply.
  const bases = post < 0 ? undefined : basesOf(scored, posts);
  const weight = post < 0 ? 1 : dials.mix;
  return posts.map(({ number, score, source }) => {
    const whole = bases?.get(number) ?? score;
    return source ?? (2 * weight * float64At(nextReads.shares, number) > whole ? 'readers' : 'words');
  });
}

function basesOf({ numbers, scores, count }: ScoredCandidates, posts: readonly Ranked[]): Map<number, number> {
  const wanted = new Set(posts.map(({ number }) => number));
  const bases = new Map<number, number>();
  for (let place = 0; place < count; place++) {
    const number = uint32At(numbers, place);
    if (wanted.has(number)) bases.set(number, float32At(scores, place));
  }
  return bases;
}
