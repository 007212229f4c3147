// What comes one at a time, goes and comes again is found as if the site had been read at once.
import { expect, test } from 'vitest';
import type { IndexedPost } from '../../server/recommend/catalogue.ts';
import { PostIndex } from '../../server/recommend/postIndex.ts';
import { probeOf } from '../../server/recommend/vectors.ts';
import { at, post } from './corpus.ts';

const POSTS = 3000;
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

const removed = (number: number) => number % 7 === 3;
const changed = (number: number) => number % 11 === 5 && !removed(number);
const newer = (number: number): IndexedPost => ({ ...story(number), fullContent: story(number + 1).fullContent });

/** Steps of background work, a few after each change, as a server does them. */
class Background {
  private work: Iterator<void> | undefined;
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
    read.stock(story(number));
    background.run(3);
  }
  for (let number = 0; number < POSTS; number++) {
    if (removed(number)) change((index) => index.remove(at(String(number))));
    else if (changed(number)) change((index) => index.put(newer(number)));
  }
  background.run(20_000);
  for (const _ of read.tidy());
  expect(grown.size).toBe(read.size);
  for (let number = 0; number < POSTS; number += 13) {
    if (!removed(number)) expect(closest(grown, number)).toEqual(closest(read, number));
  }
});

/** What the terms of a post add up to, by address. */
function closest(index: PostIndex, number: number): Record<string, number> {
  const { catalogue } = index;
  const { terms } = probeOf(index, catalogue.find(at(String(number))), TERMS).looked;
  const sums = index.addUp({ terms: terms.sort(), weights: new Float32Array(terms.length).fill(1) }, Infinity);
  const living = catalogue.urls.flatMap((url, of) => (url !== '' && sums[of]! > 0 ? [[url, sums[of]!] as const] : []));
  return Object.fromEntries(living.map(([url, sum]) => [url, Math.round(sum * 100)]));
}
