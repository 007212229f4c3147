// Third call: candidates are judged by titles, tags, authors and time too. Products, not sums: they carry from site to site.
// What a post is worth hangs on that post alone, never on which others may be shown.

import { closenesses, type Found } from './candidates.ts';
import type { PostIndex } from './postIndex.ts';
import { wantedWords, wordTerm } from './termReader.ts';
import type { Asked } from './understand.ts';
import type { Probe } from './vectors.ts';
import { GAINS, MOMENT_DECAY, MOMENTS, TASTE_GAIN, TITLE_WORDS, VECTORS_GAIN } from './weights.ts';

const DAY_MS = 86_400_000;
/** Where a date is unknown. */
const UNKNOWN_DAYS = 365;

/** What a post's closeness is multiplied by, from one point of view; none is smaller than 1 … */
export interface Factor {
  of: (number: number) => number;
  /** It is never more than this. */
  most: number;
}

/** … but time, which is at most 1. */
export interface Factors {
  title: Factor;
  tags: Factor;
  author: Factor;
  time: Factor;
  taste: Factor;
  /** Undefined where there is no vector of the post being read. */
  vectors: Factor | undefined;
}

const NO_MATTER: Factor = { of: () => 1, most: 1 };

/** Says what a post is worth, by its number: in two steps, of which the second has to read the post. */
export interface Judge {
  /** What is told of a post without reading it, beginning with how close it is in words. */
  glance: (number: number, closeness: number) => number;
  /** The score, from what was told at a glance. */
  score: (number: number, glance: number) => number;
  /** What the score is at most, from what was told at a glance … */
  mostSeen: (number: number, glance: number) => number;
  /** … and from the closeness alone. Both hold but for rounding. */
  mostUnseen: (number: number, closeness: number) => number;
}

/** Posts that were found, and who judges them. */
export interface Judged extends Found {
  judge: Judge;
}

/** Appoints the judge of a question. */
export function score(index: PostIndex, asked: Asked, found: Found): Judged {
  const { title, tags, author, time, taste, vectors = NO_MATTER } = factorsOf(index, asked);
  const byReading = title.most * vectors.most;
  const all = byReading * tags.most * author.most;
  const timeAtMost = nearAtMost(index, momentsOf(asked));
  return {
    ...found,
    judge: {
      glance: (number, closeness) =>
        closeness * tags.of(number) * author.of(number) * time.of(number) * taste.of(number),
      // As many digits as a closeness has: of two copies none shall stand first because of the last one.
      score: (number, glance) => Math.fround(glance * title.of(number) * vectors.of(number)),
      mostSeen: (_, glance) => glance * byReading,
      mostUnseen: (number, closeness) => closeness * all * timeAtMost(number) * taste.of(number),
    },
  };
}

/** What a post's score is, from how close it is in words. */
export const scoreOf = ({ score, glance }: Judge, number: number, closeness: number): number =>
  score(number, glance(number, closeness));

/** The posts whose times others are measured by, newest visit first. */
const momentsOf = ({ post, read }: Asked): readonly number[] => (post >= 0 ? [post] : read.slice(0, MOMENTS));

export function factorsOf(index: PostIndex, asked: Asked): Factors {
  const { post, taste } = asked;
  const time = nearInTime(index, momentsOf(asked));
  if (post < 0) {
    return { title: NO_MATTER, tags: NO_MATTER, author: NO_MATTER, time, taste: NO_MATTER, vectors: undefined };
  }
  return {
    title: alikeInTitle(index, post),
    tags: alikeInTags(index, post, index.gains.tags),
    author: byTheSame(index, post, index.gains.author),
    time,
    taste: taste ? toTaste(index, taste) : NO_MATTER,
    vectors: alikeInVectors(index, post),
  };
}

/** Only lifts: that two posts are unlike is for their words to say. */
function alikeInVectors({ catalogue }: PostIndex, asked: number): Factor | undefined {
  const { urls, embeddings } = catalogue;
  const alike = embeddings.alikeTo(urls[asked]!);
  if (!alike) return undefined;
  return { of: (number) => 1 + VECTORS_GAIN * Math.max(0, alike(urls[number]!)), most: 1 + VECTORS_GAIN };
}

/** Lifts what the visitor likes, the favourite most. */
function toTaste(index: PostIndex, taste: Probe): Factor {
  const likings = closenesses(index, taste);
  return { of: (number) => 1 + (TASTE_GAIN * likings.of(number)) / (likings.most || 1), most: 1 + TASTE_GAIN };
}

/**
 * Holds back posts published long before or after others, newest visit first; where a date is unknown, as if a year lay
 * between. Of a visitor of several interests the visits before the newest count too, each step back less: a time between
 * the times of two interests would be that of neither.
 */
