// The thread that makes the index of a big site, as the rest of the server sees it.
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import type { CardPage } from './cards.ts';
import type { IndexJob, IndexReply } from './indexThread.ts';
import { openThread } from './threads.ts';
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
  const thread = openThread<IndexJob, IndexReply>(file, 'index');
  return {
    begin: async (kept) => await thread.ask({ do: 'begin', file: kept }),
    take: async (lines) => (await thread.ask({ do: 'take', lines }, [lines.buffer])).cards,
    async *snapshot() {
      for (;;) {
        const { part } = await thread.ask({ do: 'give' });
        if (!part) return;
        yield part;
        // The next one would be there at once: without this, all of them would be taken in one turn.
        await yieldToEventLoop();
      }
    },
    end: () => thread.end(),
  };
}
