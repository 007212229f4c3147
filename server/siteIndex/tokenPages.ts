// The words of posts on their way from the thread that reads them, many posts at a time.
import { at } from '../at.ts';
import { enlarged } from '../enlarged.ts';
import type { TokenizedPost } from '../textindex/forwardEntry.ts';

export interface TokenPage {
  /** Four a post: how many words are of the title, are phrases, are of the lead; and where its words end. */
  counts: Uint32Array;
  words: Uint32Array;
}

const A_POST = 4;

/** Writes a page, post after post. */
export class TokenPageWriter {
  private counts: number[] = [];
  private words = new Uint32Array(1 << 18);
  private used = 0;

  add({ inTitle, phrases, inLead, words }: TokenizedPost): void {
    const needed = this.used + words.length;
    if (needed > this.words.length) this.words = enlarged(this.words, new Uint32Array(needed * 2));
    this.words.set(words, this.used);
    this.used += words.length;
    this.counts.push(inTitle, phrases, inLead, this.used);
  }

  /** What was written since the last time; it is the caller's. */
  take(): TokenPage {
    const page = { counts: Uint32Array.from(this.counts), words: this.words.slice(0, this.used) };
    this.counts = [];
    this.used = 0;
    return page;
  }
}

/** One post of a page, by its place there. */
export function tokenizedPostAt({ counts, words }: TokenPage, place: number): TokenizedPost {
  const first = place * A_POST;
  const start = place === 0 ? 0 : at(counts, first - 1);
  return {
    inTitle: at(counts, first),
    phrases: at(counts, first + 1),
    inLead: at(counts, first + 2),
    words: words.subarray(start, at(counts, first + 3)),
  };
}
