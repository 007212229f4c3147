// The process that makes thumbnails, as the server sees it: started when there is work, ended when there is none for a
// while, killed when it does not answer.
import { MINUTE } from '../durations.ts';
import { openProcess, type RemoteWorker, WorkerError } from '../workers/rpc.ts';
import type { ThumbnailFailure } from './failure.ts';
import type { ThumbnailJob } from './makeThumbnail.ts';
import type { ThumbnailMethods } from './thumbnailProcess.ts';

export type Made = { bytes: Buffer } | { failure: ThumbnailFailure; why: string };

export interface ThumbnailMaker {
  /**
   * @returns Why pictures cannot be decoded on this machine; undefined: they can. `mayPass`: the process was not ready
   * in time, or the system could not start one now.
   */
  probe(): Promise<{ why: string; mayPass: boolean } | undefined>;
  /** Fetches a picture and makes it small. Never rejects. */
  make(job: ThumbnailJob): Promise<Made>;
  close(): Promise<void>;
}

export interface ThumbnailMakerOptions {
  /** File of the process, as it was built. */
  file: URL;
  /** Environment of the process: no secret of the server's is in it. */
  env: NodeJS.ProcessEnv;
}

/** Jobs given to the process at once: they wait for the network mostly. */
const AT_ONCE = 8;
/** For a job: 10 s for the picture, 5 s to decode it, and as much for others before it. */
const PATIENCE_MS = 25_000;
const IDLE_MS = MINUTE;
/** A loaded machine takes seconds to start a process. */
const START_MS = 30_000;

const FAILURES = { timeout: 'too-slow', ended: 'ended', failed: 'no-picture' } as const;

interface Waiting {
  job: ThumbnailJob;
  done(made: Made): void;
}

export function createThumbnailMaker({ file, env }: ThumbnailMakerOptions): ThumbnailMaker {
  const queue: Waiting[] = [];
  let running: RemoteWorker<ThumbnailMethods> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function open(): RemoteWorker<ThumbnailMethods> {
    const opened = openProcess<ThumbnailMethods>(file, { name: 'thumbnail', env });
    void opened.ended.then(() => {
      if (running === opened) running = undefined;
      advance();
    });
    return opened;
  }

  async function ask(job: ThumbnailJob): Promise<Made> {
    running ??= open();
    try {
      const made = await running.call('make', job, { timeout: PATIENCE_MS });
      return 'bytes' in made ? { bytes: toBuffer(made.bytes) } : made;
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error;
      return { failure: FAILURES[error.reason], why: error.message };
    }
  }

  function advance(): void {
    clearTimeout(idle);
    while (queue.length > 0 && (running?.pending ?? 0) < AT_ONCE) {
      const { job, done } = queue.shift()!;
      void ask(job).then((made) => {
        done(made);
        advance();
      });
    }
    if (running?.pending === 0) idle = setTimeout(() => void running?.end(), IDLE_MS).unref();
  }

  async function probe(): ReturnType<ThumbnailMaker['probe']> {
    running ??= open();
    try {
      await running.call('probe', undefined, { timeout: START_MS });
      return undefined;
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error;
      await running?.end();
      return { why: error.message, mayPass: error.reason === 'timeout' || isOfStart(error.cause) };
    }
  }

  return {
    async probe() {
      const found = await probe();
      advance();
      return found;
    },
    make: (job) =>
      closed
        ? Promise.resolve({ failure: 'ended', why: 'The server is stopping.' })
        : new Promise((done) => {
            queue.push({ job, done });
            advance();
          }),
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const { done } of queue.splice(0)) done({ failure: 'ended', why: 'The server is stopping.' });
      await running?.end();
    },
  };
}

/** No descriptor, no memory or no process was free. */
const isOfStart = (cause: unknown): boolean =>
  cause instanceof Error && 'syscall' in cause && String(cause.syscall).startsWith('spawn');

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
