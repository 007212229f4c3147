// Many sites on one server: they come into memory when they are asked for, and leave when others need the room.
import { readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import { parseSiteId, type SiteId } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { dayOf } from '../../server/traffic/zone.ts';
import { silent } from '../storage/scratch.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { readMetrics } from '../support/metrics.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const SMALL = 40;
/** Large enough for threads of their own. */
const BIG = 4;
const BIG_POSTS = 1000;
const VISITED = 2;
const siteNumber = (number: number): SiteId => parseSiteId(`site-${number}.example`)!;
const bigSite = (number: number): SiteId => parseSiteId(`big-${number}.example`)!;

let dataDir: string;
let server: TestServer | undefined;
/** Serves from the start of this file to its end, and is asked for nothing. */
let idle: TestServer;
let idleSince: number;

beforeAll(async () => {
  dataDir = makeDataDir();
  const path = join(dataDir, 'engine');
  await copyEmptyDatabase(path);
  const store = await openStore({ engine: { kind: 'embedded', path }, log: silent, now: Date.now });
  const small = Array.from({ length: SMALL }, (_, number) => ({ id: siteNumber(number), posts: 12 }));
  const big = Array.from({ length: BIG }, (_, number) => ({ id: bigSite(number), posts: BIG_POSTS }));
  for (const { id, posts } of [...small, ...big]) {
    await store.sites.save(
      {
        id,
        timezone: 'UTC',
        domains: [],
        features: { top: true, recommendations: true, search: true },
        quotas: { keepEvents: 300, maxEventsPerDay: 1e6, maxPosts: 1e5, maxDisk: 1e9 },
        secretHash: '',
        writeSecretHash: '',
        createdAt: 1,
      },
      1,
    );
    await store.posts.save(
      id,
      Array.from({ length: posts }, (_, number) => story(id, number)),
    );
  }
  const now = Date.now();
  const visited = Array.from({ length: VISITED }, (_, number) => siteNumber(number));
  const views = visited.map((site) => ({
    ...blankRow(site),
    url: `https://${site}/0`,
    time: now - 60_000,
    day: dayOf(now - 60_000, 'UTC'),
  }));
  await store.events.append(views, 'visits');
  await store.close();
  const copy = makeDataDir();
  await cp(dataDir, copy, { recursive: true });
  idle = await startServer({ dataDir: copy });
  idleSince = performance.now();
});
afterEach(async () => {
  await server?.stop();
});
afterAll(async () => {
  await idle?.stop();
  await removeDataDirs();
});

function story(site: SiteId, number: number) {
  const title = `Harbour ferry ${number % 5} of ${site}`;
  return mergeMetadata(undefined, {
    url: `https://${site}/${number}`,
    patch: { pageType: 'post', title, fullContent: `${title} sails at noon`, pubDate: Date.UTC(2026, 3, 1) + number },
    by: 'page',
    now: 1,
  });
}

/** In the environment: a program that does not know the variable works as before. */
async function start(megabytes: string): Promise<TestServer> {
  server = await startServer({ dataDir, env: { AFTERWORD_INDEX_MEMORY: megabytes } });
  return server;
}

/** The first answer from memory: on a busy machine a site may take longer than a reader waits, who gets a list of its snapshot. */
function related({ url }: TestServer, site: SiteId): Promise<{ status: number; hosts: string[] }> {
  return until(`${site} answers from memory`, async () => {
    const response = await fetch(`${url}/v2/related?apikey=${site}&url=https://${site}/3`);
    const { data } = (await response.json()) as { data: { url: string }[] };
    if (response.headers.has('Afterword-Index')) return undefined;
    return { status: response.status, hosts: [...new Set(data.map((post) => new URL(post.url).host))] };
  });
}

const complaints = ({ log }: TestServer) => log().filter(({ level }) => Number(level) >= 50);
const loaded = ({ log }: TestServer) => log().flatMap(({ msg, site }) => (msg === 'posts loaded' ? [site] : []));
const threadsOf = ({ pid }: TestServer) => readdirSync(`/proc/${pid}/task`).length;

test('a start loads the sites that were visited lately, and no others', async () => {
  const started = await start('512');
  await until('the visited sites are in memory', () => loaded(started).length >= VISITED);
  // Another one is asked for: whatever the start had loaded by itself would be there before it.
  await related(started, siteNumber(SMALL - 1));
  expect(loaded(started).sort()).toEqual([0, 1, SMALL - 1].map(siteNumber).sort());
});

test('every site answers with its own posts, while those in memory keep within their bound', async () => {
  const started = await start('16');
  const sites = Array.from({ length: SMALL }, (_, number) => siteNumber(number));
  const seen: { bytes: number; sites: number }[] = [];
  for (let at = 0; at < SMALL; at += 6) {
    const some = sites.slice(at, at + 6);
    const answers = await Promise.all(some.map((site) => related(started, site)));
    expect(answers).toEqual(some.map((site) => ({ status: 200, hosts: [site] })));
    const metrics = await readMetrics(started);
    seen.push({ bytes: metrics.get('afterword_index_bytes')!, sites: metrics.get('afterword_index_sites')! });
  }
  const metrics = await readMetrics(started);
  expect(metrics.get('afterword_index_limit_bytes')).toBeLessThan(16 * 2 ** 20);
  expect(Math.max(...seen.map(({ bytes }) => bytes))).toBeLessThan(metrics.get('afterword_index_limit_bytes')!);
  expect(Math.max(...seen.map((one) => one.sites))).toBeLessThan(12);
  expect(metrics.get('afterword_index_evictions_total')).toBeGreaterThan(SMALL - 12);
  expect(complaints(started)).toEqual([]);
});

test('sites that need threads to be loaded share them, and answer meanwhile', async () => {
  const started = await start('512');
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, threadsOf(started));
  }, 5);
  const sites = Array.from({ length: BIG }, (_, number) => bigSite(number));
  const answers = await Promise.all(sites.map((site) => related(started, site)));
  await until('all are in memory', () => sites.every((site) => loaded(started).includes(site)));
  clearInterval(timer);
  expect(answers).toEqual(sites.map((site) => ({ status: 200, hosts: [site] })));
  // One load has three threads; each load of its own would be twelve.
  expect(most - threadsOf(started)).toBeLessThan(3 * BIG - 2);
  expect(complaints(started)).toEqual([]);
});

test('while nothing is asked, periodic jobs query the database for all sites at once, their quotas too', async () => {
  // The longest interval of a job that counts something of each site is 10 s.
  await until('each job has run', () => performance.now() - idleSince > 11_000);
  const { status } = await fetch(`${idle.url}/healthz`);
  const metrics = await readMetrics(idle);
  expect(status).toBe(200);
  expect(metrics.get('afterword_sites')).toBe(SMALL + BIG);
  // Those of the start are among them. One query of each site would be as many as there are sites.
  const statements = metrics.get('afterword_engine_duration_seconds_count')!;
  expect(statements).toBeGreaterThan(10);
  expect(statements / ((performance.now() - idleSince) / 11_000)).toBeLessThan(SMALL + BIG);
  expect(complaints(idle)).toEqual([]);
});
