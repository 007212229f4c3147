// The thread that makes the index of a big site, with the help of two others: lines of posts come in, their cards go
// out; then the index goes out, part by part. Neither this work nor its garbage collection delays answers of the
// server's own thread.

import { messageOf } from '../errors.ts';
import { createKeyedQueue } from '../keyedQueue.ts';
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { openThread } from '../workers/rpc.ts';
import { type Handlers, serveMethods, transferred } from '../workers/serveMethods.ts';
import { type CardPage, cardAt } from './cards.ts';
import { type RestoredIndex, restoreIndex, snapshotParts } from './indexSnapshot.ts';
import { SearchFollower } from './searchFollower.ts';
import { toSharedParts } from './sharedParts.ts';
import { indexed, SiteIndex } from './siteIndex.ts';
import { readSnapshot } from './snapshotFile.ts';
import type { TokenizedPosts, TokenizerMethods } from './tokenizerThread.ts';
import { tokenizedPostAt } from './tokenPages.ts';

export interface IndexMethods {
  /** `problem`: why the snapshot in the file cannot be used. */
  begin(file: string | undefined): { kept: boolean; problem?: string };
  take(lines: Uint8Array<ArrayBuffer>): CardPage;
  /** The next part of the snapshot; undefined after the last one. */
  nextPart(): SnapshotPart | undefined;
}

/** Beside this file, as it was built. */
const TOKENIZER = new URL('tokenizerThread.js', import.meta.url);

/** Requests are served one after another. */
const QUEUE = 'index';

class IndexBuild {
  private readonly siteIndex = new SiteIndex();
  private restored: RestoredIndex | undefined;
  private search: SearchFollower | undefined;
  private parts: AsyncIterator<SnapshotPart, undefined> | undefined;

  async begin(file: string | undefined): Promise<ReturnType<IndexMethods['begin']>> {
    const problem = file === undefined ? undefined : await this.restore(file);
    this.search = new SearchFollower(this.siteIndex.index);
    return { kept: this.restored !== undefined, ...(problem !== undefined && { problem }) };
  }

  /** @returns Why the snapshot cannot be used. */
  private async restore(file: string): Promise<string | undefined> {
    try {
      this.restored = await restoreIndex(readSnapshot(file), this.siteIndex, { fresh: false });
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  async take({ cards, tokens }: TokenizedPosts): Promise<CardPage> {
    const { siteIndex, restored } = this;
    for (let place = 0; place < cards.urls.length; place++) {
      const card = cardAt(cards, place);
      // Posts that changed after the snapshot are read by the caller.
      if (restored) restored.restorePost(card);
      else
        siteIndex.index.put(indexed({ ...card, fullContent: '' }), {
          deferred: true,
          tokens: tokenizedPostAt(tokens, place),
        });
    }
    // Of a card only the time of its last change is read here.
    siteIndex.meet(cards);
    await this.search?.handOver();
    return cards;
  }

  async nextPart(): Promise<SnapshotPart | undefined> {
    this.parts ??= this.allParts();
    return (await this.parts.next()).value;
  }

  private async *allParts(): AsyncGenerator<SnapshotPart, undefined> {
    await this.siteIndex.tidy();
    yield* toSharedParts(snapshotParts(this.siteIndex));
    if (this.search) yield* this.search.snapshot();
  }
}

function createIndexMethods(): Handlers<IndexMethods> {
  const tokenizer = openThread<TokenizerMethods>(TOKENIZER, { name: 'tokenizer' });
  const build = new IndexBuild();
  const queue = createKeyedQueue();
  return {
    begin: (file) => queue.run(QUEUE, () => build.begin(file)),
    take(lines) {
      // Tokenized while the posts before them are indexed.
      const tokenized = tokenizer.call('tokenize', lines, { transfer: [lines.buffer] });
      tokenized.catch(() => undefined);
      return queue.run(QUEUE, async () => {
        const cards = await build.take(await tokenized);
        return transferred(cards, [cards.bytes.buffer]);
      });
    },
    nextPart: () => queue.run(QUEUE, () => build.nextPart()),
  };
}

serveMethods<IndexMethods>(createIndexMethods());
