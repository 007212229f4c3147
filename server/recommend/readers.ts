// What other readers read next: it brings posts of its own among the candidates. With a page, a candidate's base score
// is a mix of its closeness in words and of what readers say; of a visitor alone, taste and readers are added up.

import type { Next } from '../readers/behaviour/behaviour.ts';
import { SESSION_MS } from '../readers/behaviour/settings.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { float32At, float64At, uint32At } from '../textindex/typedReads.ts';
import type { Query } from './query.ts';
import type { RecommendRequest } from './request.ts';
import type { Candidates } from './scorer.ts';
import type { Share } from './shares.ts';
import { FOLLOWED_POSTS, LEAST_READERS } from './weights.ts';

/** What readers say of posts of the index. */
export interface Sayings {
  /** Best first. */
  next: readonly (Share & { readers: number })[];
  /** The same by number of post; 0 where nothing is said. It lies in the workspace. */
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
): Sayings | undefined {
  const said = request.readers?.next(sessionOf(request, now), { now, most: FOLLOWED_POSTS }) ?? [];
  // Below a page, what a single reader went on to is left out, but for what is read much anyway: anyone may ask what is
  // read after a page.
  const isShared = ({ readers, clicks }: Next) => readers !== 1 || clicks > LEAST_READERS;
  const next = known(index, request.url === undefined ? said : said.filter(isShared));
  return next.length === 0 ? undefined : { next, shares: workspace.shares.fill(index.catalogue.size, next) };
}

/** Share of the posts that are read most now, by number. */
export function askPopular(index: PostIndex, { readers }: RecommendRequest, now: number): Map<number, number> {
  const popular = known(index, readers?.next([], { now, most: FOLLOWED_POSTS }) ?? []);
  return new Map(popular.map(({ number, share }) => [number, share]));
}

/** Posts of the index, each with its share of the highest score. */
function known({ catalogue }: PostIndex, next: readonly Next[]): Sayings['next'] {
  const loudest = next[0]?.score ?? 1;
  return next
    .map(({ post, score, readers }) => ({ number: catalogue.find(post), share: score / loudest, readers }))
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
  const { sayings, post } = query;
  if (!sayings) return found;
  return post >= 0 ? mixed(query, found, sayings) : joined(found, sayings, LEAST_READERS);
}

/** Weight of the words where the readers decide: enough to order the posts that no reader brings. */
const LEAST_WORDS = 1e-6;

/** With a page: words and readers, each against the best there could be. A filter changes neither. */
function mixed({ dials: { mix } }: Query, found: Candidates, sayings: Sayings): Candidates {
  const { numbers, scores } = found;
  const byWords = found.belongs && found.closest > 0 ? Math.max(1 - mix, LEAST_WORDS) / found.closest : 0;
  // Where nothing is related to the page, readers decide alone.
  const count = found.belongs ? found.count : 0;
  const joinedTo = joined({ ...found, count }, sayings, 0);
  for (let at = 0; at < joinedTo.count; at++) {
    const said = float64At(sayings.shares, uint32At(numbers, at));
    scores[at] = float32At(scores, at) * byWords + mix * said;
  }
  // A post that few readers read next, or that is only popular, does not make the page related to it.
  const belongs = found.belongs || sayings.next.some(({ readers }) => readers >= LEAST_READERS);
  return { ...joinedTo, belongs };
}

/** Adds the posts that enough readers went on to; their closeness counts as 0. */
function joined(found: Candidates, { next, shares }: Sayings, least: number): Candidates {
  const { numbers, scores } = found;
  let { count } = found;
  const met = new Set<number>();
  const brought = new Set<number>();
  for (const number of numbers.subarray(0, found.count)) if (shares[number] !== 0) met.add(number);
  for (const { number, readers } of next) {
    if (readers < least || met.has(number)) continue;
    brought.add(number);
    numbers[count] = number;
    scores[count++] = 0;
  }
  return { ...found, count, brought };
}
