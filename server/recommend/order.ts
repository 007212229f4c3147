// Last two calls: the relevant posts without duplicates, where there is none what is popular and then the most recent
// posts; then one page.

import { at } from '../at.ts';
import { MAX_RECORDS } from '../contract/limits.ts';
import type { Scored } from '../textindex/topK.ts';
import { byAddress, topK } from '../textindex/topK.ts';
import { float64At } from '../textindex/typedReads.ts';
import { keepAllowed } from './candidates.ts';
import { isInOtherLanguage, sharesSectionOrTag } from './commonFields.ts';
import { diversified } from './diversity.ts';
import type { Filter } from './filters.ts';
import { repeatedBy } from './nearCopies.ts';
import { type PlacedPin, withPins } from './pins.ts';
import { prunedTopK, type Ranked } from './prunedTopK.ts';
import { areReadersAlone, type Query } from './query.ts';
import type { Recommendation, RecommendRequest } from './request.ts';
import type { ScoredCandidates } from './scorer.ts';
import { scoreOf } from './scoring.ts';
import { withinSeriesLimit } from './seriesLimit.ts';
import { sourcesOf } from './sources.ts';
import { CANDIDATES, lesserFloor } from './weights.ts';

/** Posts looked at that repeat others: a site of thousands of copies would delay all other requests. */
const REPEATING = MAX_RECORDS;
/** Posts put in order by date: first a few, then as many as can be asked for and as many again as may repeat others. */
const FIRST = 64;
const MOST = Math.max(MAX_RECORDS + REPEATING, CANDIDATES);

/**
 * The relevant posts in the order asked for, without what repeats something above it, pinned or read before. Where none
 * is left and an empty answer is not wanted, what readers say, below a page, then the most recent posts that are
 * allowed. Below a page those in another language come last; of what is popular and of the most recent posts each,
 * those that have its section or a tag of it come first.
 */
export function orElseRecent(
  query: Query,
  scored: ScoredCandidates,
  { allowed, request, pins }: { allowed: Filter; request: RecommendRequest; pins: readonly PlacedPin[] },
): Iterable<Ranked> {
  const isByScore = request.sort === 'score';
  const distinct = (ranking: Iterable<Ranked>) => withoutCopies(query, ranking, { pins, isByScore });
  const relevant = distinct(relevantOf(query, scored, { allowed, request }));
  const first = relevant.next();
  if (!first.done) return continued(first.value, relevant);
  if (request.respectEmpty) return [];
  if (request.url === undefined || !isByScore) return distinct(newest(query, allowed));
  return distinct(query.post < 0 ? popularThenNewest(query, [allowed]) : byLanguage(query, allowed));
}

/** Spreads a list over sections, authors and tags as far as its dial says, puts in the pins, and cuts the page. */
export function orderAndSlice(
  query: Query,
  ranking: Iterable<Ranked>,
  { scored, request, pins }: { scored: ScoredCandidates; request: RecommendRequest; pins: readonly PlacedPin[] },
): Recommendation[] {
  const { urls } = query.index.catalogue;
  const { diversity } = query.dials;
  const wanted = request.limit * request.page;
  const ordered = request.sort === 'score' && diversity > 0 ? diversified(query, ranking, diversity) : ranking;
  const page: Ranked[] = [];
  let place = 0;
  for (const ranked of pins.length > 0 ? withPins(ordered, pins) : ordered) {
    if (++place > wanted - request.limit) page.push(ranked);
    // Stops here: finding the next post costs work.
    if (place === wanted) break;
  }
  const sources = sourcesOf(query, scored, page);
  return page.map(({ number, score }, index) => ({ url: at(urls, number), score, source: at(sources, index) }));
}

/**
 * Leaves out copies of an article. What is made of the template of one above comes behind all others, or a site whose
 * posts are all made of one would have lists of a single post; a list in another order than that of the score keeps it.
 */
