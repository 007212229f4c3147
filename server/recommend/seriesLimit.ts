// No series fills a list: parts, yearly reviews and reports made of a template are close to one another in all their
// words. The first four of a series keep their places, the others come behind everything else that is related; those
// whose titles differ by a number or a date only (weather, results) are left out. A series that most posts of the site
// belong to is what the site is about, and is not limited.
//
// Which four, the scores of all say: a filter that leaves some of them out brings no other of the series forward.
// A post that four of its series were already yielded before is held back without being scored.

import type { Before } from '../textindex/heap.ts';
import { byAddress } from '../textindex/topK.ts';
import { float32At, float64At, uint32At } from '../textindex/typedReads.ts';
import type { Filter } from './filters.ts';
import { prunedTopK, type Ranked } from './prunedTopK.ts';
import type { Query } from './query.ts';
import { ROUNDING, type ScoredCandidates } from './scorer.ts';
import { scoreOf } from './scoring.ts';

/** Posts of one series that keep their places. */
const MOST = 4;

interface Limited {
  scored: ScoredCandidates;
  /** Which posts may be shown. */
  allowed: Filter;
  /** Whether a post is close enough to be shown. */
  isRelated: (number: number) => boolean;
}

/** The related candidates that may be shown, best first, those beyond the limit behind the others, or nowhere. */
export function* withinSeriesLimit(query: Query, limited: Limited): Generator<Ranked> {
  const { index, workspace } = query;
  const { scored, allowed, isRelated } = limited;
  const { catalogue } = index;
  const tie = byAddress(catalogue.urls);
  const series = new SeriesCounts(query, limited, tie);
  const { siteSeries } = workspace.cachesOf(index);
  const isMostOf = (number: number) => siteSeries.isOfMost(catalogue, number);
  // Of those that a filter leaves out only the ones met so far can stand before a post: the others score less.
  const isAllowed = (number: number, place: number): boolean => {
    if (allowed(number)) return true;
    if (isHidden(query, number)) series.addOther(place);
    return false;
  };
  const held: number[] = [];
  const hold = (place: number): void => {
    held.push(place);
    series.addOther(place);
  };
  const skips = (place: number): boolean => {
    const number = uint32At(scored.numbers, place);
    const isHeld = series.shownBefore(number) === MOST && !isMostOf(number);
    if (isHeld) hold(place);
    return isHeld;
  };
  for (const ranked of prunedTopK(workspace, scored, { tie, allowed: isAllowed, skips })) {
    if (!isRelated(ranked.number)) continue;
    if (series.countBefore(ranked) < MOST || isMostOf(ranked.number)) {
      series.addShown(ranked.number);
      yield ranked;
    } else hold(ranked.place);
  }
  const isNoTemplate = (number: number) => !catalogue.frames.isOfTemplate(number);
  for (const ranked of prunedTopK(workspace, selected(scored, held), { tie, allowed: isNoTemplate })) {
    if (isRelated(ranked.number)) yield ranked;
  }
}

/** How many posts of its series stand before a post. */
class SeriesCounts {
  private readonly query: Query;
  private readonly limited: Limited;
  private readonly tie: Before;
  /** Related posts that were yielded, in the order of their scores. */
  private readonly shown: number[] = [];
  /** Other candidates that may stand before a post: where they are, and an upper bound of the score of each. */
  private readonly others: { place: number; bound: number }[] = [];
  /** Scores of those that were compared, by place. */
  private readonly scores = new Map<number, number>();

  constructor(query: Query, limited: Limited, tie: Before) {
    this.query = query;
    this.limited = limited;
    this.tie = tie;
  }

  addShown(number: number): void {
    this.shown.push(number);
  }

  addOther(place: number): void {
    const { numbers, scores, scorer } = this.limited.scored;
    const bound = scorer.cheapUpperBound(uint32At(numbers, place), float32At(scores, place));
    this.others.push({ place, bound });
  }

  /** Of those yielded; counted up to the limit. */
  shownBefore(number: number): number {
    const { frames } = this.query.index.catalogue;
    let count = 0;
    for (const one of this.shown) {
      if (frames.areAlike(one, number)) count++;
      if (count === MOST) break;
    }
    return count;
  }

  /** Of all candidates that are related; counted up to the limit. */
  countBefore(ranked: Ranked): number {
    let count = this.shownBefore(ranked.number);
    for (const { place, bound } of this.others) {
      if (count === MOST) break;
      if (bound >= ranked.score * (1 - ROUNDING) && this.standsBefore(place, ranked)) count++;
    }
    return count;
  }

  private standsBefore(place: number, ranked: Ranked): boolean {
    const { frames } = this.query.index.catalogue;
    const number = uint32At(this.limited.scored.numbers, place);
    if (!frames.areAlike(number, ranked.number)) return false;
    const score = this.scoreOf(place);
    if (score < ranked.score || (score === ranked.score && !this.tie(number, ranked.number))) return false;
    return this.limited.isRelated(number);
  }

  private scoreOf(place: number): number {
    const { numbers, scores, scorer } = this.limited.scored;
    let score = this.scores.get(place);
    if (score === undefined) {
      score = scoreOf(scorer, uint32At(numbers, place), float32At(scores, place));
      this.scores.set(place, score);
    }
    return score;
  }
}

/** Whether only a filter or an exclusion leaves a candidate out. */
function isHidden({ index, post, read, now }: Query, number: number): boolean {
  const { listed, pubDates } = index.catalogue;
  return listed[number] === 1 && number !== post && !(float64At(pubDates, number) > now) && !read.includes(number);
}

/** The candidates at some places. */
const selected = (scored: ScoredCandidates, places: readonly number[]): ScoredCandidates => ({
  ...scored,
  numbers: Uint32Array.from(places, (place) => uint32At(scored.numbers, place)),
  scores: Float32Array.from(places, (place) => float32At(scored.scores, place)),
  count: places.length,
});
