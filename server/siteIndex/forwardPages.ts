// Forward index entries of posts and the words of their names, on their way to another thread. A page holds many posts
// as bytes and numbers, which are transferred without a copy.
import { at } from '../at.ts';
import { enlarged } from '../enlarged.ts';
import type { ForwardEntry } from '../textindex/forwardIndex.ts';

export interface ForwardPage {
  posts: Uint32Array;
  /** By post: the end of its forward index entry. The same as the end before it: the post was removed. */
  ends: Uint32Array;
  forwardIndex: Uint8Array<ArrayBuffer>;
  /** Of each post: how many names it has, then how many words each has, and which. */
  names: Uint32Array;
}

export interface ForwardPageEntry {
  post: number;
  /** undefined: the post was removed. */
  entry: ForwardEntry | undefined;
  names: Uint32Array[];
}

/** Writes a page, post after post. */
export class ForwardPageWriter {
  private posts: number[] = [];
  private ends: number[] = [];
  private names: number[] = [];
  private bytes = new Uint8Array(1 << 20);
  private used = 0;

  /** @param entry undefined: the post was removed. */
  add(post: number, entry: ForwardEntry | undefined, names: Iterable<Uint32Array>): void {
    if (entry) this.write(entry);
    this.posts.push(post);
    this.ends.push(this.used);
    const all = [...names];
    this.names.push(all.length);
    for (const name of all) this.names.push(name.length, ...name);
  }

  /** What was written since the last time; it is the caller's. */
  take(): ForwardPage {
    const page = {
      posts: Uint32Array.from(this.posts),
      ends: Uint32Array.from(this.ends),
      forwardIndex: this.bytes.slice(0, this.used),
      names: Uint32Array.from(this.names),
    };
    this.posts = [];
    this.ends = [];
    this.names = [];
    this.used = 0;
    return page;
  }

  private write({ page, start, end }: ForwardEntry): void {
    const needed = this.used + end - start;
    if (needed > this.bytes.length) this.bytes = enlarged(this.bytes, new Uint8Array(needed * 2));
    this.bytes.set(page.subarray(start, end), this.used);
    this.used += end - start;
  }
}

/** The posts of a page in the order they were written. */
export function* readForwardPage({ posts, ends, forwardIndex, names }: ForwardPage): Generator<ForwardPageEntry> {
  let start = 0;
  let place = 0;
  for (const [i, post] of posts.entries()) {
    const end = at(ends, i);
    const own: Uint32Array[] = [];
    for (let left = at(names, place++); left > 0; left--) {
      const from = place + 1;
      place = from + at(names, place);
      own.push(names.subarray(from, place));
    }
    yield { post, entry: end > start ? { page: forwardIndex, start, end } : undefined, names: own };
    start = end;
  }
}
