// A follower of the index in one thread that has the inverted index for searches made in another: it is a quarter of
// the work.

import { NameWords } from '../search/nameWords.ts';
import type { IndexedPost } from '../textindex/catalogue.ts';
import type { Follower } from '../textindex/follower.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { openThread } from '../workers/rpc.ts';
import { buffersOf } from '../workers/serveMethods.ts';
import { ForwardPageWriter } from './forwardPages.ts';
import type { SearchMethods } from './searchThread.ts';

/** Beside this file, as it was built. */
const THREAD = new URL('searchThread.js', import.meta.url);

export class SearchFollower implements Follower {
  private readonly index: PostIndex;
  private readonly names: NameWords;
  private readonly writer = new ForwardPageWriter();
  private readonly thread = openThread<SearchMethods>(THREAD, { name: 'search' });
  private added: Promise<unknown> = Promise.resolve();

  constructor(index: PostIndex) {
    this.index = index;
    this.names = new NameWords(index);
    index.follower = this;
  }

  put(number: number, post: IndexedPost): void {
    // Numbered here, where new words get their numbers.
    this.names.learn(post);
    this.writer.add(number, this.index.post(number), this.names.of(number));
  }

  restorePost(number: number, post: IndexedPost): void {
    this.put(number, post);
  }

  remove(number: number): void {
    this.writer.add(number, undefined, []);
  }

  /** Hands over what came since the last time; resolves when what was handed over before is in the lists. */
  async handOver(): Promise<void> {
    const page = this.writer.take();
    await this.added;
    this.added = this.thread.call('add', page, { transfer: buffersOf(page) });
    // The next await sees the failure.
    this.added.catch(() => undefined);
  }

  /** The postings, once they are complete. */
  async *snapshot(): AsyncGenerator<SnapshotPart> {
    await this.added;
    for (;;) {
      const part = await this.thread.call('nextPart', undefined);
      if (!part) return;
      yield part;
    }
  }
}
