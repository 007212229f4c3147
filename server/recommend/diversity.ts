// Diversification: of ten posts in a row only so many share their section, an author, a tag or a series. A post
// beyond a limit is not left out: it stands later in the list. Among the next fifty posts by score the first that
// keeps the limits comes next; where none does, the first of all.

import { at } from '../at.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { TitleFrames } from '../textindex/titleFrames.ts';
import type { Ranked } from './prunedTopK.ts';
import type { Query } from './query.ts';

/** Posts in a row that the limits are kept in. */
const WINDOW = 10;
/** Posts alike in one respect among them, with the dial at 1. */
const FEWEST = 2;
/** Posts that may be preferred to one before them: further down hardly any fits the page. */
const LOOK_AHEAD = 50;

/** In which respects posts may be alike. */
interface Traits {
  number: number;
  section: number;
  authors: Uint32Array;
  tags: Uint32Array;
}

/** Posts of ten that may be alike in one respect, and which are of one series. */
interface Limits {
  limit: number;
  frames: TitleFrames;
}

/** @param diversity More than 0, at most 1. */
export function* diversified({ index }: Query, ranking: Iterable<Ranked>, diversity: number): Generator<Ranked> {
  const limits = { limit: limitOf(diversity), frames: index.catalogue.frames };
  const waiting: Waiting[] = [];
  const source = ranking[Symbol.iterator]();
  let shown: Traits[] = [];
  for (;;) {
    const found = nextOf(
      waiting,
      (traits) => keepsLimit(shown, traits, limits),
      () => {
        const { done, value } = source.next();
        return done ? undefined : { ranked: value, traits: traitsOf(index, value.number) };
      },
    );
    if (!found) return;
    if (shown.length === WINDOW) shown = [];
    shown.push(found.traits);
    yield found.ranked;
  }
}

interface Waiting {
  ranked: Ranked;
  traits: Traits;
}

/**
 * Takes the first that fits out of those waiting, else the first of all. Posts are pulled only until one fits: each
 * that is pulled has to be scored.
 * @returns undefined where none is left.
 */
function nextOf(
  waiting: Waiting[],
  fits: (traits: Traits) => boolean,
  pull: () => Waiting | undefined,
): Waiting | undefined {
  for (let at = 0; at < LOOK_AHEAD; at++) {
    let one = waiting[at];
    if (one === undefined) {
      one = pull();
      if (one === undefined) break;
      waiting.push(one);
    }
    if (!fits(one.traits)) continue;
    waiting.splice(at, 1);
    return one;
  }
  return waiting.shift();
}

/** Posts of ten that may be alike in one respect. */
const limitOf = (diversity: number): number => Math.round(WINDOW - (WINDOW - FEWEST) * diversity);

/** The window that is full says nothing of the next post: it begins a new one. */
function keepsLimit(shown: readonly Traits[], traits: Traits, { limit, frames }: Limits): boolean {
  if (shown.length < limit || shown.length === WINDOW) return true;
  const isFew = (alike: (one: Traits) => boolean) => shown.filter(alike).length < limit;
  return (
    (traits.section < 0 || isFew(({ section }) => section === traits.section)) &&
    traits.authors.every((author) => isFew(({ authors }) => authors.includes(author))) &&
    traits.tags.every((tag) => isFew(({ tags }) => tags.includes(tag))) &&
    isFew(({ number }) => frames.areAlike(number, traits.number))
  );
}

/** A post without a section shares none. */
function traitsOf({ catalogue }: PostIndex, number: number): Traits {
  const section = at(catalogue.sectionOf, number);
  return {
    number,
    section: section === catalogue.sections.find('') ? -1 : section,
    authors: at(catalogue.authorsOf, number),
    tags: at(catalogue.tagsOf, number),
  };
}
