// /related of a big site: loaded from storage, asked over HTTP one after another, while posts are added.
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
import type { Post } from '../server/posts/post.ts';
import { createProfiles } from '../server/profiles.ts';
import type { IndexedPost } from '../server/recommend/catalogue.ts';
import type { PostIndex } from '../server/recommend/postIndex.ts';
import { openDirectory } from '../server/sites/directory.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { openStore } from '../server/storage/openStore.ts';
import type { Store } from '../server/storage/store.ts';
import { generator, grow } from './related/grow.ts';
import { readSite, SITES } from './related/sites.ts';
import type { Bench } from './support/table.ts';

const SITE = parseSiteId('grown.example')!;
const QUESTIONS = 2000;
const ADDED = 300;
const SAVED_AT_ONCE = 500;
const log = pino({ level: 'warn' });
const now = () => Date.now();

const bench: Bench = async (args) => {
  const at = args.indexOf('--posts');
  const count = at < 0 ? 100_000 : Number(args[at + 1]);
  const path = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const store = await openStore({ engine: { kind: 'embedded', path }, log, now });
  try {
    const articles = SITES.flatMap((name) => readSite(name).posts);
    await save(store, grow(articles, count));
    return await measure(store, { count, articles });
  } finally {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  }
};

export default bench;

async function save(store: Store, posts: Iterable<IndexedPost>): Promise<void> {
  let batch: Post[] = [];
  for (const post of posts) {
    batch.push(stored(post));
    if (batch.length < SAVED_AT_ONCE) continue;
    await store.posts.save(SITE, batch);
    batch = [];
  }
  await store.posts.save(SITE, batch);
}

function stored({ listed: _, ...post }: IndexedPost): Post {
  return {
    ...post,
    authors: [...post.authors],
    tags: [...post.tags],
    pageType: 'post',
    imageUrl: '',
    thumbUrl: '',
    wordCount: 0,
    language: 'en',
    duration: 0,
    postId: '',
    videoPlatform: '',
    metadata: '',
    updatedAt: 1,
  };
}

async function measure(
  store: Store,
  { count, articles }: { count: number; articles: readonly IndexedPost[] },
): ReturnType<Bench> {
  const library = createLibrary({ store, now, log });
  const before = process.memoryUsage();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const start = performance.now();
  await library.cards(SITE, []);
  const loading = (performance.now() - start) / 1000;
  const blockedLoading = loop.max / 1e6;
  const after = process.memoryUsage();

  const { port, close } = await serve(store, library);
  const random = generator(7);
  const ask = async (more = '') => {
    const url = `https://grown.example/${Math.floor(random() * count)}`;
    const response = await fetch(
      `http://127.0.0.1:${port}/v2/related?apikey=${SITE}&url=${encodeURIComponent(url)}${more}`,
    );
    await response.text();
  };
  await times(QUESTIONS / 4, ask);
  const contextual = await times(QUESTIONS, ask);
  for (let visit = 0; visit < 20; visit++) {
    const url = `https://grown.example/${Math.floor(random() * count)}`;
    await fetch(`http://127.0.0.1:${port}/v2/profile?apikey=${SITE}&uuid=reader&url=${encodeURIComponent(url)}`);
  }
  const personal = await times(QUESTIONS / 4, () => ask('&uuid=reader'));
  await close();
  await library.close();
  const adding = addingTo(indexOf([...grow(articles, count)]), grow(articles, ADDED, 2));
  return {
    title: `/related at ${count.toLocaleString('en')} posts`,
    columns: ['What', 'p50', 'p99', 'max'],
    rows: [
      ['/related?url over HTTP, ms', ...spread(contextual)],
      ['/related?url&uuid over HTTP, ms', ...spread(personal)],
      ['adding a post to the index, ms', ...spread(adding)],
      ['loading from storage, s', loading.toFixed(1), '', ''],
      ['event loop held while loading, ms', '', '', blockedLoading.toFixed(0)],
      [
        'index and cards in memory, MB',
        ((after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed) / 1e6).toFixed(0),
        '',
        '',
      ],
    ],
    notes: ['Posts are woven from the sentences of both article sets, with rare words of their own.'],
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
  await sites.add({
    id: SITE,
    timezone: 'UTC',
    domains: [],
    features: { top: true, recommendations: true },
    secretHash: '',
    writeSecretHash: '',
    createdAt: now(),
  });
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

async function times(runs: number, work: () => Promise<void>): Promise<number[]> {
  const spent: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    spent.push(performance.now() - start);
  }
  return spent;
}

function spread(values: readonly number[]): string[] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
  return [at(0.5), at(0.99), at(1)];
}
