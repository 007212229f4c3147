// Diversification: of ten posts in a row only so many share their section, an author, a tag or a series. A post
// beyond a limit is not left out: it stands later in the list. Among the next fifty posts by score the first that
// keeps the limits comes next; where none does, the first of all.

import type { PostIndex } from '../textindex/postIndex.ts';
import type { Query } from './query.ts';
import type { Ranked } from './topK.ts';
import type { Workspace } from './workspace.ts';

/** Posts in a row that the limits are kept in. */
const WINDOW = 10;
/** Posts alike in one respect among them, with the dial at 1. */
const FEWEST = 2;
/** Posts that may be preferred to one before them: further down hardly any fits the page. */
const LOOK_AHEAD = 50;
/** Titles that have this share of the longer one's words in common, and so many, are of one series. */
const SERIES_SHARE = 2 / 3;
const SERIES_WORDS = 2;

/** In which respects posts may be alike. */
interface Traits {
  section: number;
  authors: Uint32Array;
  tags: Uint32Array;
  title: ReadonlySet<number>;
}

/** @param diversity More than 0, at most 1. */
export function* diversified(
  { index, workspace }: Query,
  ranking: Iterable<Ranked>,
  diversity: number,
): Generator<Ranked> {
  const limit = limitOf(diversity);
  const waiting: Waiting[] = [];
  const source = ranking[Symbol.iterator]();
  let shown: Traits[] = [];
  for (;;) {
    const found = nextOf(
      waiting,
      (traits) => keepsLimit(shown, traits, limit),
      () => {
        const { done, value } = source.next();
        return done ? undefined : { ranked: value, traits: traitsOf(index, value.number, workspace) };
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
    if (at === waiting.length) {
      const pulled = pull();
      if (!pulled) break;
      waiting.push(pulled);
    }
    if (fits(waiting[at]!.traits)) return waiting.splice(at, 1)[0];
  }
  return waiting.shift();
}

/** Posts of ten that may be alike in one respect. */
const limitOf = (diversity: number): number => Math.round(WINDOW - (WINDOW - FEWEST) * diversity);

/** The window that is full says nothing of the next post: it begins a new one. */
function keepsLimit(shown: readonly Traits[], traits: Traits, limit: number): boolean {
  if (shown.length < limit || shown.length === WINDOW) return true;
  const isFew = (alike: (one: Traits) => boolean) => shown.filter(alike).length < limit;
  return (
    (traits.section < 0 || isFew(({ section }) => section === traits.section)) &&
    traits.authors.every((author) => isFew(({ authors }) => authors.includes(author))) &&
    traits.tags.every((tag) => isFew(({ tags }) => tags.includes(tag))) &&
    isFew(({ title }) => isSeries(title, traits.title))
  );
}

function isSeries(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared >= SERIES_WORDS && shared >= SERIES_SHARE * Math.max(a.size, b.size);
}

/** A post without a section shares none. */
function traitsOf(index: PostIndex, number: number, { reader }: Workspace): Traits {
  const { catalogue } = index;
  const section = catalogue.sectionOf[number]!;
  return {
    section: section === catalogue.sections.find('') ? -1 : section,
    authors: catalogue.authorsOf[number]!,
    tags: catalogue.tagsOf[number]!,
    title: reader.titleNumbers(index.post(number)),
  };
}
