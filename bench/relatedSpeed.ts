// /related of a big site: loaded from its texts and from the index that was kept, asked over HTTP one question after another,
// in peace and while posts are written.
// npm run bench relatedSpeed -- --posts 100000
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { indexOf } from '../server/evaluation/evaluate.ts';
import { Behaviour } from '../server/readers/behaviour/behaviour.ts';
import { MOST_CLICKS } from '../server/readers/behaviour/settings.ts';
import { createProfiles } from '../server/readers/profiles.ts';
import type { LoadedLibrary } from '../server/siteIndex/types.ts';
import { openDirectory } from '../server/sites/directory.ts';
import { createExclusions } from '../server/sites/exclusions.ts';
import type { Store } from '../server/storage/store.ts';
import type { IndexedPost } from '../server/textindex/catalogue.ts';
import type { PostIndex } from '../server/textindex/postIndex.ts';
import { openRoutes } from '../test/support/routes.ts';
import { generator, grow } from './related/grow.ts';
import { readSite, WOVEN_SITES } from './related/sites.ts';
import { startAsker } from './support/asker.ts';
import { benchSite } from './support/benchSite.ts';
import { GROWN_SITE, spread } from './support/grownSite.ts';
import { inItsOwnProcess, type LoadFigures, loadSite, openBenchStore } from './support/loading.ts';
import type { Bench } from './support/table.ts';

const SITE = GROWN_SITE;
const QUESTIONS = 2000;
/** Posts that are asked about again and again. */
const POPULAR = 20;
const ADDED = 300;
const WRITTEN = 2000;
/** Of each kind. */
const LOADS = 3;
const BETWEEN_VIEWS_MS = 100;
const READERS = 20_000;
const now = () => Date.now();

interface Loads {
  texts: LoadFigures[];
  kept: LoadFigures[];
}

const bench: Bench = async (args) => {
  const at = args.indexOf('--posts');
  const count = at < 0 ? 100_000 : Number(args[at + 1]);
  const path = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const folder = join(path, 'indexes');
  try {
    await inItsOwnProcess({ do: 'fill', path, posts: count });
    const loads: Loads = { texts: [], kept: [] };
    for (let i = 0; i < LOADS; i++) {
      rmSync(folder, { recursive: true, force: true });
      loads.texts.push((await inItsOwnProcess({ do: 'load', path, folder }))!);
      loads.kept.push((await inItsOwnProcess({ do: 'load', path, folder }))!);
    }
    const store = await openBenchStore(path);
    try {
      return await measure(store, { count, folder, loads });
    } finally {
      await store.close();
    }
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
};

export default bench;

async function measure(
  store: Store,
  { count, folder, loads }: { count: number; folder: string; loads: Loads },
): ReturnType<Bench> {
  const { library, memory } = await loadSite(store, folder);
  const articles = WOVEN_SITES.flatMap((name) => readSite(name).posts);
  const { port, close } = await serve(store, { library, readers: readersOf(count) });
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
      ['/related?url&uuid over HTTP, a reader of 20 visits, the mix at its default, ms', ...spread(personal)],
      ['adding a post to the index, ms', ...spread(adding)],
      ...loadRows('loading with the kept index', loads.kept),
      ...loadRows('loading from the texts', loads.texts),
      ['indexes of related posts and of the search in memory, MB', memory, '', ''],
    ],
    notes: [
      'Posts are woven from the sentences of both article sets, with rare words of their own. Each load is a process of its own, the middle one and the slowest.',
      `${written} posts were written while ${meanwhile.length} questions were asked, one after another, by a process of its own.`,
    ],
  };
}

function loadRows(name: string, loads: readonly LoadFigures[]): string[][] {
  const inOrder = loads.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const each = (figure: (load: LoadFigures) => number) => loads.map((load) => figure(load).toFixed(0)).join(', ');
  return [
    [`${name}, s`, inOrder[loads.length >> 1]!.toFixed(1), '', inOrder.at(-1)!.toFixed(1)],
    ['its processor time, s, of each', '', '', each(({ processor }) => processor)],
    ['event loop held meanwhile, ms, at most, in each', '', '', each(({ held }) => held)],
    ['the longest step, processor time, ms, in each', '', '', each(({ step }) => step)],
  ];
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

/** As many views as are remembered of a site, of some posts far oftener than of others. */
function readersOf(posts: number): Behaviour {
  const random = generator(11);
  const readers = new Behaviour();
  for (let view = 0; view < MOST_CLICKS; view++) {
    readers.learn({
      time: now() - (MOST_CLICKS - view) * BETWEEN_VIEWS_MS,
      visitor: String(Math.floor(random() * READERS)),
      post: `https://grown.example/${Math.floor(random() ** 3 * posts)}`,
    });
  }
  return readers;
}

async function serve(
  store: Store,
  { library, readers }: { library: LoadedLibrary; readers: Behaviour },
): Promise<{ port: number; close(): Promise<void> }> {
  const sites = await openDirectory(store.sites, now);
  await sites.add(benchSite(SITE, now()));
  const profiles = createProfiles({ store, now });
  const exclusions = createExclusions({ store: store.exclusions, now });
  const settings = { publicUrl: undefined, trustedProxies: 0, widgetDir: '' };
  const app = openRoutes(
    { sites, library, profiles, readership: { of: () => readers }, exclusions, settings, now },
    '/v2/related',
    '/v2/profile',
  );
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
