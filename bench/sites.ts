// Many sites on one server: how soon it serves, what it takes while nothing happens, how long readers of a site wait that is not in
// memory, and what the load of a large site does to readers of small ones.
//
//   npm run bench -- sites --sites 10,100,1000 --engine embedded,remote
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startClickHouse } from '../test/support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../test/support/dataDir.ts';
import { readMetrics } from '../test/support/metrics.ts';
import { startServer, type TestServer } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';
import { addressOf, fillSites, LARGE_SITE, smallSite } from './support/manySites.ts';
import { residentOf } from './support/serverMemory.ts';
import type { Bench } from './support/table.ts';

const POSTS = 500;
/** Sites asked for that are not in memory: one after another, then as many others at once. */
const COLD = 20;
const WARM = 500;
/** USER_HZ of Linux. */
const TICKS_A_SECOND = 100;

const OPTIONS = {
  sites: { type: 'string', default: '10,100,1000' },
  engine: { type: 'string', default: 'embedded,remote' },
  /** Posts of the large site, and small sites beside it; 0: left out. */
  large: { type: 'string', default: '100000' },
  beside: { type: 'string', default: '500' },
  /** Seconds without a request, after as many of rest: a garbage collector and merges tidy up behind a load. */
  idle: { type: 'string', default: '60' },
  'index-memory': { type: 'string', default: '' },
} as const;

interface Asked {
  ms: number;
  ok: boolean;
  /** The most recent posts stood in for the index. */
  recent: boolean;
}

interface Measured {
  name: string;
  startMs: number;
  /** Seconds of processor time until it served. */
  startProcessor: number;
  rss: number;
  threads: number;
  inMemory: number;
  idle: string;
  cold: Asked[];
  burst: Asked[];
  warm: Asked[];
  rssAfter: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const flags = values['index-memory'] === '' ? [] : ['--index-memory', values['index-memory']];
  const rows: (string | number)[][] = [];
  for (const engine of values.engine.split(',')) {
    for (const sites of values.sites.split(',').map(Number)) {
      const found = await withServer({ engine, sites, flags }, (server, start) =>
        measure(server, { name: `${sites} sites, ${engine}`, sites, idle: Number(values.idle), ...start }),
      );
      rows.push(toRow(found));
      console.log(rows.at(-1)!.join(' | '));
    }
    const large = Number(values.large);
    if (large === 0) continue;
    const beside = Number(values.beside);
    const small = await withServer({ engine, sites: beside, large, flags }, (server) => measureLarge(server, beside));
    rows.push([`${beside} sites beside one of ${large} posts, ${engine}`, ...small]);
    console.log(rows.at(-1)!.join(' | '));
  }
  return {
    title: `Sites of ${POSTS} posts`,
    columns: [
      'what',
      'serves after, processor time until then',
      'idle memory, threads, sites in memory',
      `processor while idle`,
      '/related cold, one by one, p50 / p99',
      `cold, ${COLD} sites at once`,
      'warm',
      'memory after',
      'errors',
    ],
    rows,
    notes: [
      `Milliseconds. "recent": how many were answered with the most recent posts, because the index took longer than a second. Beside the large site: readers of small sites in memory without and with its load.`,
      'Each site has a quota of events, posts, days and bytes. Idle: a period without a request after another one of the same length, in which the garbage collector and merges still work on what was loaded.',
    ],
  };
};

export default bench;

interface Setting {
  engine: string;
  sites: number;
  large?: number;
  flags: readonly string[];
}

async function withServer<T>(
  { engine, sites, large = 0, flags }: Setting,
  work: (server: TestServer, start: Pick<Measured, 'startMs' | 'startProcessor'>) => Promise<T>,
): Promise<T> {
  const dataDir = makeDataDir();
  const clickhouse = engine === 'remote' ? await startClickHouse(makeDataDir()) : undefined;
  const options = clickhouse
    ? ({ kind: 'remote', urls: [clickhouse.url] } as const)
    : ({ kind: 'embedded', path: join(dataDir, 'engine') } as const);
  await fillSites({ engine: options, sites, postsEach: POSTS, large, now: Date.now() });
  const start = performance.now();
  const words = [...flags, ...(clickhouse ? [`--clickhouse-url=${clickhouse.url}`] : []), '--read-rate=100000'];
  const server = await startServer({ dataDir, flags: words });
  try {
    const startMs = Math.round(performance.now() - start);
    return await work(server, { startMs, startProcessor: processorOf(server) });
  } finally {
    await server.stop();
    await clickhouse?.kill();
    await removeDataDirs();
  }
}

