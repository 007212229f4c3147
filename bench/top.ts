// /top/posts of a site with a million page views: made for the first time, and served again from memory beside a bare
// node:http server that sends the same bytes.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { pino } from 'pino';
import { createListener } from '../server/app.ts';
import { createCrawler } from '../server/crawl/crawler.ts';
import { openReading } from '../server/crawl/reading.ts';
import { createFrontiers } from '../server/evaluation/frontiers.ts';
import { createIngest } from '../server/ingest/ingest.ts';
import { createProfiles } from '../server/readers/profiles.ts';
import { createLibrary } from '../server/siteIndex/library.ts';
import { openDirectory } from '../server/sites/directory.ts';
import { createExclusions } from '../server/sites/exclusions.ts';
import { openPartners } from '../server/sites/partners.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { openStore } from '../server/storage/openStore.ts';
import { benchSite } from './support/benchSite.ts';
import { fill } from './support/fill.ts';
import { type Bench, median } from './support/table.ts';

const VIEWS = 1_000_000;
const SITE = parseSiteId('bench.example')!;
const COLD_RUNS = 9;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 32;

const bench: Bench = async () => {
  const path = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const engine = { kind: 'embedded', path } as const;
  try {
    const now = Date.now();
    await fill({ engine, site: SITE, now, events: Math.ceil(VIEWS / 0.7), days: 31, posts: 5000, visitors: 200_000 });
    return await measure(engine);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
};

export default bench;

async function measure(engine: { kind: 'embedded'; path: string }): ReturnType<Bench> {
  // Lists age by this clock, so that turning it makes the next request a cold one.
  let turned = 0;
  const now = () => Date.now() + turned;
  const log = pino({ level: 'warn' });
  const store = await openStore({ engine, log, now });
  const sites = await openDirectory(store.sites, now);
  await sites.add(benchSite(SITE, now()));
  const partners = await openPartners(store.partners, now);
  const ingest = await createIngest({ store, sites, log, now });
  const library = createLibrary({ store, now, log });
  const profiles = createProfiles({ store, now });
  const exclusions = createExclusions({ store: store.exclusions, now });
  const settings = { publicUrl: undefined, trustedProxies: 0, widgetDir: '' };
  const reading = openReading({
    thread: new URL(import.meta.url),
    version: '0',
    publicUrl: undefined,
    allowPrivate: false,
    clock: now,
  });
  const crawler = createCrawler({ store, sites, library, reading, now, log });
  const frontiers = createFrontiers({ store, sites, thread: new URL(import.meta.url), now, clock: now, log });
  const parts = { store, sites, partners, ingest, library, profiles, crawler, exclusions, frontiers };
  const ours = await listen(createListener({ now, log, ...parts, settings }));

  const cold: [string, number, number][] = [];
  for (const days of [1, 3, 31]) {
    const times: number[] = [];
    for (let run = 0; run < COLD_RUNS; run++) {
      turned += 61_000;
      const start = performance.now();
      await fetch(`${ours.url}/v2/top/posts?apikey=${SITE}&days=${days}`).then((response) => response.text());
      times.push(performance.now() - start);
    }
    cold.push([`first time, days=${days}`, median(times), Math.max(...times)]);
  }

  const path = `/v2/top/posts?apikey=${SITE}&days=3&limit=25`;
  const body = Buffer.from(await fetch(ours.url + path).then((response) => response.text()));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
  const bare = await listen((_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  const perSecond = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    perSecond.bare.push(await hammer(bare.url + path));
    perSecond.ours.push(await hammer(ours.url + path));
  }
  for (const { server } of [ours, bare]) await new Promise<void>((done) => void server.close(() => done()));
  await library.close();
  await ingest.drain();
  await profiles.drain();
  await store.close();

  const [memory, plain] = [median(perSecond.ours), median(perSecond.bare)];
  return {
    title: `/top/posts of a site with ${VIEWS.toLocaleString('en')} page views`,
    columns: ['what', 'median', 'worst'],
    rows: [
      ...cold.map(([what, middle, worst]) => [what, `${middle.toFixed(0)} ms`, `${worst.toFixed(0)} ms`]),
      ['from memory, requests a second', memory.toFixed(0), Math.min(...perSecond.ours).toFixed(0)],
      ['bare node:http, the same bytes', plain.toFixed(0), Math.min(...perSecond.bare).toFixed(0)],
      ['ratio', (memory / plain).toFixed(2), ''],
    ],
    notes: [
      `${body.length} bytes; ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s in turn; the load generator shares the cores.`,
      `Resident memory at the end: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB.`,
    ],
  };
}

async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Requests a second. */
async function hammer(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, workers: 1 });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}
