// The same events and the same questions on one shard and on two, in one run: what the busiest server of a cluster has to do, and
// what a larger installation would need. `--events 200000` for a short run.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { DAY } from '../server/durations.ts';
import { blankRow, type EventRow } from '../server/ingest/eventRow.ts';
import { countPosts, rank, rankPosts } from '../server/rankings/rankings.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { openStore } from '../server/storage/openStore.ts';
import type { Store } from '../server/storage/store.ts';
import type { Scope } from '../server/traffic/scope.ts';
import { dayOf } from '../server/traffic/zone.ts';
import { type Cluster, startCluster } from '../test/support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../test/support/dataDir.ts';
import { plan } from './support/plan.ts';
import { type Bench, median, timed } from './support/table.ts';

const SITE = parseSiteId('bench.example')!;
const DAYS = 30;
const POSTS = 2_000;
const VISITORS = 100_000;
const GROUP = 10_000;
/** Groups on their way at once: as many as several copies of the server would have. */
const WRITERS = 4;
const RUNS = 7;
const TICKS_PER_SECOND = 100;

export interface Measured {
  shards: number;
  eventsPerSecond: number;
  /** Processor time of the busiest shard, for a million events. */
  secondsPerMillion: number;
  bytesPerEvent: number;
  /** Share of the events on the fullest shard. */
  fullest: number;
  questions: { name: string; milliseconds: number; cpuMilliseconds: number }[];
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { events: { type: 'string', default: '1000000' } } });
  const events = Number(values.events);
  const now = Date.now();
  const one = await measure(1, { events, now });
  const two = await measure(2, { events, now });
  await removeDataDirs();
  const row = (name: string, figure: (at: Measured) => number, unit: string, digits = 0): (string | number)[] => {
    const [a, b] = [figure(one), figure(two)];
    return [name, `${a.toFixed(digits)} ${unit}`, `${b.toFixed(digits)} ${unit}`, (b / a).toFixed(2)];
  };
  return {
    title: `${events.toLocaleString('en')} events on one shard and on two`,
    columns: ['what', 'one shard', 'two shards', 'ratio'],
    rows: [
      row('events written a second, all roll-ups', (at) => at.eventsPerSecond, ''),
      row('processor time of the busiest shard, a million events', (at) => at.secondsPerMillion, 's', 1),
      row('share of the events on the fullest shard', (at) => at.fullest * 100, '%', 1),
      row('bytes an event on disk, all roll-ups, merged', (at) => at.bytesPerEvent, 'B', 1),
      ...one.questions.flatMap(({ name }, at) => [
        row(name, ({ questions }) => questions[at]!.milliseconds, 'ms'),
        row('… processor time of the busiest shard', ({ questions }) => questions[at]!.cpuMilliseconds, 'ms'),
      ]),
    ],
    notes: [
      `${POSTS} posts, ${VISITORS} visitors, ${DAYS} days, groups of ${GROUP} rows, ${WRITERS} at once; medians of ${RUNS} runs. Both shards share the cores of this machine with the one who asks, so wall times cannot halve here: what shows how a cluster grows is the processor time of the busiest shard.`,
      ...plan(one, two),
    ],
  };
};

export default bench;

async function measure(shards: number, { events, now }: { events: number; now: number }): Promise<Measured> {
  const cluster = await startCluster(Array.from({ length: shards }, () => makeDataDir()));
  const urls = cluster.nodes.map(({ url }) => url);
  const store = await openStore({
    engine: { kind: 'remote', urls, cluster: cluster.name },
    log: pino({ level: 'warn' }),
    now: () => now,
  });
  try {
    const before = processorTimes(cluster);
    const start = performance.now();
    await write(store, { events, now });
    const seconds = (performance.now() - start) / 1000;
    const cpu = busiest(cluster, before);
    for (const node of cluster.nodes) await mergeAll(node.ask);
    const kept = await Promise.all(cluster.nodes.map((node) => node.ask('SELECT count() FROM events_local')));
    const bytes = await Promise.all(
      cluster.nodes.map((node) =>
        node.ask(`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'afterword'`),
      ),
    );
    const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + Number(text), 0);
    if (sum(kept) !== events) throw new Error(`${events} events were written, ${sum(kept)} are there`);
    return {
      shards,
      eventsPerSecond: events / seconds,
      secondsPerMillion: (cpu / events) * 1e6,
      bytesPerEvent: sum(bytes) / events,
      fullest: Math.max(...kept.map(Number)) / events,
      questions: await ask(store, cluster, now),
    };
  } finally {
    await store.close();
    await Promise.all(cluster.nodes.map((node) => node.kill()));
  }
}

