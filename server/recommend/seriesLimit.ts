// No series fills a list: parts, yearly reviews and reports made of a template are close to one another in all their
// words. The first four of a series keep their places, the others come behind everything else that is related. A
// series that most posts of the site belong to is what the site is about, and is not limited.
//
// Which four, the scores of all say: a filter that leaves some of them out brings no other of the series forward.

import { at } from '../at.ts';
import { MAX_RECORDS } from '../contract/limits.ts';
import type { Catalogue } from '../textindex/catalogue.ts';
import type { Filter } from './filters.ts';
import type { Query } from './query.ts';
import type { ScoredCandidates } from './scorer.ts';
import { scoreOf } from './scoring.ts';
import { byAddress, type Ranked } from './topK.ts';

/** Posts of one series that keep their places. */
const MOST = 4;
/** Posts held back until the list ends, as many as the longest list has: a site may have thousands of a template. */
const HELD = MAX_RECORDS;
/** Posts that stand for all of the site: they are compared with each post that is held back. */
const SAMPLE = 64;

interface Limited {
  scored: ScoredCandidates;
  /** Which posts may be shown. */
  allowed: Filter;
  /** Whether a post is close enough to be shown. */
  isRelated: (number: number) => boolean;
}

/** @param ranking Related posts that may be shown, best first. */
export function* withinSeriesLimit(query: Query, ranking: Iterable<Ranked>, limited: Limited): Generator<Ranked> {
  const { catalogue } = query.index;
  const { frames } = catalogue;
  const better: number[] = [];
  const held: Ranked[] = [];
  const hidden = hiddenOf(query, limited);
  for (const ranked of ranking) {
    const { number } = ranked;
    let ahead = 0;
    for (let i = 0; i < better.length && ahead < MOST; i++) if (frames.areAlike(at(better, i), number)) ahead++;
    for (const place of hidden) if (ahead < MOST && standsAhead(query, limited, { place, ranked })) ahead++;
    better.push(number);
    if (ahead < MOST || isMostOf(catalogue, number)) yield ranked;
    else if (held.push(ranked) === HELD) break;
  }
  yield* held;
}

/** Places of the candidates that only a filter or an exclusion leaves out. */
function hiddenOf({ index, post, read, now }: Query, { scored, allowed }: Limited): number[] {
  const { listed, pubDates } = index.catalogue;
  const places: number[] = [];
  for (let place = 0; place < scored.count; place++) {
    const number = scored.numbers[place]!;
    if (allowed(number) || listed[number] !== 1 || number === post || pubDates[number]! > now) continue;
    if (!read.includes(number)) places.push(place);
  }
  return places;
}

/** Whether a hidden candidate is of the same series and would come before a post. */
function standsAhead(
  { index }: Query,
  { scored, isRelated }: Limited,
  { place, ranked }: { place: number; ranked: Ranked },
): boolean {
  const { frames, urls } = index.catalogue;
  const number = scored.numbers[place]!;
  if (!frames.areAlike(number, ranked.number)) return false;
  const score = scoreOf(scored.scorer, number, scored.scores[place]!);
  if (score < ranked.score || (score === ranked.score && !byAddress(urls)(number, ranked.number))) return false;
  return isRelated(number);
}

/** Whether most posts of the site are of the series of this one. */
function isMostOf({ size, frames, listed }: Catalogue, number: number): boolean {
  const step = Math.ceil(size / SAMPLE);
  let all = 0;
  let alike = 0;
  for (let other = 0; other < size; other += step) {
    if (listed[other] !== 1) continue;
    all++;
    if (frames.areAlike(number, other)) alike++;
  }
  return alike * 2 > all;
}
