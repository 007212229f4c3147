// What other readers read next: it brings posts of its own among the candidates. With a page, a candidate's base score
// is a mix of its closeness in words and of its share of the next reads; of a visitor alone, taste and that share are
// added up.

import type { Next } from '../readers/behaviour/behaviour.ts';
import { SESSION_MS } from '../readers/behaviour/settings.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { float32At, float64At, uint32At } from '../textindex/typedReads.ts';
import type { Query } from './query.ts';
import type { RecommendRequest } from './request.ts';
import type { Candidates } from './scorer.ts';
import type { Share } from './shares.ts';
import { FOLLOWED_POSTS, LEAST_READERS } from './weights.ts';

/** The posts of the index that other readers read next. */
export interface NextReads {
  /** Best first. */
  posts: readonly (Share & { readers: number })[];
  /** The same by number of post; 0 for all others. It lies in the workspace. */
  shares: Float64Array;
}

/**
 * What readers of the page and of the session read next.
 * @returns undefined where nothing is known.
 */
export function askReaders(
  { index, workspace }: Pick<Query, 'index' | 'workspace'>,
  request: RecommendRequest,
  now: number,
): NextReads | undefined {
  const read = request.readers?.next(sessionOf(request, now), { now, most: FOLLOWED_POSTS }) ?? [];
  // Below a page, what a single reader went on to is left out, but for what is read much anyway: anyone may ask what is
  // read after a page.
  const isShared = ({ readers, clicks }: Next) => readers !== 1 || clicks > LEAST_READERS;
  const posts = known(index, request.url === undefined ? read : read.filter(isShared));
  return posts.length === 0 ? undefined : { posts, shares: workspace.shares.fill(index.catalogue.size, posts) };
}

/** Share of the posts that are read most now, by number. */
export function askPopular(index: PostIndex, { readers }: RecommendRequest, now: number): Map<number, number> {
  const popular = known(index, readers?.next([], { now, most: FOLLOWED_POSTS }) ?? []);
  return new Map(popular.map(({ number, share }) => [number, share]));
}

/** Posts of the index, each with its share of the highest score. */
function known({ catalogue }: PostIndex, next: readonly Next[]): NextReads['posts'] {
  const highest = next[0]?.score ?? 1;
  return next
    .map(({ post, score, readers }) => ({ number: catalogue.find(post), share: score / highest, readers }))
    .filter(({ number }) => number >= 0);
}

/**
 * The post being read and what was read just before it, newest first: what was read last week says nothing of now.
 * Without a page, what was read last stands for it.
 */
function sessionOf({ url, visits = [] }: RecommendRequest, now: number): string[] {
  const session = url === undefined ? [] : [url];
  let before = url === undefined ? (visits[0]?.time ?? now) : now;
  for (const visit of visits) {
    if (before - visit.time > SESSION_MS) break;
    before = visit.time;
    if (visit.url !== url) session.push(visit.url);
  }
  return session;
}

/** Candidates from both: those found by words, and those that readers bring. */
export function withReaders(query: Query, found: Candidates): Candidates {
  const { nextReads, post } = query;
  if (!nextReads) return found;
  return post >= 0 ? mixed(query, found, nextReads) : joined(found, nextReads, LEAST_READERS);
}

/** Weight of the words where the readers decide: enough to order the posts that no reader brings. */
const LEAST_WORDS = 1e-6;

/** With a page: words and readers, each against the best there could be. A filter changes neither. */
function mixed({ dials: { mix } }: Query, found: Candidates, nextReads: NextReads): Candidates {
  const { numbers, scores } = found;
  const byWords = found.belongs && found.closest > 0 ? Math.max(1 - mix, LEAST_WORDS) / found.closest : 0;
  // Where nothing is related to the page, readers decide alone.
  const count = found.belongs ? found.count : 0;
  const joinedTo = joined({ ...found, count }, nextReads, 0);
  for (let at = 0; at < joinedTo.count; at++) {
    const share = float64At(nextReads.shares, uint32At(numbers, at));
    scores[at] = float32At(scores, at) * byWords + mix * share;
  }
  // A post that few readers read next, or that is only popular, does not make the page related to it.
  const belongs = found.belongs || nextReads.posts.some(({ readers }) => readers >= LEAST_READERS);
  return { ...joinedTo, belongs };
}

/** Adds the posts that enough readers went on to; their closeness counts as 0. */
function joined(found: Candidates, { posts, shares }: NextReads, least: number): Candidates {
  const { numbers, scores } = found;
  let { count } = found;
  const met = new Set<number>();
  const brought = new Set<number>();
  for (const number of numbers.subarray(0, found.count)) if (shares[number] !== 0) met.add(number);
  for (const { number, readers } of posts) {
    if (readers < least || met.has(number)) continue;
    brought.add(number);
    numbers[count] = number;
    scores[count++] = 0;
  }
  return { ...found, count, brought };
}
