// The thread that makes the index of a big site, as the rest of the server sees it.
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { openThread } from '../workers/rpc.ts';
import type { CardPage } from './cards.ts';
import type { IndexMethods } from './indexThread.ts';
import { yieldToEventLoop } from './yieldToEventLoop.ts';

export interface IndexBuilder {
  /**
   * Begins with what is kept of the index in a file; then posts need come without their texts.
   * @returns Whether there is such a file; `problem`: why it cannot be used.
   */
  begin(file: string | undefined): Promise<{ kept: boolean; problem?: string }>;
  /** Takes in the posts of some lines, whose bytes are the thread's from now on. @returns Their cards. */
  take(lines: Uint8Array<ArrayBuffer>): Promise<CardPage>;
  /** The index over all of them, which is the caller's. */
  snapshot(): AsyncGenerator<SnapshotPart>;
  /** Ends the thread, whatever it does. */
  end(): Promise<void>;
}

/** @param file Of the thread, as it was built. */
export function openIndexBuilder(file: URL): IndexBuilder {
  const thread = openThread<IndexMethods>(file, { name: 'index' });
  return {
    begin: (kept) => thread.call('begin', kept),
    take: (lines) => thread.call('take', lines, { transfer: [lines.buffer] }),
    async *snapshot() {
      for (;;) {
        const part = await thread.call('nextPart', undefined);
        if (!part) return;
        yield part;
        // The next one would be there at once: without this, all of them would be taken in one turn.
        await yieldToEventLoop();
      }
    },
    end: () => thread.end(),
  };
}