async function mergeAll(ask: (sql: string) => Promise<string>): Promise<void> {
  const tables = await ask(
    `SELECT name FROM system.tables WHERE database = 'afterword' AND engine LIKE '%MergeTree' AND endsWith(name, '_local')`,
  );
  for (const table of tables.split('\n')) await ask(`OPTIMIZE TABLE ${table} FINAL`);
}

async function write(store: Store, { events, now }: { events: number; now: number }): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < events) {
        const from = next;
        next += GROUP;
        const rows = Array.from({ length: Math.min(GROUP, events - from) }, (_, n) => rowOf(from + n, { events, now }));
        await store.events.append(rows, `group-${from}`);
      }
    }),
  );
}

/** Uniform in 0..1, the same every time. */
const chance = (event: number, purpose: number) => ((event * 7919 + purpose * 104_729) % 100_003) / 100_003;

function rowOf(event: number, { events, now }: { events: number; now: number }): EventRow {
  const time = Math.round(now - DAYS * DAY + ((event + chance(event, 1)) / events) * DAYS * DAY);
  const page = Math.floor(chance(event, 2) ** 3 * POSTS);
  const came = ['direct', 'search', 'social', 'internal', 'other'][event % 5] as EventRow['referrerType'];
  return {
    ...blankRow(SITE),
    day: dayOf(time, 'UTC'),
    time,
    action: chance(event, 3) < 0.7 ? 'pageview' : 'heartbeat',
    url: `https://${SITE}/articles/${page}`,
    visitor: String(Math.floor(chance(event, 4) ** 2 * VISITORS)),
    seconds: chance(event, 3) < 0.7 ? 0 : 5 + (event % 11),
    referrerType: came,
    referrer: came === 'search' ? 'google' : came === 'social' ? 'facebook' : '',
    campaignId: event % 9 === 0 ? `campaign-${event % 40}` : '',
    campaignMedium: event % 9 === 0 ? 'email' : '',
    campaignSource: event % 9 === 0 ? 'newsletter' : '',
    device: event % 2 === 0 ? 'mobile' : 'desktop',
    segments: event % 6 === 0 ? ['members'] : [],
  };
}

async function ask(store: Store, cluster: Cluster, now: number): Promise<Measured['questions']> {
  const scope: Scope = {
    site: SITE,
    zone: 'UTC',
    period: { start: now - DAYS * DAY, end: now },
    excluded: new Set<string>(),
  };
  const page = { limit: 10, offset: 0 };
  const questions: [name: string, work: () => Promise<unknown>][] = [
    [
      `top posts with visitors, ${DAYS} days`,
      async () => {
        const { records } = await rankPosts(store.traffic, { key: 'post', scope, sort: 'views', ...page });
        await countPosts(store.traffic, { scope, urls: records.map(({ name }) => name), metrics: ['visitors'] });
      },
    ],
    [
      `all posts by visitors, ${DAYS} days`,
      () => rank(store.traffic, { key: 'post', scope, sort: 'visitors', ...page }),
    ],
    [
      'every event read, grouped by page',
      () =>
        store.traffic.run({
          sql: `SELECT url, count() AS n, uniq(visitor) AS visitors FROM events GROUP BY url ORDER BY n DESC LIMIT 10`,
          params: {},
        }),
    ],
  ];
  const found: Measured['questions'] = [];
  for (const [name, work] of questions) {
    await work();
    const before = processorTimes(cluster);
    const milliseconds = median(await timed(RUNS, work));
    found.push({ name, milliseconds, cpuMilliseconds: (busiest(cluster, before) / RUNS) * 1000 });
  }
  return found;
}

/** Seconds each shard has worked since its start. */
const processorTimes = (cluster: Cluster): number[] => cluster.nodes.map(({ pid }) => processorTime(pid));

const busiest = (cluster: Cluster, before: readonly number[]): number =>
  Math.max(...processorTimes(cluster).map((now, at) => now - before[at]!));

/** From Linux' own books; elsewhere it is not known. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
