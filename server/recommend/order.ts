// Last two calls: the most recent posts where nothing is relevant; then order, duplicates out, and one page of it.

import { MAX_RECORDS } from '../contract/limits.ts';
import type { Allows } from './allowed.ts';
import { best } from './best.ts';
import type { Found } from './candidates.ts';
import { sameArticle } from './duplicates.ts';
import type { PostIndex } from './postIndex.ts';
import type { Recommendation, RecommendRequest } from './recommend.ts';
import type { Asked } from './understand.ts';

/** Relevant posts, or stand-ins for them. */
export interface Scored extends Found {
  /** true: nothing was relevant and these are the most recent posts; their scores are dates. */
  recent: boolean;
}

/** What was found; where that is nothing and nothing may not be answered, the most recent posts that are allowed. */
export function orElseRecent(
  index: PostIndex,
  found: Found,
  { allowed, respectEmpty }: { allowed: Allows; respectEmpty: boolean },
): Scored {
  if (found.count > 0 || respectEmpty) return { ...found, recent: false };
  const { size } = index.catalogue;
  const numbers = new Uint32Array(size);
  let count = 0;
  for (let number = 0; number < size; number++) if (allowed(number)) numbers[count++] = number;
  return { ...dated(index, { numbers, scores: new Float32Array(0), count }), recent: true };
}

/** Orders what was found, leaves out repetitions, and cuts the page that was asked for. */
export function orderAndSlice(
  index: PostIndex,
  found: Scored,
  { request, asked }: { request: RecommendRequest; asked: Asked },
): Recommendation[] {
  const { urls } = index.catalogue;
  const wanted = request.limit * request.page;
  const byDate = request.sort === 'pub_date' && !found.recent ? dated(index, found) : found;
  // More than are wanted, because some repeat others.
  const order = best(byDate, Math.min(found.count, MAX_RECORDS * 2), (a, b) => urls[a]! < urls[b]!);
  const seen = asked.post >= 0 ? [asked.post, ...asked.read] : [...asked.read];
  const first = seen.length;
  for (const at of order) {
    if (seen.length - first === wanted) break;
    const number = byDate.numbers[at]!;
    if (!seen.some((other) => sameArticle(index, number, other))) seen.push(number);
  }
  const scores = new Map(Array.from(order, (at) => [found.numbers[at]!, found.recent ? 0 : found.scores[at]!]));
  return seen
    .slice(first + wanted - request.limit)
    .map((number) => ({ url: urls[number]!, score: scores.get(number)! }));
}

/** The same posts with their dates as scores: newest first, unknown dates last. */
function dated(index: PostIndex, found: Found): Found {
  const { pubDates } = index.catalogue;
  const scores = new Float64Array(found.count);
  for (let i = 0; i < found.count; i++) {
    const date = pubDates[found.numbers[i]!]!;
    scores[i] = Number.isNaN(date) ? Number.NEGATIVE_INFINITY : date;
  }
  return { ...found, scores };
}
