// Pages are read in a thread of their own: markup can be made to keep a parser busy for minutes, and requests must not
// wait for it. A page that takes too long, or too much memory, loses its thread, and is read once more in a new one
// without what takes long: what it says about itself is not lost with its text.
import type { FramedPage } from '../posts/readPage/framePage.ts';
import type { PageRecord } from '../posts/readPage/readPage.ts';
import type { Site } from '../sites/site.ts';
import { openThread, type RemoteWorker, WorkerError } from '../workers/rpc.ts';
import { CrawlError } from './failure.ts';
import type { PageMethods } from './readingThread.ts';

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
  /** Milliseconds one page may take once its thread has started, and as many again without its text. Default: 5 s. */
  patience?: number;
}

const PATIENCE_MS = 5_000;
const MAX_HEAP_MB = 256;

export function createPageReader({ thread, patience = PATIENCE_MS }: PageReaderOptions): PageReader {
  let worker: RemoteWorker<PageMethods> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const open = () => openThread<PageMethods>(thread, { name: 'page reader', maxHeapMb: MAX_HEAP_MB, background: true });

  async function dismiss(): Promise<void> {
    const gone = worker;
    worker = undefined;
    await gone?.end();
  }

  async function readNow(page: PageToRead, { plain }: { plain: boolean }): Promise<ReadPage> {
    worker ??= open();
    try {
      return await readIn(worker, { page, plain }, patience);
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

async function readIn(
  thread: RemoteWorker<PageMethods>,
  { page, plain }: { page: PageToRead; plain: boolean },
  timeout: number,
): Promise<ReadPage> {
  try {
    // A loaded machine takes seconds to start a thread: these are not the page's.
    await thread.call('start', undefined);
    return await thread.call('read', { ...page, bytes: new Uint8Array(page.bytes), plain }, { timeout });
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error;
    const why =
      error.reason === 'timeout' ? `takes longer than ${timeout} ms to read` : `could not be read (${error.message})`;
    throw new CrawlError('unreadable', `${page.url} ${why}.`, { cause: error });
  }
}
