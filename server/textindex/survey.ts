// What is learned of a site as a whole when its main segment is made anew, in steps of a millisecond or two.

import { DateGaps, learnDateGaps } from './dateGaps.ts';
import { NeighbourFinder, type Searched } from './neighbours.ts';

const DAY_MS = 86_400_000;
/** Posts that are asked for those closest to them, and how many of those. */
const SAMPLE = 1024;
const CLOSE = 3;
/** Posts asked between two yields. */
const POSTS_A_STEP = 4;

export class Survey {
  /** What dates of posts say. */
  dateGaps = new DateGaps();

  *run(index: Searched): Generator<void> {
    this.dateGaps = yield* surveyDateGaps(index);
    index.catalogue.version++;
  }

  restore({ dateGaps }: { dateGaps?: readonly number[] | undefined }): void {
    this.dateGaps = new DateGaps(dateGaps);
  }
}

function* surveyDateGaps(index: Searched): Generator<void, DateGaps> {
  const { pubDates, size, urls } = index.catalogue;
  const finder = new NeighbourFinder();
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
