// Third call: the closest posts, judged again by titles, tags, authors and time. Products, not sums: they carry from
// site to site.

import { best } from './best.ts';
import { closenesses, type Found } from './candidates.ts';
import type { PostIndex } from './postIndex.ts';
import { wantedWords, wordTerm } from './termReader.ts';
import type { Asked } from './understand.ts';
import type { Probe } from './vectors.ts';
import { GAINS, MOMENT_DECAY, MOMENTS, RERANKED, TASTE_GAIN, VECTORS_GAIN } from './weights.ts';

const DAY_MS = 86_400_000;

/** What a post's closeness is multiplied by, from one point of view; none is smaller than 1 … */
export type Factor = (number: number) => number;

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

const NO_MATTER: Factor = () => 1;

/**
 * Scores of the relevant posts. Only the closest few are judged again; the others keep their closeness times what it could
 * at worst have become, and so stay below. Works in place.
 */
export function score(index: PostIndex, asked: Asked, found: Found): Found {
  const { urls } = index.catalogue;
  const { title, tags, author, time, taste, vectors = NO_MATTER } = factorsOf(index, asked);
  const { numbers, scores, count } = found;
  const closest = best(found, RERANKED, (a, b) => urls[a]! < urls[b]!);
  let worst = Number.POSITIVE_INFINITY;
  for (const at of closest) {
    const number = numbers[at]!;
    const closeness = scores[at]!;
    scores[at]! *= title(number) * tags(number) * author(number) * time(number) * taste(number) * vectors(number);
    worst = Math.min(worst, scores[at]! / closeness);
  }
  if (closest.length < count) {
    const judged = closest.map((at) => scores[at]!);
    for (let at = 0; at < count; at++) scores[at]! *= worst;
    closest.forEach((at, place) => {
      scores[at] = judged[place]!;
    });
  }
  return found;
}

export function factorsOf(index: PostIndex, { post, read, taste }: Asked): Factors {
  const time = nearInTime(index, post >= 0 ? [post] : read.slice(0, MOMENTS));
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
  return alike && ((number) => 1 + VECTORS_GAIN * Math.max(0, alike(urls[number]!)));
}

/** Lifts what the visitor likes, the favourite most. */
function toTaste(index: PostIndex, taste: Probe): Factor {
  const likings = closenesses(index, taste);
  return (number) => 1 + (TASTE_GAIN * likings.of(number)) / (likings.most || 1);
}

/**
 * Holds back posts published long before or after others, newest visit first; where a date is unknown, as if a year lay
 * between. Of a visitor of several interests the visits before the newest count too, each step back less: a time between
 * the times of two interests would be that of neither.
 */
function nearInTime({ catalogue, gains }: PostIndex, others: readonly number[]): Factor {
  const { pubDates } = catalogue;
  const moments = others.map((other) => pubDates[other]!);
  return (number) => {
    let most = 0;
    let share = 1;
    for (const moment of moments) {
      const days = Math.abs(pubDates[number]! - moment) / DAY_MS;
      most = Math.max(most, share * (1 + (Number.isNaN(days) ? 365 : days) / gains.timeDays) ** -gains.timePower);
      share *= MOMENT_DECAY;
    }
    return most;
  };
}

/** What tags and authors in common say together, as the floors count it: what is relevant is not for gains to say. */
export function alikeInNames(index: PostIndex, asked: number): Factor {
  const tags = alikeInTags(index, asked, GAINS.tags);
  const author = byTheSame(index, asked, GAINS.author);
  return (number) => tags(number) * author(number);
}

function byTheSame({ catalogue }: PostIndex, asked: number, gain: number): Factor {
  const { authorsOf } = catalogue;
  const authors = authorsOf[asked]!;
  return (number) => (authorsOf[number]!.some((author) => authors.includes(author)) ? 1 + gain : 1);
}

/** Cosine of the tags, the rarer ones weighing more. */
function alikeInTags({ catalogue }: PostIndex, asked: number, gain: number): Factor {
  const { tagsOf, tags, count } = catalogue;
  const weightOf = (tag: number) => Math.log(1 + count / Math.max(1, tags.uses(tag))) ** 2;
  const mine = new Map(Array.from(tagsOf[asked]!, (tag) => [tag, weightOf(tag)]));
  const length = sum(mine.values());
  if (length === 0) return NO_MATTER;
  return (number) => {
    let shared = 0;
    let other = 0;
    for (const tag of tagsOf[number]!) {
      const weight = mine.get(tag);
      shared += weight ?? 0;
      other += weight ?? weightOf(tag);
    }
    return shared === 0 ? 1 : 1 + (gain * shared) / Math.sqrt(length * other);
  };
}

/** Lifts posts that speak of what the title being read names, and whose own title the text being read speaks of. */
function alikeInTitle(index: PostIndex, asked: number): Factor {
  const { digests, reader, gains } = index;
  const rarityOf = (word: number) => index.rarity(index.postsWith(wordTerm(word)));
  const wanted = wantedWords(reader.titleNumbers(digests.place(asked)), rarityOf);
  const length = sum(wanted.rarities);
  return (number) => {
    const place = digests.place(number);
    const found = reader.toldBy(wanted, place);
    let all = 0;
    let spoken = 0;
    const theirs = reader.readTitle(place);
    for (let i = 0; i < theirs.count; i++) {
      const rarity = index.rarity(index.postsWith(theirs.terms[i]!));
      all += rarity;
      if (index.asked.find(theirs.terms[i]!) >= 0) spoken += rarity;
    }
    return (1 + (gains.titleFound * found) / (length || 1)) * (1 + (gains.titleSpoken * spoken) / (all || 1));
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
