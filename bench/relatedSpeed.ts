// /related of a big site: loaded from its texts and from the index that was kept, asked over HTTP one question after another,
// in peace and while posts are written.
// npm run bench relatedSpeed -- --posts 100000
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { pino } from 'pino';
import { recommendations } from '../server/api/recommendations.ts';
import { indexOf } from '../server/evaluation/evaluate.ts';
import { createExclusions } from '../server/exclusions.ts';
import { createLibrary, type LoadedLibrary } from '../server/library.ts';
import { createProfiles } from '../server/profiles.ts';
import type { IndexedPost } from '../server/recommend/catalogue.ts';
import type { PostIndex } from '../server/recommend/postIndex.ts';
import { openDirectory } from '../server/sites/directory.ts';
import { openStore } from '../server/storage/openStore.ts';
import type { Store } from '../server/storage/store.ts';
import { generator, grow } from './related/grow.ts';
import { readSite, SITES } from './related/sites.ts';
import { startAsker } from './support/asker.ts';
import { benchSite } from './support/benchSite.ts';
import { watchBusy } from './support/busy.ts';
import { GROWN_SITE, savePosts, spread } from './support/grownSite.ts';
import type { Bench } from './support/table.ts';

const SITE = GROWN_SITE;
const QUESTIONS = 2000;
/** Posts that are asked about again and again. */
const POPULAR = 20;
const ADDED = 300;
const WRITTEN = 2000;
/** As it was built: the loader of this bench is of no use to a thread. */
const INDEX_THREAD = new URL('../dist/server/indexThread.js', import.meta.url);
const log = pino({ level: 'warn' });
const now = () => Date.now();

const bench: Bench = async (args) => {
  const at = args.indexOf('--posts');
  const count = at < 0 ? 100_000 : Number(args[at + 1]);
  const path = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const open = () => openStore({ engine: { kind: 'embedded', path }, log, now });
  let store = await open();
  try {
    const articles = SITES.flatMap((name) => readSite(name).posts);
    await savePosts(store, grow(articles, count));
    // As a server starts: nothing of what was written is still being put in order.
    await store.close();
    store = await open();
    return await measure(store, { count, articles, folder: join(path, 'indexes') });
  } finally {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  }
};

export default bench;

async function measure(
  store: Store,
  { count, articles, folder }: { count: number; articles: readonly IndexedPost[]; folder: string },
): ReturnType<Bench> {
  const first = await load(() => createLibrary({ store, now, log, folder, thread: INDEX_THREAD }));
  // Closing waits for the index to be kept.
  await first.library.close();
  const { library, ...again } = await load(() => createLibrary({ store, now, log, folder, thread: INDEX_THREAD }));

  const { port, close } = await serve(store, library);
  const random = generator(7);
  const asker = startAsker();
  const posts = (among: number) => `https://grown.example/${Math.floor(random() * among)}`;
  const ask = (questions: number, { more = '', among = count } = {}) => {
    const question = () => `/v2/related?apikey=${SITE}&url=${encodeURIComponent(posts(among))}${more}`;
    return asker.ask(Array.from({ length: questions }, () => `http://127.0.0.1:${port}${question()}`));
  };
  await ask(QUESTIONS / 4);
  const contextual = await ask(QUESTIONS);
  // What a popular article gets: the answer is kept.
  await ask(POPULAR * 20, { among: POPULAR });
  const popular = await ask(QUESTIONS, { among: POPULAR });
  await asker.ask(
    Array.from(
      { length: 20 },
      () => `http://127.0.0.1:${port}/v2/profile?apikey=${SITE}&uuid=reader&url=${encodeURIComponent(posts(count))}`,
    ),
  );
  await ask(QUESTIONS / 4, { more: '&uuid=reader' });
  const personal = await ask(QUESTIONS, { more: '&uuid=reader' });
  const writing = writeInto(library, grow(articles, WRITTEN, 3));
  const meanwhile = await ask(QUESTIONS / 4);
  writing.stop();
  const written = await writing.done;
  asker.stop();
  await close();
  await library.close();
  const adding = addingTo(indexOf([...grow(articles, count)]), grow(articles, ADDED, 2));
  return {
    title: `/related at ${count.toLocaleString('en')} posts`,
    columns: ['What', 'p50', 'p99', 'max'],
    rows: [
      ['/related?url over HTTP, a post nobody asked about yet, ms', ...spread(contextual)],
      ['the same, posts asked about again and again, ms', ...spread(popular)],
      ['the first while posts are written, ms', ...spread(meanwhile)],
      ['/related?url&uuid over HTTP, ms', ...spread(personal)],
      ['adding a post to the index, ms', ...spread(adding)],
      ['loading with the kept index, s (processor time, s)', again.took, '', ''],
      ['event loop held meanwhile, ms', '', again.held.p99, again.held.max],
      ['the longest step, processor time, ms', '', '', again.held.busy],
      ['loading from the texts, s (processor time, s)', first.took, '', ''],
      ['event loop held meanwhile, ms', '', first.held.p99, first.held.max],
      ['the longest step, processor time, ms', '', '', first.held.busy],
      ['indexes of related posts and of the search in memory, MB', again.memory, '', ''],
    ],
    notes: [
      'Posts are woven from the sentences of both article sets, with rare words of their own.',
      `${written} posts were written while ${meanwhile.length} questions were asked, one after another, by a process of its own.`,
    ],
  };
}

