// What is learned of a site as a whole when its main segment is made anew, in steps of a millisecond or two; and what
// is learned in the same way of each post that comes later, when it is merged.

import { DateGaps, learnDateGaps } from './dateGaps.ts';
import { type Neighbour, NeighbourFinder, type Searched } from './neighbours.ts';

const DAY_MS = 86_400_000;
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
    const { pubDates, urls, count, nearness } = index.catalogue;
    const finder = new NeighbourFinder();
    this.dateGaps = yield* surveyDateGaps(index, finder);
    this.usualNearness = 0;
    nearness.fill(1);
    if (count >= LEAST_POSTS) {
      const dateOf = (post: number) => pubDates[post] || Number.NEGATIVE_INFINITY;
      const posts = [...urls.keys()].filter((post) => urls[post] !== '').sort((a, b) => dateOf(b) - dateOf(a));
      const found = yield* nearnessOf(index, finder, posts.slice(0, RATED));
      let logs = 0;
      for (const { closeness } of found) logs += Math.log(closeness);
      this.usualNearness = Math.exp(logs / found.length);
      this.enter(index, found);
    }
    index.catalogue.version++;
  }

  /** Rates posts that came since. */
  *rate(index: Searched, posts: Iterable<number>): Generator<void> {
    if (this.usualNearness === 0) return;
    this.enter(index, yield* nearnessOf(index, new NeighbourFinder(), posts));
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

function* surveyDateGaps(index: Searched, finder: NeighbourFinder): Generator<void, DateGaps> {
  const { pubDates, size, urls } = index.catalogue;
  const isDated = (post: number) => urls[post] !== '' && !Number.isNaN(pubDates[post]!);
  const dated = Array.from({ length: size }, (_, post) => post).filter(isDated);
  const every = Math.max(1, Math.ceil(dated.length / SAMPLE));
  const close: number[] = [];
  for (let at = 0; at < dated.length; at += every) {
    const post = dated[at]!;
    for (const { number } of finder.closest(index, post, CLOSE)) {
      if (isDated(number)) close.push(Math.abs(pubDates[post]! - pubDates[number]!) / DAY_MS);
    }
    if (at % (every * POSTS_A_STEP) === 0) yield;
  }
  return learnDateGaps({ close, dates: dated.map((post) => pubDates[post]!) });
}

/** How close those nearest to each post are, on the mean; posts that have none are left out. */
function* nearnessOf(index: Searched, finder: NeighbourFinder, posts: Iterable<number>): Generator<void, Neighbour[]> {
  const { urls } = index.catalogue;
  const found: Neighbour[] = [];
  let asked = 0;
  for (const number of posts) {
    if (asked++ % POSTS_A_STEP === 0) yield;
    if (!urls[number]) continue;
    let sum = 0;
    for (const { closeness } of finder.closest(index, number, NEAREST)) sum += closeness;
    if (sum > 0) found.push({ number, closeness: sum / NEAREST });
  }
  return found;
}
