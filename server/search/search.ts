// Search of posts: what was typed, to the posts of one page. Pure: data in, order out; time is an argument.

import { at } from '../at.ts';
import { createFilter } from '../recommend/filters.ts';
import type { RecommendFilters } from '../recommend/request.ts';
import type { Catalogue } from '../textindex/catalogue.ts';
import type { Before } from '../textindex/heap.ts';
import type { Scored } from '../textindex/topK.ts';
import { byAddress, topK } from '../textindex/topK.ts';
import { float32At, uint8At, uint32At } from '../textindex/typedReads.ts';
import { type Matches, matchesOf, narrowed, raised, raisedByNeighbours, sideBySide, type Wanted } from './matching.ts';
import { parseQuery } from './parseQuery.ts';
import type { SearchIndex } from './searchIndex.ts';
import { wantedUnits } from './spellings.ts';
import { isUnfinished } from './unfinished.ts';
import { readingsOf } from './variants.ts';
import { ENOUGH } from './weights.ts';
import { type SearchQuery, SearchWorkspace } from './workspace.ts';

export interface SearchRequest {
  /** As it was typed: words, and phrases in double quotes. */
  query: string;
  /** The last word may be unfinished: it also stands for words of titles, tags and authors that begin with it. */
  prefix?: boolean;
  /** URL of the post whose address was typed: the only answer. Default: words were typed. */
  named?: string | undefined;
  filters: RecommendFilters;
  /** Canonical URLs that must not appear. */
  excluded: ReadonlySet<string>;
  sort: 'score' | 'pub_date';
  limit: number;
  page: number;
}

export interface SearchResult {
  url: string;
  /** Higher fits better. */
  score: number;
}

type Passes = (post: number) => boolean;

/**
 * The posts of one page of an answer: those that have every word and phrase asked for; where no post has, those that
 * have most of it. What is in quotes is never left out. Page 1 and page 2 of n are the first 2n.
 * @param now Epoch milliseconds: the last publication date that is shown.
 * @param workspace Memory to compute in, which no other search uses meanwhile. Default: a new one.
 */
export function search(
  index: SearchIndex,
  request: SearchRequest,
  now: number,
  workspace = new SearchWorkspace(),
): SearchResult[] {
  const query: SearchQuery = { index, workspace, pairs: new Map() };
  const { catalogue } = index.shared;
  const never = new Set(Array.from(request.excluded, (url) => catalogue.find(url)));
  const passes = createFilter(catalogue, request.filters, { never, now });
  const named = request.named === undefined ? -1 : catalogue.find(request.named);
  if (named >= 0) return passes(named) ? pageOf(query, [{ number: named, score: 1 }], request) : [];
  const typed = parseQuery(request.query);
  const last = typed.at(-1);
  const unfinished = request.prefix && last && isUnfinished(last, request.query) ? last : undefined;
  const units = wantedUnits(query, typed, unfinished);
  if (units.length === 0) return [];
  const found = readingsOf(query, { units: typed, resolved: units }).map((reading) => {
    const needed = neededOf(reading);
    const having = havingAll(query, { needed, units: reading }, passes);
    return bestOf(query, inOrder(query, having, { request, units: reading }), { request, units: needed });
  });
  const all = unionOf(query, found, request);
  if (all.length > 0) return pageOf(query, all, request);
  const having = inOrder(query, havingMost(query, units, passes), { request, units });
  const quoted = units.filter((unit) => unit.quoted);
  return pageOf(query, bestOf(query, having, { request, units: quoted }), request);
}

function inOrder(
  query: SearchQuery,
  matches: Matches,
  { request, units }: { request: SearchRequest; units: readonly Wanted[] },
): Matches {
  if (request.sort !== 'score') return matches;
  // Where words must stand side by side, the best may be left out yet.
  const isSifted = units.some(({ words }) => words.length > 1);
  const most = isSifted ? Number.POSITIVE_INFINITY : request.limit * request.page;
  return raisedByNeighbours(query, matches, { units, most });
}

/** Units without which a post is no answer: common ones are not, where there are others. */
function neededOf(units: readonly Wanted[]): readonly Wanted[] {
  const rare = units.filter(({ common }) => !common);
  return rare.length > 0 ? rare : units;
}

const NOTHING: Matches = { documents: new Uint32Array(0), scores: new Float32Array(0), count: 0 };

/** Posts that have all words of what is needed; the other words only add to their scores. */
function havingAll(
  query: SearchQuery,
  { needed, units }: { needed: readonly Wanted[]; units: readonly Wanted[] },
  passes: Passes,
): Matches {
  const [first, ...others] = [...needed].sort((a, b) => a.cost - b.cost);
  if (first === undefined) return NOTHING;
  let matches = matchesOf(query, first, passes);
  for (const unit of others) matches = narrowed(query, matches, unit);
  for (const unit of units) if (!needed.includes(unit)) matches = raised(query, matches, unit);
  return matches;
}

