// Explains the rank of a post: what each part of its score contributed, and the terms that it shares with the page.
// Makes the same calls as `recommend`, one by one; requested by people, so speed matters less.

import { at } from '../at.ts';
import type { PostText } from '../textindex/forwardEntry.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { rootOf } from '../textindex/postings.ts';
import { namedTerms } from '../textindex/termNames.ts';
import { candidates, keepAllowed } from './candidates.ts';
import { createQuery } from './createQuery.ts';
import { effectOf } from './factors/factor.ts';
import { FACTORS } from './factors/index.ts';
import { createFilter } from './filters.ts';
import type { Query } from './query.ts';
import { withReaders } from './readers.ts';
import type { Recommendation, RecommendRequest } from './request.ts';
import type { ScoredCandidates } from './scorer.ts';
import { scoreOf, withScores } from './scoring.ts';
import { lesserFloor, TASTE_SHARE } from './weights.ts';
import { Workspace } from './workspace.ts';

/** What a score is made of beside the factors, with a sentence each. */
const WORDS = { name: 'words', description: 'Closeness in words.' };
const READERS = { name: 'readers', description: 'What other readers read next.' };

/** Every part of a score, in the order `explain` names them. */
export const SCORE_PARTS: readonly { name: string; description: string }[] = [WORDS, ...FACTORS, READERS];

export interface Explanation {
  url: string;
  score: number;
  /**
   * `product`: the parts multiplied are the score. `mix`: `words` and `readers` added, times the others, are. `sum`:
   * `taste` and `readers` added are. `recent`: nothing relevant was found, and what is popular or new is shown.
   * `rule`: a rule of editors pins it.
   */
  made: 'product' | 'mix' | 'sum' | 'recent' | 'rule';
  /** By name, of `SCORE_PARTS`. */
  parts: Record<string, number>;
  /** Closeness in all words, tags and authors, and the least a post must have to be shown. Absent without a `url`. */
  relevance?: { closeness: number; least: number };
  /** Words, pairs of words and tags in common, with their share of the closeness in words, the heaviest first. */
  terms: { term: string; share: number }[];
}

const MOST_TERMS = 12;

/**
 * @param ranked.posts Those that were recommended, with their scores and texts.
 * @param ranked.now Epoch milliseconds.
 * @param ranked.workspace As of `recommend`.
 */
export function explain(
  index: PostIndex,
  request: RecommendRequest,
  ranked: { posts: readonly (PostText & Recommendation)[]; now: number; workspace?: Workspace },
): Explanation[] {
  const { posts, now, workspace = new Workspace() } = ranked;
  const query = createQuery(index, request, now, workspace);
  const allowed = createFilter(index.catalogue, request.filters, { never: query.never, now });
  const scored = withScores(query, keepAllowed(withReaders(query, candidates(query)), allowed));
  const { numbers, scores, count } = scored;
  const bases = new Map(Array.from({ length: count }, (_, place) => [at(numbers, place), at(scores, place)]));
  return posts.map((post) => {
    const number = index.catalogue.find(post.url);
    if (post.source === 'editor') return { url: post.url, score: 0, made: 'rule', parts: {}, terms: [] };
    // A score of 0 says that nothing was relevant, or that the post has gone meanwhile.
    if (post.score === 0 || number < 0) return { url: post.url, score: 0, made: 'recent', parts: {}, terms: [] };
    return explained(query, { scored, number, base: bases.get(number) ?? 0 }, post);
  });
}

interface Explained {
  scored: ScoredCandidates;
  number: number;
  /** What the factors multiply: the closeness in words, or its mix with what readers say. */
  base: number;
}

function explained(query: Query, { scored, number, base }: Explained, post: PostText & Recommendation): Explanation {
  const score = scoreOf(scored.scorer, number, base);
  const terms = sharedTerms(query, number, post);
  const { nextReads, dials } = query;
  if (query.post < 0) {
    const alone = withScores({ ...query, nextReads: undefined }, scored).scorer;
    const taste = (TASTE_SHARE * scoreOf(alone, number, base)) / (scored.closest || 1);
    const parts = nextReads ? { taste, [READERS.name]: score - taste } : { taste: score };
    return { url: post.url, score, made: 'sum', parts, terms };
  }
  const byReaders = dials.mix * (nextReads?.shares[number] ?? 0);
  const parts: Explanation['parts'] = {
    [WORDS.name]: base - byReaders,
    ...(nextReads && { [READERS.name]: byReaders }),
  };
  for (const factor of FACTORS) {
    const isRead = factor.cost === 'cheap' || !scored.brought?.has(number);
    const effect = isRead ? effectOf(factor, query) : undefined;
    if (effect) parts[factor.name] = effect.of(number);
  }
  const relevance = { closeness: query.closeness(number), least: lesserFloor(query.index.size) };
  return { url: post.url, score, made: nextReads ? 'mix' : 'product', parts, relevance, terms };
}

function sharedTerms({ index, workspace, vector }: Query, number: number, post: PostText): Explanation['terms'] {
  const { terms = new Uint32Array(0), weights = new Float32Array(0) } = vector?.heaviest ?? {};
  const weightOf = new Map(Array.from(terms, (term, place) => [term, at(weights, place)]));
  const shared = new Map<number, number>();
  let sum = 0;
  const read = workspace.reader.read(index.post(number));
  for (const [i, term] of read.terms.subarray(0, read.count).entries()) {
    const product = (weightOf.get(term) ?? 0) * rootOf(at(read.frequencies, i));
    if (product === 0) continue;
    sum += product;
    shared.set(term, product);
  }
  const names = namedTerms(index.dictionary, post);
  const heaviest = [...shared].sort((a, b) => b[1] - a[1]).slice(0, MOST_TERMS);
  return heaviest.map(([term, product]) => ({ term: names.get(term) ?? '', share: product / sum }));
}