async function measure(
  server: TestServer,
  {
    name,
    sites,
    idle,
    ...start
  }: { sites: number; idle: number } & Pick<Measured, 'name' | 'startMs' | 'startProcessor'>,
): Promise<Measured> {
  await nothingLoads(server);
  const shares: string[] = [];
  for (let half = 0; half < 2; half++) {
    const before = processorOf(server);
    await setTimeout(idle * 1000);
    shares.push((((processorOf(server) - before) / idle) * 100).toFixed(1));
  }
  const share = `${shares[1]} % of a core (${shares[0]} % just before)`;
  const metrics = await readMetrics(server);
  const quiet = {
    rss: residentOf(server.pid),
    threads: threadsOf(server),
    inMemory: metrics.get('afterword_index_sites')!,
  };
  // The last ones are visited least.
  const cold = Math.min(COLD, Math.ceil(sites / 3));
  const names = Array.from({ length: sites }, (_, number) => smallSite(sites - 1 - number));
  const oneByOne: Asked[] = [];
  for (const site of names.slice(0, cold)) oneByOne.push(await ask(server, site, 1));
  const burst = await Promise.all(names.slice(cold, 2 * cold).map((site) => ask(server, site, 1)));
  await nothingLoads(server);
  const warm = await askWarm(server, names.slice(0, cold));
  return { name, ...start, ...quiet, idle: share, cold: oneByOne, burst, warm, rssAfter: residentOf(server.pid) };
}

async function measureLarge(server: TestServer, beside: number): Promise<string[]> {
  const names = Array.from({ length: Math.min(COLD, beside) }, (_, number) => smallSite(number));
  for (const site of names) await ask(server, site, 1);
  await nothingLoads(server);
  const without = await askWarm(server, names);
  const first = await ask(server, LARGE_SITE, 1);
  let loading = true;
  const loaded = nothingLoads(server).then(() => {
    loading = false;
  });
  const during: Asked[] = [];
  const start = performance.now();
  while (loading) during.push(...(await askWarm(server, names, 100)));
  await loaded;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const all = [...without, ...during, first];
  return [
    '',
    `${megabytes(residentOf(server.pid))}, ${threadsOf(server)} threads`,
    '',
    `the large one: ${first.ms.toFixed(0)}${first.recent ? ' (recent)' : ''}, in memory after ${seconds} s`,
    '',
    `without its load ${spreadOf(without)}; with it ${spreadOf(during)}`,
    '',
    String(all.filter(({ ok }) => !ok).length),
  ];
}

async function ask({ url }: TestServer, site: string, post: number): Promise<Asked> {
  const start = performance.now();
  const response = await fetch(`${url}/v2/related?apikey=${site}&url=${addressOf(site, post)}`);
  const body = (await response.json()) as { success: boolean; data?: unknown[] };
  const ok = response.status === 200 && body.success && body.data!.length > 0;
  if (!ok) console.error(`${addressOf(site, post)}: ${response.status} ${JSON.stringify(body)}`);
  return {
    ms: performance.now() - start,
    ok,
    recent: response.headers.has('Afterword-Index'),
  };
}

async function askWarm(server: TestServer, sites: readonly string[], count = WARM): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (let at = 0; at < count; at++) asked.push(await ask(server, sites[at % sites.length]!, 2 + at));
  return asked;
}

async function nothingLoads(server: TestServer): Promise<void> {
  let quiet = 0;
  await until(
    'nothing is loaded any more',
    async () => {
      quiet = (await readMetrics(server)).get('afterword_index_loading_sites') === 0 ? quiet + 1 : 0;
      return quiet > 10;
    },
    600_000,
  );
}

/** Seconds of a processor that a process has used. */
function processorOf({ pid }: TestServer): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) / TICKS_A_SECOND;
}

const threadsOf = ({ pid }: TestServer): number => readdirSync(`/proc/${pid}/task`).length;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

function spreadOf(asked: readonly Asked[]): string {
  if (asked.length === 0) return 'none';
  const sorted = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
  const recent = asked.filter((one) => one.recent).length;
  return `${at(0.5)} / ${at(0.99)}${recent > 0 ? `, ${recent} recent` : ''}`;
}

function toRow({
  name,
  startMs,
  startProcessor,
  rss,
  threads,
  inMemory,
  idle,
  cold,
  burst,
  warm,
  rssAfter,
}: Measured): (string | number)[] {
  const errors = [...cold, ...burst, ...warm].filter(({ ok }) => !ok).length;
  const spreads = [cold, burst, warm].map(spreadOf);
  return [
    name,
    `${startMs}, ${startProcessor.toFixed(1)} s of a core`,
    `${megabytes(rss)}, ${threads}, ${inMemory}`,
    idle,
    ...spreads,
    megabytes(rssAfter),
    errors,
  ];
}
