// A big site as a server meets it when it starts: in a process that has done nothing else, over a database it did not fill.
//
//   await inItsOwnProcess({ do: 'fill', path, posts: 100_000 });
//   const first = await inItsOwnProcess({ do: 'load', path, folder });
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createLibrary } from '../../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { grow } from '../related/grow.ts';
import { readSite, WOVEN_SITES } from '../related/sites.ts';
import { watchBusy } from './busy.ts';
import { GROWN_SITE, savePosts } from './grownSite.ts';

export type LoadingJob =
  | { do: 'fill'; path: string; posts: number }
  /** `folder`: where the index is kept. */
  | { do: 'load'; path: string; folder: string };

export interface LoadFigures {
  /** Seconds until it answers, and of processor time, all threads together. */
  seconds: number;
  processor: number;
  /** Milliseconds the event loop was held at most, and of processor time in the longest step. */
  held: number;
  step: number;
  /** Megabytes of the indexes. */
  memory: string;
}

const HERE = fileURLToPath(import.meta.url);
/** As it was built: the loader of a bench is of no use to a thread. */
const INDEX_THREAD = new URL('../../dist/server/indexThread.js', import.meta.url);
const log = pino({ level: 'warn' });
const now = () => Date.now();

export const openBenchStore = (path: string): Promise<Store> =>
  openStore({ engine: { kind: 'embedded', path }, log, now });

/** Loads the site, with how long it took, how long others waited, and what stays in memory. */
export async function loadSite(store: Store, folder: string): Promise<LoadFigures & { library: LoadedLibrary }> {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const spent = process.cpuUsage();
  const start = performance.now();
  const library = createLibrary({ store, now, log, folder, thread: INDEX_THREAD });
  loop.enable();
  const busy = watchBusy();
  if (!(await library.ready(GROWN_SITE))) throw new Error('The index was not loaded: its log says why.');
  loop.disable();
  const { user, system } = process.cpuUsage(spent);
  return {
    library,
    seconds: (performance.now() - start) / 1000,
    processor: (user + system) / 1e6,
    held: loop.max / 1e6,
    step: busy(),
    memory: (library.sizes().bytes / 1e6).toFixed(0),
  };
}

/** @returns Figures of a load; undefined for the other jobs. @throws when the process fails. */
export async function inItsOwnProcess(job: LoadingJob): Promise<LoadFigures | undefined> {
  const child = fork(HERE);
  let figures: LoadFigures | undefined;
  child.once('message', (message) => {
    figures = message as LoadFigures;
  });
  child.send(job);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`To ${job.do} the site failed.`);
  return figures;
}

async function fill(path: string, posts: number): Promise<void> {
  const store = await openBenchStore(path);
  const articles = WOVEN_SITES.flatMap((name) => readSite(name).posts);
  await savePosts(store, grow(articles, posts));
  await store.close();
}

async function load(path: string, folder: string): Promise<void> {
  const store = await openBenchStore(path);
  const { library, ...figures } = await loadSite(store, folder);
  process.send?.(figures);
  // Closing waits for the index to be kept.
  await library.close();
  await store.close();
}

if (process.argv[1] === HERE) {
  process.once('message', async (job: LoadingJob) => {
    if (job.do === 'fill') await fill(job.path, job.posts);
    else await load(job.path, job.folder);
    process.disconnect();
  });
}
