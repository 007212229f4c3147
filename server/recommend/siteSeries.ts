// Whether most posts of a site are of the series of one post. Asked of every post that is held back, so what posts that
// stand for the site have in common is counted once for each state of the index.

import type { Catalogue } from '../textindex/catalogue.ts';
import { TITLE_HASHES } from '../textindex/titleFrames.ts';

/** Posts that stand for all of the site. */
const SAMPLE = 64;

export class SiteSeries {
  private readonly sample = new Uint32Array(SAMPLE);
  private count = 0;
  /** By word of a title, posts of the sample that have it. */
  private readonly withWord = new Uint8Array(TITLE_HASHES);
  private version = -1;

  isOfMost(catalogue: Catalogue, number: number): boolean {
    if (catalogue.version !== this.version) this.take(catalogue);
    const { frames } = catalogue;
    const { sample, count } = this;
    // Titles of one series share a word: seldom any words of one are in so many others.
    if (frames.sumOfWords(number, this.withWord) * 2 <= count) return false;
    let alike = 0;
    for (const one of sample.subarray(0, count)) if (frames.areAlike(number, one)) alike++;
    return alike * 2 > count;
  }

  private take({ size, frames, listed, version }: Catalogue): void {
    const { sample, withWord } = this;
    const step = Math.ceil(size / SAMPLE);
    withWord.fill(0);
    this.count = 0;
    for (let number = 0; number < size; number += step) {
      if (listed[number] !== 1) continue;
      sample[this.count++] = number;
      frames.countWords(number, withWord);
    }
    this.version = version;
  }
}