/** Loads the site, with how long it took, how long others waited, and what stays in memory. */
async function load(open: () => LoadedLibrary) {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const spent = process.cpuUsage();
  const start = performance.now();
  const library = open();
  loop.enable();
  const busy = watchBusy();
  await library.cards(SITE, []);
  loop.disable();
  const { user, system } = process.cpuUsage(spent);
  return {
    library,
    took: `${((performance.now() - start) / 1000).toFixed(1)} (${((user + system) / 1e6).toFixed(1)})`,
    held: { p99: (loop.percentile(99) / 1e6).toFixed(1), max: (loop.max / 1e6).toFixed(0), busy: busy().toFixed(0) },
    memory: (library.sizes().bytes / 1e6).toFixed(0),
  };
}

/** Writes posts as publishers send them, one after another, until it is stopped. */
function writeInto(library: LoadedLibrary, posts: Iterable<IndexedPost>): { stop(): void; done: Promise<number> } {
  let stopped = false;
  const write = async () => {
    let written = 0;
    for (const { title, fullContent, section, authors, tags, pubDate, url } of posts) {
      if (stopped) break;
      const patch = { title, fullContent, section, pubDate, authors: [...authors], tags: [...tags] };
      await library.write(SITE, `${url}/written`, { patch: { ...patch, pageType: 'post' } });
      written++;
    }
    return written;
  };
  return {
    stop: () => {
      stopped = true;
    },
    done: write(),
  };
}

function addingTo(index: PostIndex, posts: Iterable<IndexedPost>): number[] {
  const spent: number[] = [];
  for (const post of posts) {
    const start = performance.now();
    index.put({ ...post, url: `${post.url}/new` });
    spent.push(performance.now() - start);
  }
  return spent;
}

async function serve(store: Store, library: LoadedLibrary): Promise<{ port: number; close(): Promise<void> }> {
  const sites = await openDirectory(store.sites, now);
  await sites.add(benchSite(SITE, now()));
  const profiles = createProfiles({ store, now });
  const exclusions = createExclusions({ store: store.exclusions, now });
  const settings = { publicUrl: undefined, trustedProxies: 0, widgetDir: '' };
  const app = new Hono().route('/v2', recommendations({ sites, library, profiles, exclusions, settings, now }));
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await profiles.drain();
      await new Promise((closed) => server.close(closed).closeAllConnections());
    },
  };
}
