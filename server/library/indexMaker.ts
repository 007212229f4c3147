// The thread that makes the index of a big site, as the rest of the server sees it: jobs go in, answers come in the same order.
import { Worker } from 'node:worker_threads';
import type { Piece } from '../recommend/piece.ts';
import { breath } from './breath.ts';
import type { CardPage } from './cards.ts';
import type { ThreadJob, ThreadReply } from './indexThread.ts';

/** Raised when the thread did not do what it is for. Nothing is lost: what it was given can be read again. */
export class IndexThreadError extends Error {
  override name = 'IndexThreadError';
}

export interface IndexMaker {
  /**
   * Begins with what is kept of the index in a file; then posts need come without their texts.
   * @returns Whether there is such a file; `problem`: why it cannot be used.
   */
  begin(file: string | undefined): Promise<{ kept: boolean; problem?: string }>;
  /** Takes in the posts of some lines, whose bytes are the thread's from now on. @returns Their cards. */
  take(lines: Uint8Array<ArrayBuffer>): Promise<CardPage>;
  /** The index over all of them, which is the caller's. */
  pieces(): AsyncGenerator<Piece>;
  /** Ends the thread, whatever it does. */
  end(): Promise<void>;
}

interface Waiting {
  done(reply: ThreadReply): void;
  fail(error: Error): void;
}

/** @param thread File of the thread, as it was built. */
export function openIndexMaker(thread: URL): IndexMaker {
  // It is built: whatever loads the sources of this process is of no use to it.
  const worker = new Worker(thread, { name: 'index', execArgv: [] });
  const waiting: Waiting[] = [];
  let failure: IndexThreadError | undefined;

  function fail(why: string, cause?: unknown): void {
    failure ??= new IndexThreadError(why, { cause });
    for (const one of waiting.splice(0)) one.fail(failure);
  }

  worker.on('message', (reply: ThreadReply) => waiting.shift()?.done(reply));
  worker.on('error', (error) => fail('The thread of an index failed.', error));
  worker.on('exit', () => fail('The thread of an index ended.'));

  async function ask<K extends ThreadJob['do']>(job: ThreadJob & { do: K }, buffers: ArrayBuffer[] = []) {
    const reply = await new Promise<ThreadReply>((done, refuse) => {
      if (failure) return refuse(failure);
      waiting.push({ done, fail: refuse });
      worker.postMessage(job, buffers);
    });
    if ('error' in reply) throw new IndexThreadError(reply.error);
    return reply as Extract<ThreadReply, { did: K }>;
  }

  return {
    begin: async (file) => await ask({ do: 'begin', file }),
    take: async (lines) => (await ask({ do: 'take', lines }, [lines.buffer])).cards,
    async *pieces() {
      for (;;) {
        const { piece } = await ask({ do: 'give' });
        if (!piece) return;
        yield piece;
        // The next one would be there at once: without this, all of them would be taken in one turn.
        await breath();
      }
    },
    async end() {
      await worker.terminate();
    },
  };
}