function nearInTime({ catalogue, gains }: PostIndex, others: readonly number[]): Factor {
  const { pubDates } = catalogue;
  const moments = others.map((other) => pubDates[other]!);
  const near = (number: number) => {
    let most = 0;
    let share = 1;
    for (const moment of moments) {
      const days = Math.abs(pubDates[number]! - moment) / DAY_MS;
      most = Math.max(
        most,
        share * (1 + (Number.isNaN(days) ? UNKNOWN_DAYS : days) / gains.timeDays) ** -gains.timePower,
      );
      share *= MOMENT_DECAY;
    }
    return most;
  };
  return { of: near, most: 1 };
}

/** Days told apart; further away nothing is said but that it is further. */
const DAYS = 4096;
/** By power and scale of time: what is said of so many days, rounded down. Reused from question to question. */
const ready = { timePower: 0, timeDays: 0, byDay: new Float64Array(DAYS) };

/** What `nearInTime` says at most, told sooner. */
function nearAtMost({ catalogue, gains }: PostIndex, others: readonly number[]): (number: number) => number {
  const { pubDates } = catalogue;
  const { timePower, timeDays } = gains;
  const { byDay } = ready;
  if (ready.timePower !== timePower || ready.timeDays !== timeDays) {
    Object.assign(ready, { timePower, timeDays });
    for (let day = 0; day < DAYS; day++) byDay[day] = (1 + day / timeDays) ** -timePower;
  }
  const moments = Float64Array.from(others, (other) => pubDates[other]!);
  return (number) => {
    const date = pubDates[number]!;
    let most = 0;
    let share = 1;
    for (let i = 0; i < moments.length; i++) {
      const days = Math.abs(date - moments[i]!) / DAY_MS;
      most = Math.max(most, share * byDay[Number.isNaN(days) ? UNKNOWN_DAYS : Math.min(days, DAYS - 1) | 0]!);
      share *= MOMENT_DECAY;
    }
    return most;
  };
}

/** What tags and authors in common say together, as the floors count it: what is relevant is not for gains to say. */
export function alikeInNames(index: PostIndex, asked: number): (number: number) => number {
  const tags = alikeInTags(index, asked, GAINS.tags);
  const author = byTheSame(index, asked, GAINS.author);
  return (number) => tags.of(number) * author.of(number);
}

function byTheSame({ catalogue }: PostIndex, asked: number, gain: number): Factor {
  const { authorsOf } = catalogue;
  const authors = authorsOf[asked]!;
  if (authors.length === 0) return NO_MATTER;
  return {
    of: (number) => {
      for (const author of authorsOf[number]!) if (authors.includes(author)) return 1 + gain;
      return 1;
    },
    most: 1 + gain,
  };
}

/** Cosine of the tags, the rarer ones weighing more. */
function alikeInTags({ catalogue }: PostIndex, asked: number, gain: number): Factor {
  const { tagsOf, tags, count } = catalogue;
  const weightOf = (tag: number) => Math.log(1 + count / Math.max(1, tags.uses(tag))) ** 2;
  const mine = new Map(Array.from(tagsOf[asked]!, (tag) => [tag, weightOf(tag)]));
  const length = sum(mine.values());
  if (length === 0) return NO_MATTER;
  const alike = (number: number) => {
    let shared = 0;
    let other = 0;
    for (const tag of tagsOf[number]!) {
      const weight = mine.get(tag);
      shared += weight ?? 0;
      other += weight ?? weightOf(tag);
    }
    return shared === 0 ? 1 : 1 + (gain * shared) / Math.sqrt(length * other);
  };
  return { of: alike, most: 1 + gain };
}

/** Of the words of a title: in how many posts each stands, and how much it tells. Reused from post to post. */
const told = { posts: new Uint32Array(TITLE_WORDS), rarities: new Float64Array(TITLE_WORDS) };

/** Lifts posts that speak of what the title being read names, and whose own title the text being read speaks of. */
function alikeInTitle(index: PostIndex, asked: number): Factor {
  const { digests, reader, gains } = index;
  const rarityOf = (word: number) => index.rarity(index.postsWith(wordTerm(word)));
  const wanted = wantedWords(reader.titleNumbers(digests.place(asked)), rarityOf);
  const length = sum(wanted.rarities);
  const alike = (number: number) => {
    const place = digests.place(number);
    const found = reader.toldBy(wanted, place);
    let all = 0;
    let spoken = 0;
    const theirs = reader.readTitle(place);
    index.counts.postsOf(theirs, told.posts);
    index.raritiesOf(told.posts, theirs.count, told.rarities);
    for (let i = 0; i < theirs.count; i++) {
      const rarity = told.rarities[i]!;
      all += rarity;
      if (index.asked.find(theirs.terms[i]!) >= 0) spoken += rarity;
    }
    return (1 + (gains.titleFound * found) / (length || 1)) * (1 + (gains.titleSpoken * spoken) / (all || 1));
  };
  return { of: alike, most: (1 + gains.titleFound) * (1 + gains.titleSpoken) };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