/** Posts that have most of what was asked for, and every word that is quoted. */
function havingMost(query: SearchQuery, units: readonly Wanted[], passes: Passes): Matches {
  const enough = ENOUGH * units.reduce((sum, { rarity }) => sum + rarity, 0);
  const { size } = query.index.documents;
  const scores = new Float32Array(size);
  const shares = new Float32Array(size);
  const quotes = new Uint8Array(size);
  const quoted = units.filter((unit) => unit.quoted).length;
  for (const unit of units) {
    const matches = matchesOf(query, unit, passes);
    for (let i = 0; i < matches.count; i++) {
      const document = uint32At(matches.documents, i);
      scores[document] = float32At(scores, document) + float32At(matches.scores, i);
      shares[document] = float32At(shares, document) + unit.rarity;
      if (unit.quoted) quotes[document] = uint8At(quotes, document) + 1;
    }
  }
  const documents = new Uint32Array(size);
  let count = 0;
  for (let document = 0; document < size; document++) {
    if (float32At(shares, document) < enough || quotes[document] !== quoted) continue;
    documents[count] = document;
    scores[count++] = float32At(scores, document);
  }
  return { documents, scores, count };
}

/** A post by its number, with its score, or its date where the order is by date. */
interface Ranked {
  number: number;
  score: number;
}

/** The best posts up to the end of the page asked for, in order. */
function bestOf(
  { index, workspace }: SearchQuery,
  matches: Matches,
  { request, units }: { request: SearchRequest; units: readonly Wanted[] },
): Ranked[] {
  const { sift, holds } = sideBySide(index, units);
  const { documents, scores, count } = sift(matches);
  const { catalogue } = index.shared;
  const { posts } = index.documents;
  const byDate = request.sort === 'pub_date';
  const numbers = workspace.numbers.of(count);
  const dates = workspace.dates.of(count);
  for (let i = 0; i < count; i++) {
    const number = posts[documents[i]!]! - 1;
    numbers[i] = number;
    if (byDate) dates[i] = catalogue.dateOrOldest(number);
  }
  const found = { numbers, scores: byDate ? dates : scores, count };
  const shown = bestHolding(found, {
    most: request.limit * request.page,
    before: newerFirst(catalogue),
    holds: holds && ((place) => holds(uint32At(documents, place))),
  });
  return shown.map((place) => ({ number: uint32At(numbers, place), score: at(found.scores, place) }));
}

/** The best of several readings of a question, in order, each with the highest of its scores. */
function unionOf({ index }: SearchQuery, found: readonly Ranked[][], { limit, page }: SearchRequest): Ranked[] {
  const [only] = found;
  if (found.length === 1 && only) return only;
  const best = new Map<number, number>();
  for (const { number, score } of found.flat()) best.set(number, Math.max(score, best.get(number) ?? score));
  const numbers = Uint32Array.from(best.keys());
  const scores = Float64Array.from(best.values());
  const order = topK({ numbers, scores, count: best.size }, limit * page, newerFirst(index.shared.catalogue));
  return order.map((place) => ({ number: uint32At(numbers, place), score: at(scores, place) }));
}

/** The page asked for, of the best up to its end. */
function pageOf({ index }: SearchQuery, best: readonly Ranked[], { limit, page }: SearchRequest): SearchResult[] {
  const { urls } = index.shared.catalogue;
  return best.slice(limit * (page - 1)).map(({ number, score }) => ({ url: at(urls, number), score }));
}

/** The order of posts of the same score. */
function newerFirst(catalogue: Catalogue): Before {
  const tie = byAddress(catalogue.urls);
  return (a, b) => {
    const [first, second] = [catalogue.dateOrOldest(a), catalogue.dateOrOldest(b)];
    return first === second ? tie(a, b) : first > second;
  };
}

/** As many more of the best are looked at first, if words must stand side by side. */
const FIRST = 256;

/**
 * Positions of the best, best first, of those that hold. That is asked of the best first, and mostly there are enough
 * of them; else it is asked of all, one after another as they stand in memory.
 */
function bestHolding(
  found: Scored,
  { most, before, holds }: { most: number; before: Before; holds: ((place: number) => boolean) | undefined },
): number[] {
  if (!holds) return topK(found, most, before);
  const looked = topK(found, most * 2 + FIRST, before);
  const shown: number[] = [];
  for (const place of looked) {
    if (shown.length === most) return shown;
    if (holds(place)) shown.push(place);
  }
  if (looked.length === found.count) return shown;
  const places = new Uint32Array(found.count);
  let count = 0;
  for (let place = 0; place < found.count; place++) if (holds(place)) places[count++] = place;
  const holding = {
    numbers: places.map((place) => uint32At(found.numbers, place)),
    scores: Float64Array.from(places, (place) => at(found.scores, place)),
    count,
  };
  return topK(holding, most, before).map((place) => at(places, place));
}
