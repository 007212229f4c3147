// Ranking: what to read next. Pure: data in, order out; time is an argument.
//
//  recommend(index, request, now) = candidates → withReaders → withScores → orElseRecent → orderAndSlice

import type { PostIndex } from '../textindex/postIndex.ts';
import { candidates } from './candidates.ts';
import { createQuery } from './createQuery.ts';
import { createFilter } from './filters.ts';
import { orderAndSlice, orElseRecent } from './order.ts';
import { exceptPins, placePins } from './pins.ts';
import { withReaders } from './readers.ts';
import type { Recommendation, RecommendRequest } from './request.ts';
import { withScores } from './scoring.ts';
import { Workspace } from './workspace.ts';

/**
 * The posts of one page of an answer. The same index, request and time give the same answer; page 1 and page 2 of n are
 * the first 2n. Filters and exclusions only leave out: where relevant posts are shown in the order of their scores, the
 * others keep scores and order, and none comes in but a copy of one that was left out. (Copies are looked for among the
 * first hundred posts shown and the last thirty before them; a list ends after two thousand of them.) All but the four
 * best of a series stand behind the rest. Pins stand at their positions, and leave the order of all others as it is.
 * @param now Epoch milliseconds: the last publication date that is shown.
 * @param workspace Memory to compute in, which no other query uses meanwhile. Default: a new one.
 */
export function recommend(
  index: PostIndex,
  request: RecommendRequest,
  now: number,
  workspace = new Workspace(),
): Recommendation[] {
  const query = createQuery(index, request, now, workspace);
  const allowed = createFilter(index.catalogue, request.filters, { never: query.never, now });
  const pins = placePins(query, allowed, request.pins);
  const scored = withScores(query, withReaders(query, candidates(query)));
  const ranking = orElseRecent(query, scored, { allowed: exceptPins(pins, allowed), request, pins });
  return orderAndSlice(query, ranking, { scored, request, pins });
}
