// What comes one at a time, goes and comes again is found as if the site had been read at once; and read at once, or in parts
// that are sorted by themselves, it is counted as if it had come one at a time.
import { expect, test } from 'vitest';
import { vectorOfPost } from '../../server/recommend/queryVector.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { COMMON_SHARE } from '../../server/textindex/settings.ts';
import { TermReader, wordTerm } from '../../server/textindex/termReader.ts';
import { SHARDS } from '../../server/textindex/termTable.ts';
import { Tokenizer } from '../../server/textindex/tokenizer.ts';
import { at, post } from './corpus.ts';

const POSTS = 2000;
const TERMS = 400;

/** Words that few posts share, and neighbours that two do: what a list is first made for. */
function story(number: number): IndexedPost {
  const words = Array.from({ length: 60 }, (_, place) => `w${(number * 31 + place * place * 7) % 1500}`);
  return post(String(number), {
    title: `story ${number % 700}`,
    fullContent: words.join(' '),
    tags: [`t${number % 90}`],
  });
}

/** So many that the memory segment is merged: until then the older post of a term of two has no posting of it. */
const NEWCOMERS = 512;

const removed = (number: number) => number % 7 === 3;
const changed = (number: number) => number % 11 === 5 && !removed(number);
const newer = (number: number): IndexedPost => ({ ...story(number), fullContent: story(number + 1).fullContent });

/** Steps of background work, a few after each change, as a server does them. */
class Background {
  private work: Generator<void> | undefined;
  private readonly index: PostIndex;

  constructor(index: PostIndex) {
    this.index = index;
  }

  run(steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.work ??= this.index.tidy();
      if (this.work.next().done) this.work = undefined;
    }
  }

  /** What was begun, and then all there is. */
  finish(): void {
    for (const _ of this.work ?? []);
    this.work = undefined;
    for (let merges = -1; merges !== this.index.merges; ) {
      merges = this.index.merges;
      for (const _ of this.index.tidy());
    }
  }
}

test('postings are the same however they came: one at a time, with merges between, or all at once', () => {
  const grown = new PostIndex();
  const background = new Background(grown);
  const read = new PostIndex();
  const change = (work: (index: PostIndex) => void) => {
    work(grown);
    work(read);
    background.run(3);
  };
  for (let number = 0; number < POSTS; number++) {
    grown.put(story(number));
    read.put(story(number), { deferred: true });
    background.run(3);
  }
  for (let number = 0; number < POSTS; number++) {
    if (removed(number)) change((index) => index.remove(at(String(number))));
    else if (changed(number)) change((index) => index.put(newer(number)));
  }
  for (let number = POSTS; number < POSTS + NEWCOMERS; number++)
    for (const index of [grown, read]) index.put(story(number));
  background.finish();
  for (const _ of read.tidy());
  expect(grown.size).toBe(read.size);
  for (let number = 0; number < POSTS; number += 13) {
    if (!removed(number)) expect(closest(grown, number)).toEqual(closest(read, number));
  }
});

/** So little that the posts of this site are sorted in a dozen parts. */
const LITTLE_ROOM = 1 << 15;

test('nor does it matter in how many parts a site is sorted, and what is written and removed meanwhile', () => {
  const grown = new PostIndex();
  const read = new PostIndex(LITTLE_ROOM);
  const change = (work: (index: PostIndex) => void) => [grown, read].forEach(work);
  for (let number = 0; number < POSTS; number++) {
    grown.put(story(number));
    if (number % 50 === 7) read.put(story(number));
    else read.put(story(number), { deferred: true });
    if (number % 2 === 0) for (const _ of read.tidy({ merge: false }));
  }
  for (let number = 0; number < POSTS; number += 40) {
    if (removed(number)) change((index) => index.remove(at(String(number))));
    else if (changed(number)) change((index) => index.put(newer(number)));
  }
  let step = 0;
  for (const _ of read.tidy()) {
    const number = step++;
    if (number >= POSTS || number % 40 === 0) continue;
    if (removed(number)) change((index) => index.remove(at(String(number))));
    else if (changed(number)) change((index) => index.put(newer(number)));
  }
  expect(step).toBeGreaterThan(SHARDS);
  // A word that came back to a single post meanwhile is looked for in the older ones when the newcomers are merged.
  for (let number = POSTS; number < POSTS + NEWCOMERS; number++) change((index) => index.put(story(number)));
  change((index) => [...index.tidy()]);
  expect(read.size).toBe(grown.size);
  expect(miscounted(read).wrong).toBe(0);
  expect(miscounted(read).onceMore).toBeLessThan(0.05);
  for (let number = 0; number < POSTS; number += 13) {
    if (!removed(number)) expect(closest(read, number)).toEqual(closest(grown, number));
  }
});

