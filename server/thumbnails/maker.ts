// The process that makes thumbnails, as the server sees it: started when there is work, ended when there is none for a
// while, killed when it does not answer.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ThumbnailFailure } from './failure.ts';
import type { ThumbnailJob } from './makeThumbnail.ts';
import type { ThumbnailReply, ThumbnailRequest } from './thumbnailProcess.ts';

export type Made = { bytes: Buffer } | { failure: ThumbnailFailure; why: string };

export interface ThumbnailMaker {
  /** @returns Why pictures cannot be decoded on this machine; undefined: they can. */
  probe(): Promise<string | undefined>;
  /** Fetches a picture and makes it small. Never rejects. */
  make(job: ThumbnailJob): Promise<Made>;
  close(): Promise<void>;
}

export interface ThumbnailMakerOptions {
  /** File of the process, as it was built. */
  file: URL;
  /** Environment of the process: no secret of the server's is in it. */
  env: NodeJS.ProcessEnv;
  /** Jobs given to the process at once: they wait for the network mostly. Default: 8. */
  atOnce?: number;
  /** Milliseconds a job may take, downloads before it included. Default: 25 s. */
  patience?: number;
}

const AT_ONCE = 8;
/** 10 s for the picture, 5 s to decode it, and as much for others before it. */
const PATIENCE_MS = 25_000;
const IDLE_MS = 60_000;
/** A loaded machine takes seconds to start a process. */
const START_MS = 30_000;

interface Waiting {
  job: ThumbnailJob;
  done(made: Made): void;
}

export function createThumbnailMaker({
  file,
  env,
  atOnce = AT_ONCE,
  patience = PATIENCE_MS,
}: ThumbnailMakerOptions): ThumbnailMaker {
  const queue: Waiting[] = [];
  let running: RunningProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function open(): RunningProcess {
    const opened = openProcess({ file, env, patience }, () => {
      if (running === opened) running = undefined;
      advance();
    });
    return opened;
  }

  function advance(): void {
    clearTimeout(idle);
    while (queue.length > 0 && (running?.jobs() ?? 0) < atOnce) {
      const { job, done } = queue.shift()!;
      running ??= open();
      void running.ask(job).then((made) => {
        done(made);
        advance();
      });
    }
    if (running?.jobs() === 0) idle = setTimeout(() => running?.end(), IDLE_MS).unref();
  }

  return {
    async probe() {
      running ??= open();
      const why = await running.ready;
      if (why !== undefined) running?.end();
      advance();
      return why;
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

interface RunningProcess {
  /** Why it cannot work; undefined: it can. */
  ready: Promise<string | undefined>;
  ask(job: ThumbnailJob): Promise<Made>;
  jobs(): number;
  end(): Promise<void>;
}

/** @param ended Called once, when it is gone. */
function openProcess(
  { file, env, patience }: Pick<ThumbnailMakerOptions, 'file' | 'env'> & { patience: number },
  ended: () => void,
): RunningProcess {
  const child = fork(fileURLToPath(file), [], {
    env,
    execArgv: [],
    serialization: 'advanced',
    // What it prints are warnings of libraries about hostile bytes.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Does not keep the server alive.
  child.unref();
  child.channel?.unref();
  const asked = new Map<number, (made: Made) => void>();
  const gone = once(child, 'exit').catch(() => undefined);
  let next = 0;
  child.on('message', (reply: ThumbnailReply) => {
    if (!('id' in reply)) return;
    asked.get(reply.id)?.('bytes' in reply ? { bytes: toBuffer(reply.bytes) } : reply);
  });
  void gone.then(() => {
    for (const done of [...asked.values()]) done({ failure: 'ended', why: 'The process ended.' });
    ended();
  });
  return {
    ready: readiness(child, gone),
    jobs: () => asked.size,
    ask(job) {
      const id = next++;
      return new Promise((done) => {
        const timer = setTimeout(() => {
          settle({ failure: 'too-slow', why: `It takes longer than ${patience} ms.` });
          child.kill('SIGKILL');
        }, patience);
        const settle = (made: Made): void => {
          clearTimeout(timer);
          asked.delete(id);
          done(made);
        };
        asked.set(id, settle);
        child.send({ ...job, id } satisfies ThumbnailRequest, (error) => {
          if (error) settle({ failure: 'ended', why: error.message });
        });
      });
    },
    async end() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function readiness(child: ChildProcess, gone: Promise<unknown>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`Its process did not start within ${START_MS} ms.`), START_MS);
    const settle = (why: string | undefined): void => {
      clearTimeout(timer);
      resolve(why);
    };
    child.on('error', ({ message }) => settle(message));
    child.once('message', (reply: ThumbnailReply) => settle('ready' in reply && !reply.ready ? reply.why : undefined));
    void gone.then(() => settle('Its process ended at once.'));
  });
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
