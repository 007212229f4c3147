// Last two calls: the most recent posts where nothing is relevant; then duplicates out, and one page.

import { MAX_RECORDS } from '../contract/limits.ts';
import type { Allows } from './allowed.ts';
import { best } from './best.ts';
import type { Found, Scored } from './candidates.ts';
import { repeatsOneOf } from './duplicates.ts';
import type { PostIndex } from './postIndex.ts';
import type { Recommendation, RecommendRequest } from './recommend.ts';
import type { Asked } from './understand.ts';
import { CLOSEST, LESSER_FLOOR, RELEVANCE_FLOOR, SURE_FLOOR } from './weights.ts';

/** Posts looked at for an answer: as many as can be asked for, and as many again that may repeat others. */
const MOST = MAX_RECORDS * 2;
/** … and no more than these: a site of thousands of copies would hold up everybody else. */
const REPEATING = MAX_RECORDS;
const FIRST = 64;

/** What may be answered with, best first. */
export interface Shown {
  number: number;
  score: number;
}

/** Of the best, as many are asked whether they are closer than chance would have it; if they are not, nothing is. */
const ASKED = 20;

/**
 * The scored posts in the order asked for; where nothing is truly relevant and an empty answer is not wanted, the most
 * recent posts that are allowed. The closest vouch for those that are a little less so.
 */
export function orElseRecent(
  index: PostIndex,
  scored: Found,
  { asked, allowed, request }: { asked: Asked; allowed: Allows; request: RecommendRequest },
): Iterable<Shown> {
  const closest = inOrder(index, scored);
  if (belongs(closest, asked)) {
    return request.sort === 'score' ? closest : newestFirst(index, [...closest]);
  }
  return request.respectEmpty ? [] : newest(index, allowed);
}

/** Leaves out what is not relevant and what repeats something above it or read before, and cuts the page. */
export function orderAndSlice(
  index: PostIndex,
  ranking: Iterable<Shown>,
  { asked, request }: { asked: Asked; request: RecommendRequest },
): Recommendation[] {
  const { urls } = index.catalogue;
  const wanted = request.limit * request.page;
  const seen = asked.post >= 0 ? [asked.post, ...asked.read] : [...asked.read];
  const page: Recommendation[] = [];
  let place = 0;
  let repeating = 0;
  for (const { number, score } of ranking) {
    if (place === wanted || repeating === REPEATING) break;
    // A score of 0 says that these are the most recent posts: relevance is not asked of them.
    if (score !== 0 && asked.closeness(number) < LESSER_FLOOR) continue;
    if (repeatsOneOf(index, seen, number)) {
      repeating++;
      continue;
    }
    seen.push(number);
    if (++place > wanted - request.limit) page.push({ url: urls[number]!, score });
  }
  return page;
}

/** Best first; equal ones in the order of their addresses, so that no answer wavers. */
function inOrder(index: PostIndex, found: Scored): Iterable<Shown> {
  const { urls } = index.catalogue;
  const before = (a: number, b: number) => urls[a]! < urls[b]!;
  const shown = (at: number): Shown => ({ number: found.numbers[at]!, score: found.scores[at]! });
  // Most answers end within the first few: the others are put in order when somebody gets there.
  const first = best(found, FIRST, before);
  return {
    *[Symbol.iterator]() {
      for (const at of first) yield shown(at);
      if (found.count > FIRST) for (const at of best(found, MOST, before).slice(FIRST)) yield shown(at);
    },
  };
}

/** Whether what is asked from has company here: one post that is clearly close, or a few that are together. */
function belongs(shown: Iterable<Shown>, { closeness }: Asked): boolean {
  const closest: number[] = [];
  let asked = 0;
  for (const { number } of shown) {
    if (asked++ === ASKED) return false;
    closest.push(closeness(number));
    closest.sort((a, b) => b - a).splice(CLOSEST);
    if (closest[0]! >= SURE_FLOOR || closest.reduce((sum, one) => sum + one, 0) >= RELEVANCE_FLOOR) return true;
  }
  return false;
}

function newestFirst(index: PostIndex, posts: readonly Shown[]): Shown[] {
  const byNumber = new Map(posts.map((post) => [post.number, post]));
  const numbers = Uint32Array.from(byNumber.keys());
  return Array.from(byDate(index, { numbers, count: numbers.length }), ({ number }) => byNumber.get(number)!);
}

/** Reused from question to question: as long as a site has posts. */
let listed = new Uint32Array(0);
let dates = new Float64Array(0);

function* newest(index: PostIndex, allowed: Allows): Iterable<Shown> {
  const { size } = index.catalogue;
  if (listed.length < size) listed = new Uint32Array(Math.ceil(size * 1.25));
  const numbers = listed;
  let count = 0;
  for (let number = 0; number < size; number++) if (allowed(number)) numbers[count++] = number;
  for (const { number } of byDate(index, { numbers, count })) yield { number, score: 0 };
}

/** Newest first, unknown dates last. */
function byDate(index: PostIndex, { numbers, count }: Pick<Scored, 'numbers' | 'count'>): Iterable<Shown> {
  const { pubDates } = index.catalogue;
  if (dates.length < count) dates = new Float64Array(Math.ceil(count * 1.25));
  const scores = dates;
  for (let i = 0; i < count; i++) {
    const date = pubDates[numbers[i]!]!;
    scores[i] = Number.isNaN(date) ? Number.NEGATIVE_INFINITY : date;
  }
  return inOrder(index, { numbers, scores, count });
}