function* withoutCopies(
  query: Query,
  ranking: Iterable<Ranked>,
  { pins, isByScore }: { pins: readonly PlacedPin[]; isByScore: boolean },
): Generator<Ranked> {
  const seen = [...(query.post >= 0 ? [query.post] : []), ...query.read, ...pins.map(({ number }) => number)];
  const shown = { posts: seen, read: seen.length };
  const ofTemplate: Ranked[] = [];
  let repeating = 0;
  for (const ranked of ranking) {
    const repeated = repeatedBy(query, shown, ranked.number);
    if (repeated === undefined || (repeated === 'template' && !isByScore)) {
      seen.push(ranked.number);
      yield ranked;
      continue;
    }
    if (repeated === 'template') ofTemplate.push(ranked);
    if (++repeating === REPEATING) break;
  }
  for (const ranked of ofTemplate) {
    if (repeatedBy(query, shown, ranked.number) === 'article') continue;
    seen.push(ranked.number);
    yield ranked;
  }
}

/**
 * The page counts as related to the site where its closest posts are close enough; posts that are a little less close
 * are shown then, too. Below a page, posts that readers bring need not be close.
 */
function* relevantOf(
  query: Query,
  scored: ScoredCandidates,
  { allowed, request }: { allowed: Filter; request: RecommendRequest },
): Generator<Ranked> {
  if (!scored.belongs) return;
  const shares = query.post >= 0 ? query.nextReads?.shares : undefined;
  const least = lesserFloor(query.index.size);
  const isRelated = (number: number) => (shares && float64At(shares, number) > 0) || query.isAsCloseAs(number, least);
  const isByScore = request.sort === 'score';
  if (isByScore && !areReadersAlone(query)) {
    yield* withinSeriesLimit(query, { scored, allowed, isRelated });
    return;
  }
  const tie = byAddress(query.index.catalogue.urls);
  const ranking = isByScore
    ? prunedTopK(query.workspace, scored, { tie, allowed })
    : newestFirst(query, { ...scored, ...keepAllowed(scored, allowed) });
  for (const ranked of ranking) if (isRelated(ranked.number)) yield ranked;
}

function* continued(first: Ranked, others: Iterable<Ranked>): Generator<Ranked> {
  yield first;
  yield* others;
}

function* newestFirst(query: Query, scored: ScoredCandidates): Generator<Ranked> {
  const { numbers, scores, scorer } = scored;
  for (const place of byDate(query, scored)) {
    const number = at(numbers, place);
    yield { number, score: scoreOf(scorer, number, at(scores, place)) };
  }
}

/** Those in another language than the page last. */
function* byLanguage(query: Query, allowed: Filter): Generator<Ranked> {
  const isOther = isInOtherLanguage(query.index, query.post);
  const isClose = sharesSectionOrTag(query.index, query.post);
  const followed = new Set(query.nextReads?.posts.filter(({ readers }) => readers > 0).map(({ number }) => number));
  for (const other of [false, true]) {
    const here: Filter = (number) => isOther(number) === other && allowed(number);
    yield* popularThenNewest(query, [
      (number) => followed.has(number) && here(number),
      (number) => !followed.has(number) && isClose(number) && here(number),
      (number) => !followed.has(number) && !isClose(number) && here(number),
    ]);
  }
}

/** @param groups Posts that are allowed, those that come first first. */
function* popularThenNewest(query: Query, groups: readonly Filter[]): Generator<Ranked> {
  const { posts, shares } = query.nextReads ?? { posts: [] };
  for (const allowed of groups)
    for (const { number } of posts) if (allowed(number)) yield { number, score: 0, source: 'popular' };
  for (const allowed of groups) yield* newest(query, (number) => !shares?.[number] && allowed(number));
}

function* newest(query: Query, allowed: Filter): Generator<Ranked> {
  const { size } = query.index.catalogue;
  const numbers = query.workspace.listed.of(size);
  let count = 0;
  for (let number = 0; number < size; number++) if (allowed(number)) numbers[count++] = number;
  for (const place of byDate(query, { numbers, count }))
    yield { number: at(numbers, place), score: 0, source: 'recent' };
}

/** Places of posts, newest first, unknown dates last. */
function* byDate(query: Query, { numbers, count }: Pick<Scored, 'numbers' | 'count'>): Generator<number> {
  const { catalogue } = query.index;
  const { urls } = catalogue;
  const scores = query.workspace.dates.of(count);
  for (const [at, number] of numbers.subarray(0, count).entries()) scores[at] = catalogue.dateOrOldest(number);
  const found = { numbers, scores, count };
  // Most answers end within the first few: the others are put in order when they are reached.
  yield* topK(found, FIRST, byAddress(urls));
  if (count > FIRST) yield* topK(found, MOST, byAddress(urls)).slice(FIRST);
}