test('a word that is common no longer leads to all its posts, newer and older ones, and is counted in all after a restart', () => {
  const about = (name: string, fullContent: string) => post(name, { title: `${name} of many`, fullContent });
  const older = Array.from({ length: 1200 }, (_, n) => about(`older${n}`, n % 13 === 0 ? 'ferry' : 'bread'));
  const newer = Array.from({ length: 600 }, (_, n) => about(`newer${n}`, n % 100 === 0 ? 'ferry' : 'bread'));
  const index = new PostIndex();
  for (const one of older) index.put(one, { deferred: true });
  for (const _ of index.tidy());
  for (const one of newer) index.put(one);
  for (const _ of index.tidy());
  const withFerry = [...older, ...newer].filter(({ fullContent }) => fullContent === 'ferry').map(({ url }) => url);
  expect(withFerry.length).toBeLessThan(index.statistics.common);
  expect(withFerry.length).toBeGreaterThan(older.length * COMMON_SHARE);
  expect(foundBy(index, 'ferry')).toEqual(withFerry.sort());

  const again = restarted(index, [...older, ...newer]);
  expect(again.statistics.postsWith(termOf(again, 'ferry'))).toBe(withFerry.length);
  expect(foundBy(again, 'ferry')).toEqual(withFerry);
});

test('a word that is common no longer is counted in all its posts after a restart before the next merge, once in each', () => {
  const about = (name: string, fullContent: string) => post(name, { title: `${name} of many`, fullContent });
  const older = Array.from({ length: 1200 }, (_, n) => about(`older${n}`, n % 13 === 0 ? 'ferry' : 'bread'));
  const newer = Array.from({ length: 300 }, (_, n) => about(`newer${n}`, n % 100 === 0 ? 'ferry' : 'bread'));
  const index = new PostIndex();
  for (const one of older) index.put(one, { deferred: true });
  for (const _ of index.tidy());
  for (const one of newer) index.put(one);
  const again = restarted(index, [...older, ...newer]);
  const countsIn = (one: PostIndex) =>
    ['ferry', 'bread', 'of'].map((word) => one.statistics.postsWith(termOf(one, word)));
  expect(countsIn(index)[0]).toBeLessThan(index.statistics.common);
  expect(countsIn(again)).toEqual(countsIn(index));
});

function termOf(index: PostIndex, text: string): number {
  const [word] = new Tokenizer().wordsOf(text, 1);
  return wordTerm(index.dictionary.find(word!.high, word!.low));
}

/** Addresses of the posts that the inverted index has for a word. */
function foundBy(index: PostIndex, word: string): string[] {
  const vector = { terms: Uint32Array.of(termOf(index, word)), weights: Float32Array.of(1) };
  const sums = index.score(vector, new Float32Array(index.catalogue.size));
  return index.catalogue.urls.filter((url, number) => url !== '' && sums[number]! > 0).sort();
}

/** The index of a server that was stopped and started again: what is in its snapshot, and the other posts anew. */
function restarted(index: PostIndex, posts: readonly IndexedPost[]): PostIndex {
  const again = new PostIndex();
  const numbers = new Map<string, number>();
  for (const part of index.snapshot((number) => [number, index.catalogue.urls[number]]))
    if (part.name !== 'posts') again.restore(structuredClone(part));
    else for (const [number, url] of part.facts as [number, string][]) numbers.set(url, number);
  for (const one of posts) if (!again.restore(one, numbers.get(one.url))) again.put(one);
  return again;
}

/**
 * Terms whose number of posts is not what the posts themselves say; and the share of those that were taken for known when they
 * were new, or known from a post that is gone, as a few always are.
 */
function miscounted(index: PostIndex): { wrong: number; onceMore: number } {
  const truth = new Map<number, number>();
  const reader = new TermReader();
  for (let number = 0; number < index.catalogue.size; number++) {
    if (!index.catalogue.urls[number]) continue;
    const { terms, count } = reader.read(index.post(number));
    for (const term of terms.subarray(0, count)) truth.set(term, (truth.get(term) ?? 0) + 1);
  }
  const off = [...truth].filter(([term, posts]) => index.statistics.postsWith(term) !== posts);
  const onceMore = off.filter(([term, posts]) => index.statistics.postsWith(term) === posts + 1).length;
  return { wrong: off.length - onceMore, onceMore: onceMore / truth.size };
}

/** What the terms of a post add up to in the others, by address. */
function closest(index: PostIndex, number: number): Record<string, number> {
  const { catalogue } = index;
  const own = catalogue.find(at(String(number)));
  const { terms } = vectorOfPost(index, new Workspace(), { post: own, most: TERMS }).heaviest;
  const sums = index.score(
    { terms: terms.sort(), weights: new Float32Array(terms.length).fill(1) },
    new Float32Array(catalogue.size),
    { most: Infinity },
  );
  const found = (url: string, of: number) => url !== '' && of !== own && sums[of]! > 0;
  const living = catalogue.urls.flatMap((url, of) => (found(url, of) ? [[url, sums[of]!] as const] : []));
  return Object.fromEntries(living.map(([url, sum]) => [url, Math.round(sum * 100)]));
}
