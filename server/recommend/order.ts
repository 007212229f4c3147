// Last two calls: the most recent posts where nothing is relevant; then duplicates out, and one page.

import { MAX_RECORDS } from '../contract/limits.ts';
import type { Allows } from './allowed.ts';
import { type Before, best } from './best.ts';
import { bestFirst, type Shown } from './bestFirst.ts';
import type { Scored } from './candidates.ts';
import { repeatsOneOf } from './duplicates.ts';
import type { PostIndex } from './postIndex.ts';
import type { Recommendation, RecommendRequest } from './recommend.ts';
import { type Judged, scoreOf } from './rescore.ts';
import type { Asked } from './understand.ts';
import { CANDIDATES, LESSER_FLOOR } from './weights.ts';

/** Posts looked at that repeat others: a site of thousands of copies would hold up everybody else. */
const REPEATING = MAX_RECORDS;
/** Posts put in order by date: first a few, then as many as can be asked for and as many again as may repeat others. */
const FIRST = 64;
const MOST = Math.max(MAX_RECORDS + REPEATING, CANDIDATES);

/**
 * The relevant posts in the order asked for; where there is none and an empty answer is not wanted, the most recent posts
 * that are allowed.
 */
export function orElseRecent(
  index: PostIndex,
  judged: Judged,
  { asked, allowed, request }: { asked: Asked; allowed: Allows; request: RecommendRequest },
): Iterable<Shown> {
  const relevant = relevantOf(index, judged, { asked, request });
  const first = relevant.next();
  if (!first.done) return continued(first.value, relevant);
  return request.respectEmpty ? [] : newest(index, allowed);
}

/** Leaves out what repeats something above it or read before, and cuts the page. */
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
    if (repeatsOneOf(index, seen, number)) {
      if (++repeating === REPEATING) break;
      continue;
    }
    seen.push(number);
    if (++place > wanted - request.limit) page.push({ url: urls[number]!, score });
    // At once: to say who would be the next costs work.
    if (place === wanted) break;
  }
  return page;
}

/** What is asked from belongs by its closest posts; these vouch for those that are a little less close. */
function* relevantOf(
  index: PostIndex,
  judged: Judged,
  { asked, request }: { asked: Asked; request: RecommendRequest },
): Generator<Shown> {
  if (!judged.belongs) return;
  const ranking = request.sort === 'score' ? bestFirst(judged, byAddress(index)) : newestFirst(index, judged);
  for (const shown of ranking) if (asked.closeness(shown.number) >= LESSER_FLOOR) yield shown;
}

function* continued(first: Shown, others: Iterable<Shown>): Generator<Shown> {
  yield first;
  yield* others;
}

function* newestFirst(index: PostIndex, judged: Judged): Generator<Shown> {
  const { numbers, scores, judge } = judged;
  for (const at of byDate(index, judged)) {
    yield { number: numbers[at]!, score: scoreOf(judge, numbers[at]!, scores[at]!) };
  }
}

/** Equal ones stand in the order of their addresses, so that no answer wavers. */
const byAddress =
  ({ catalogue: { urls } }: PostIndex): Before =>
  (a, b) =>
    urls[a]! < urls[b]!;

/** Reused from question to question: as long as a site has posts. */
let listed = new Uint32Array(0);
let dates = new Float64Array(0);

function* newest(index: PostIndex, allowed: Allows): Iterable<Shown> {
  const { size } = index.catalogue;
  if (listed.length < size) listed = new Uint32Array(Math.ceil(size * 1.25));
  const numbers = listed;
  let count = 0;
  for (let number = 0; number < size; number++) if (allowed(number)) numbers[count++] = number;
  for (const at of byDate(index, { numbers, count })) yield { number: numbers[at]!, score: 0 };
}

/** Places of posts, newest first, unknown dates last. */
function* byDate(index: PostIndex, { numbers, count }: Pick<Scored, 'numbers' | 'count'>): Generator<number> {
  const { pubDates } = index.catalogue;
  if (dates.length < count) dates = new Float64Array(Math.ceil(count * 1.25));
  const scores = dates;
  for (let i = 0; i < count; i++) {
    const date = pubDates[numbers[i]!]!;
    scores[i] = Number.isNaN(date) ? Number.NEGATIVE_INFINITY : date;
  }
  const found = { numbers, scores, count };
  // Most answers end within the first few: the others are put in order when somebody gets there.
  yield* best(found, FIRST, byAddress(index));
  if (count > FIRST) yield* best(found, MOST, byAddress(index)).slice(FIRST);
}
