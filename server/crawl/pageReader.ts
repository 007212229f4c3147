// Pages are read in a thread of their own: markup can be made to keep a parser busy for minutes, and requests must not
// wait for it. A page that takes too long, or too much memory, loses its thread, and is read once more in a new one
// without what takes long: what it says about itself is not lost with its text.
import { Worker } from 'node:worker_threads';
import type { FramedPage } from '../posts/readPage/framePage.ts';
import type { PageRecord } from '../posts/readPage/readPage.ts';
import type { Site } from '../sites/site.ts';
import { CrawlError } from './failure.ts';
import type { PageJob, PageReply } from './readingThread.ts';

export interface ReadPage {
  encoding: string;
  record: PageRecord;
  /** Where that was asked for. */
  frame?: FramedPage;
}

export interface PageReader {
  /** One page after another. @throws {CrawlError} `unreadable`. */
  read(page: PageToRead): Promise<ReadPage>;
  close(): Promise<void>;
}

export interface PageToRead {
  url: string;
  bytes: Buffer;
  contentType: string;
  language: string | undefined;
  site: Pick<Site, 'id' | 'domains'>;
  /** The page itself is wanted, too, as it can be shown to others. Default: false. */
  framed?: boolean;
}

export interface PageReaderOptions {
  /** File of the thread: `readingThread` as it was built. */
  thread: URL;
  /** Milliseconds one page may take, and as many again without its text. Default: 5 s. */
  patience?: number;
}

const PATIENCE_MS = 5_000;
const MAX_HEAP_MB = 256;

export function createPageReader({ thread, patience = PATIENCE_MS }: PageReaderOptions): PageReader {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  function open(): Worker {
    const opened = new Worker(thread, { name: 'page reader', resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    // An idle thread keeps no process alive.
    opened.unref();
    return opened;
  }

  async function dismiss(): Promise<void> {
    const gone = worker;
    worker = undefined;
    await gone?.terminate();
  }

  async function readNow(page: PageToRead, { plain }: { plain: boolean }): Promise<ReadPage> {
    worker ??= open();
    try {
      return await answerOf(worker, { page, plain }, patience);
    } catch (error) {
      await dismiss();
      if (plain || closed) throw error;
      return await readNow(page, { plain: true });
    }
  }

  return {
    read(page) {
      const mine = last.then(
        () => readNow(page, { plain: false }),
        () => readNow(page, { plain: false }),
      );
      last = mine;
      return mine;
    },
    async close() {
      closed = true;
      await dismiss();
    },
  };
}

function answerOf(
  worker: Worker,
  { page, plain }: { page: PageToRead; plain: boolean },
  patience: number,
): Promise<ReadPage> {
  return new Promise((done, fail) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      finish();
    };
    const refuse = (why: string, cause?: unknown) =>
      settle(() => fail(new CrawlError('unreadable', `${page.url} ${why}.`, { cause })));
    const onMessage = (reply: PageReply) =>
      'error' in reply ? refuse(`could not be read (${reply.error})`) : settle(() => done(reply));
    const onError = (error: unknown) => refuse('could not be read', error);
    const onExit = () => refuse('could not be read: the reading thread ended');
    const timer = setTimeout(() => refuse(`takes longer than ${patience} ms to read`), patience);
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage({ ...page, bytes: new Uint8Array(page.bytes), plain } satisfies PageJob);
  });
}
