// Threads that are asked one thing after another and answer in the same order.
import { parentPort, type Transferable, Worker } from 'node:worker_threads';

/** Raised when a thread did not do what it is for. Nothing is lost: what it was given can be read again. */
export class ThreadError extends Error {
  override name = 'ThreadError';
}

/** What a thread is asked: `do` says what. The answer to it says the same in `did`. */
interface Job {
  do: string;
}
interface Reply {
  did: string;
}
type ReplyTo<R extends Reply, D extends string> = Extract<R, { did: D }>;

export interface Thread<J extends Job, R extends Reply> {
  /**
   * @param handedOver Its own no more once it is asked.
   * @throws {ThreadError} when it failed, has ended, or ends before it answers.
   */
  ask<D extends J['do']>(job: J & { do: D }, handedOver?: Transferable[]): Promise<ReplyTo<R, D>>;
  /** Ends it, whatever it does. */
  end(): Promise<void>;
}

interface Waiting {
  done(reply: unknown): void;
  fail(error: Error): void;
}

/**
 * @param file Of the thread, as it was built.
 * @param name What it is for, in its errors and in lists of threads.
 */
export function openThread<J extends Job, R extends Reply>(file: URL, name: string): Thread<J, R> {
  // It is built: whatever loads the sources of this process is of no use to it.
  const worker = new Worker(file, { name, execArgv: [] });
  const waiting: Waiting[] = [];
  let failure: ThreadError | undefined;

  function fail(why: string, cause?: unknown): void {
    failure ??= new ThreadError(why, { cause });
    for (const one of waiting.splice(0)) one.fail(failure);
  }

  worker.on('message', (reply) => waiting.shift()?.done(reply));
  worker.on('error', (error) => fail(`The thread of the ${name} failed.`, error));
  worker.on('messageerror', (error) => fail(`What the thread of the ${name} said cannot be read.`, error));
  worker.on('exit', () => fail(`The thread of the ${name} ended.`));

  return {
    async ask(job, handedOver = []) {
      const reply = await new Promise<unknown>((done, refuse) => {
        if (failure) return refuse(failure);
        waiting.push({ done, fail: refuse });
        worker.postMessage(job, handedOver);
      });
      const { error } = reply as { error?: string };
      if (error !== undefined) throw new ThreadError(error);
      return reply as ReplyTo<R, typeof job.do>;
    },
    async end() {
      await worker.terminate();
    },
  };
}

/** The buffers of a message that is arrays alone, to be handed over with it. */
export const buffersOf = (arrays: object): ArrayBuffer[] =>
  Object.values(arrays as Record<string, Uint8Array<ArrayBuffer>>).map(({ buffer }) => buffer);

/** What a thread answers, and what of it is its own no more. */
export interface Answer<R extends Reply> {
  reply: R;
  handedOver?: Transferable[];
}

/**
 * What a thread does about its jobs: one after another, however long each takes.
 * @param meet Called when a job comes, while others may be under way; returns what is done when it is its turn.
 */
export function answerJobs<J extends Job, R extends Reply>(
  meet: (job: J) => () => Answer<R> | Promise<Answer<R>>,
): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (job: J) => {
    const work = meet(job);
    last = last.then(async () => {
      try {
        const { reply, handedOver } = await work();
        parentPort?.postMessage(reply, handedOver);
      } catch (error) {
        parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
      }
    });
  });
}
