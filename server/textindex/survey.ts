// What is learned of a site as a whole when its main segment is made anew, in steps of a millisecond or two; and what
// is learned in the same way of each post that comes later, when it is merged.

import { at } from '../at.ts';
import { DAY } from '../durations.ts';
import type { Catalogue } from './catalogue.ts';
import { DateGaps, learnDateGaps } from './dateGaps.ts';
import { type Neighbour, NeighbourFinder, type Searched } from './neighbours.ts';

/** Posts whose dates are compared with those of the posts closest to them, and how many of those. */
const SAMPLE = 1024;
const CLOSE = 3;
/** Posts asked between two yields. */
const POSTS_A_STEP = 4;
/** The nearness of a post is the mean closeness of so many posts; of a smaller site nothing is learned. */
const NEAREST = 20;
const LEAST_POSTS = 100;
/** Newest posts that are rated, to bound the work: nearly all that is read of a site is among them. */
const RATED = 8192;
/** Beyond these a post has hardly any neighbours, or many copies. */
export const LEAST_NEARNESS = 0.5;
const MOST_NEARNESS = 2;

export interface SurveyFacts {
  /** Of `DateGaps`. */
  dateGaps?: readonly number[] | undefined;
  usualNearness: number;
}

export class Survey {
  /** What dates of posts say. */
  dateGaps = new DateGaps();
  /** The nearness that counts as 1; 0 where nothing is known. */
  usualNearness = 0;

  *run(index: Searched): Generator<void> {
    const { catalogue } = index;
    const { nearness } = catalogue;
    const dated = datedOf(catalogue);
    const sampled = sampleOf(dated);
    const rated = catalogue.count < LEAST_POSTS ? [] : newestOf(catalogue, RATED);
    const gaps: number[] = [];
    // One question says both: of most sites all posts are asked.
    const found = yield* nearnessOf(index, new Set([...rated, ...sampled]), (post, closest) => {
      if (sampled.has(post)) gaps.push(...gapsOf(catalogue, post, closest.slice(0, CLOSE)));
    });
    this.dateGaps = learnDateGaps({ close: gaps, dates: dated.map((post) => at(catalogue.pubDates, post)) });
    this.usualNearness = 0;
    nearness.fill(1);
    if (rated.length > 0) {
      const isRated = new Set(rated);
      const ratings = found.filter(({ number }) => isRated.has(number));
      let logs = 0;
      for (const { closeness } of ratings) logs += Math.log(closeness);
      this.usualNearness = Math.exp(logs / ratings.length);
      this.enter(index, ratings);
    }
    catalogue.version++;
  }

  /** Rates posts that came since. */
  *rate(index: Searched, posts: Iterable<number>): Generator<void> {
    if (this.usualNearness === 0) return;
    this.enter(index, yield* nearnessOf(index, posts));
    index.catalogue.version++;
  }

  /** What a snapshot keeps of it. */
  get facts(): SurveyFacts {
    return { dateGaps: this.dateGaps.logs, usualNearness: this.usualNearness };
  }

  restore({ dateGaps, usualNearness }: SurveyFacts): void {
    this.dateGaps = new DateGaps(dateGaps);
    this.usualNearness = usualNearness;
  }

  private enter({ catalogue }: Searched, found: readonly Neighbour[]): void {
    for (const { number, closeness } of found) {
      const ratio = closeness / this.usualNearness;
      catalogue.nearness[number] = Math.min(MOST_NEARNESS, Math.max(LEAST_NEARNESS, ratio));
    }
  }
}

/** Posts whose dates are known. */
function datedOf({ urls, pubDates }: Catalogue): number[] {
  return [...urls.keys()].filter((post) => urls[post] !== '' && !Number.isNaN(pubDates[post]));
}

/** Some of them, spread over all. */
function sampleOf(posts: readonly number[]): Set<number> {
  const every = Math.max(1, Math.ceil(posts.length / SAMPLE));
  return new Set(posts.filter((_, place) => place % every === 0));
}

function newestOf(catalogue: Catalogue, most: number): number[] {
  const { urls } = catalogue;
  const posts = [...urls.keys()].filter((post) => urls[post] !== '');
  return posts.sort((a, b) => catalogue.dateOrOldest(b) - catalogue.dateOrOldest(a)).slice(0, most);
}

/** Days between a post and those closest to it. */
function gapsOf({ pubDates }: Catalogue, post: number, closest: readonly Neighbour[]): number[] {
  const date = at(pubDates, post);
  const dates = closest.map(({ number }) => at(pubDates, number)).filter((other) => !Number.isNaN(other));
  return dates.map((other) => Math.abs(date - other) / DAY);
}

/**
 * How close those nearest to each post are, on the mean; posts that have none are left out.
 * @param onClosest Called with those nearest to each, closest first.
 */
function* nearnessOf(
  index: Searched,
  posts: Iterable<number>,
  onClosest: (post: number, closest: readonly Neighbour[]) => void = () => {},
): Generator<void, Neighbour[]> {
  const finder = new NeighbourFinder();
  const { urls } = index.catalogue;
  const found: Neighbour[] = [];
  let asked = 0;
  for (const number of posts) {
    if (asked++ % POSTS_A_STEP === 0) yield;
    if (!urls[number]) continue;
    const closest = finder.closest(index, number, NEAREST);
    onClosest(number, closest);
    let sum = 0;
    for (const { closeness } of closest) sum += closeness;
    if (sum > 0) found.push({ number, closeness: sum / NEAREST });
  }
  return found;
}
