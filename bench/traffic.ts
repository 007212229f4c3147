// Questions about traffic at size, ours beside the plain query over raw events on the same engine and data.
// npm run bench traffic -- --size 50m   (default 5m)
// --data DIR fills a directory once and measures it again the next time, as if it were still the moment it was filled.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../server/durations.ts';
import { countPosts, rank, rankFacets, rankPosts } from '../server/rankings/rankings.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { connect, type EngineOptions } from '../server/storage/connect.ts';
import type { Engine } from '../server/storage/engine.ts';
import type { TrafficStore } from '../server/storage/store.ts';
import { createTrafficStore } from '../server/storage/traffic.ts';
import { REFERRER_FACETS, type Scope } from '../server/traffic/scope.ts';
import { fill, settle } from './support/fill.ts';
import { timePlainQueries } from './support/plainQueries.ts';
import { startPostgres, umamiQueries, umamiTable } from './support/postgres.ts';
import { type Bench, median, timed } from './support/table.ts';

const SITE = parseSiteId('bench.example')!;
/** A site of the size Umami is measured at. */
const SMALL = parseSiteId('small.example')!;
const SMALL_EVENTS = 1_000_000;
const SMALL_DAYS = 30;
const RUNS = 5;
const PLAIN_RUNS = 3;

interface Question {
  name: string;
  days: number;
  ours(store: TrafficStore, scope: Scope): Promise<unknown>;
  /** The plain query over events: group, count, distinct visitors. */
  plain: string;
}

const plainList = (name: string, where = '1', group = name) =>
  `SELECT ${name} AS name, count() AS views, uniq(visitor) AS visitors FROM events WHERE site = {site:String}
   AND day >= toDate(toDateTime(intDiv({start:Int64}, 1000), 'UTC')) AND time >= {start:Int64} AND time <= {end:Int64} AND action = 'pageview' AND ${where}
   GROUP BY ${group} ORDER BY views DESC LIMIT 10`;

const page = { limit: 10, offset: 0 };

/** The ten first by views, each with what is known about it and its visitors. */
const topPosts = (store: TrafficStore, scope: Scope): Promise<unknown> =>
  rankPosts(store, { key: 'post', scope, sort: 'views', beside: ['visitors'], ...page });

const questions: Question[] = [
  ...[1, 3, 30, 90].map((days) => ({
    name: `top posts, views and visitors, ${days} d`,
    days,
    ours: topPosts,
    plain: plainList('url'),
  })),
  {
    name: 'posts of a campaign, 90 d',
    days: 90,
    ours: (store, scope) =>
      topPosts(store, { ...scope, facets: [{ facets: ['campaign_id'], values: ['campaign-7'] }] }),
    plain: plainList('url', `campaign_id = 'campaign-7'`),
  },
  {
    name: 'authors, 90 d',
    days: 90,
    ours: (store, scope) => rank(store, { key: 'author', scope, sort: 'views', ...page }),
    plain: `SELECT author AS name, count() AS views, uniq(visitor) AS visitors FROM events INNER JOIN
      (SELECT url, arrayJoin(authors) AS author FROM posts FINAL WHERE site = {site:String}) AS p ON p.url = events.url
      WHERE site = {site:String} AND time >= {start:Int64} AND time <= {end:Int64} AND action = 'pageview' GROUP BY name ORDER BY views DESC LIMIT 10`,
  },
  {
    name: 'tags, 90 d',
    days: 90,
    ours: (store, scope) => rank(store, { key: 'tag', scope, sort: 'views', ...page }),
    plain: `SELECT tag AS name, count() AS views, uniq(visitor) AS visitors FROM events INNER JOIN
      (SELECT url, arrayJoin(tags) AS tag FROM posts FINAL WHERE site = {site:String}) AS p ON p.url = events.url
      WHERE site = {site:String} AND time >= {start:Int64} AND time <= {end:Int64} AND action = 'pageview' GROUP BY name ORDER BY views DESC LIMIT 10`,
  },
  {
    name: 'referrers, 90 d',
    days: 90,
    ours: (store, scope) => rankFacets(store, { by: { facets: REFERRER_FACETS }, scope, sort: 'views', ...page }),
    plain: plainList('referrer'),
  },
  {
    name: 'one post, 90 d',
    days: 90,
    ours: (store, scope) =>
      countPosts(store, { scope, urls: [`https://${SITE}/articles/3`], metrics: ['views', 'visitors', 'avg_engaged'] }),
    plain: `SELECT count() AS views, uniq(visitor) AS visitors FROM events WHERE site = {site:String} AND url = 'https://${SITE}/articles/3'
      AND time >= {start:Int64} AND time <= {end:Int64} AND action = 'pageview'`,
  },
  {
    name: 'top posts by visitors, 90 d',
    days: 90,
    ours: (store, scope) => rankPosts(store, { key: 'post', scope, sort: 'visitors', ...page }),
    plain: plainList('url').replace('ORDER BY views', 'ORDER BY visitors'),
  },
];

/** What a directory was filled with, kept beside it. */
interface Filled {
  now: number;
  events: number;
  seconds: number;
  /** Megabytes, of the process that filled it. */
  peak: number;
}

const bench: Bench = async (args) => {
  const kept = optionOf(args, '--data');
  const dir = kept ?? mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const options = { kind: 'embedded', path: join(dir, 'engine') } as const;
  try {
    const filled = readFilled(dir) ?? (await fillBoth(options, dir, sizeOf(args)));
    const { now, events } = filled;
    const ours = await measureOurs(options, now);
    // The engine is closed by now: one process at a time has it.
    const plain = await timePlainQueries({
      path: options.path,
      queries: questions.map(({ plain, days }) => ({ sql: plain, params: { site: SITE, ...periodOf(now, days) } })),
      runs: PLAIN_RUNS,
    });
    const rows = questions.map(({ name }, at) => compared(name, ours.medians[at]!, plain.medians[at]!));
    return {
      title: `Questions about ${(events / 1e6).toLocaleString('en')} million events over 90 days`,
      columns: ['question', 'ours', 'plain query', 'times faster'],
      rows: [...rows, ...ours.besidePostgres],
      notes: [
        `Milliseconds, medians of ${RUNS} runs each (plain: of ${PLAIN_RUNS}), all of ours before all of theirs. Plain: one query over the table of events, grouped, counted, with uniq(visitor).`,
        `Filled in ${filled.seconds.toFixed(0)} s; ${(ours.visitors / 1e6).toFixed(1)} million visitors; ${(ours.bytes / events).toFixed(1)} bytes an event on disk. Measured when nothing was left to merge.`,
        `Resident memory at most ${filled.peak.toFixed(0)} MB while filling, ${ours.peak.toFixed(0)} MB with our questions; ${plain.peak.toFixed(0)} MB with the plain queries, in a process of their own.`,
      ],
    };
  } finally {
    if (kept === undefined) rmSync(dir, { recursive: true, force: true });
  }
};

/** Megabytes this process had at most. */
const peak = () => process.resourceUsage().maxRSS / 1e3;

const notesOf = (dir: string) => join(dir, 'filled.json');

function readFilled(dir: string): Filled | undefined {
  if (existsSync(notesOf(dir))) return JSON.parse(readFileSync(notesOf(dir), 'utf8')) as Filled;
  if (!existsSync(join(dir, 'engine'))) return undefined;
  throw new Error(`${dir} was not filled to its end. Remove it, or name another directory.`);
}

async function fillBoth(engine: EngineOptions, dir: string, events: number): Promise<Filled> {
  const now = Date.now();
  const started = performance.now();
  mkdirSync(dir, { recursive: true });
  const sized = { events, days: 90, posts: Math.max(5_000, events / 1_000), visitors: events / 10 };
  const printProgress = (stored: number) =>
    process.stderr.write(`\r${Math.floor(stored / 1e6)} of ${(events / 1e6).toFixed(0)} million events`);
  await fill({ engine, site: SITE, now, ...sized, onProgress: printProgress });
  process.stderr.write('\n');
  const small = { events: SMALL_EVENTS, days: SMALL_DAYS, posts: 5_000, visitors: SMALL_EVENTS / 10 };
  await fill({ engine, site: SMALL, now, ...small });
  await settle(engine, now);
  const filled = { now, events, seconds: (performance.now() - started) / 1000, peak: peak() };
  writeFileSync(notesOf(dir), JSON.stringify(filled));
  return filled;
}

export default bench;

const periodOf = (now: number, days: number) => ({ start: now - days * DAY, end: now });

function compared(name: string, ours: number, theirs: number): (string | number)[] {
  return [name, ours.toFixed(0), theirs.toFixed(0), (theirs / ours).toFixed(1)];
}

/** Milliseconds of each question, megabytes this process had at most, and what the directory holds. */
async function measureOurs(options: EngineOptions, now: number) {
  const engine = await connect(options);
  try {
    const store = createTrafficStore(engine);
    const scopeOf = (days: number): Scope => ({
      site: SITE,
      zone: 'UTC',
      period: periodOf(now, days),
      excluded: new Set(),
    });
    // The first questions after opening read everything from the disk, whatever they ask.
    await topPosts(store, scopeOf(90));
    const medians: number[] = [];
    for (const { name, days, ours } of questions) {
      medians.push(median(await timed(RUNS, () => ours(store, scopeOf(days)))));
      process.stderr.write(`${name}: ${medians.at(-1)!.toFixed(0)} ms\n`);
    }
    const peakOfQuestions = peak();
    const [size] = await engine.rows<{ bytes: number }>(
      `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'`,
    );
    const [distinct] = await engine.rows<{ n: number }>(
      'SELECT uniq(visitor) AS n FROM visitors WHERE site = {site:String}',
      { site: SITE },
    );
    return {
      medians,
      peak: peakOfQuestions,
      besidePostgres: await besidePostgres(engine, now),
      bytes: size?.bytes ?? 0,
      visitors: distinct?.n ?? 0,
    };
  } finally {
    await engine.close();
  }
}

/** Umami's questions on its own kind of table, beside ours about as many events; nothing where PostgreSQL is not installed. */
async function besidePostgres(engine: Engine, now: number): Promise<(string | number)[][]> {
  const postgres = await startPostgres();
  if (!postgres) return [];
  try {
    await postgres.execute(umamiTable(SMALL_EVENTS, SMALL_DAYS));
    const store = createTrafficStore(engine);
    const period = { start: now - SMALL_DAYS * DAY, end: now };
    const scope: Scope = { site: SMALL, zone: 'UTC', period, excluded: new Set() };
    const pairs = [
      [
        'pages by visitors',
        umamiQueries.list,
        () => rankPosts(store, { key: 'post', scope, sort: 'visitors', ...page }),
      ],
      ['pages with their metrics', umamiQueries.expanded, () => topPosts(store, scope)],
    ] as const;
    const rows: (string | number)[][] = [];
    for (const [name, sql, ours] of pairs) {
      const theirs: number[] = [];
      for (let run = 0; run < RUNS; run++) theirs.push(await postgres.time(sql));
      const [first, second] = [median(await timed(RUNS, ours)), median(theirs)];
      const title = `${name}, 30 d, 1 million events; plain: Umami’s shape on ${postgres.version}`;
      rows.push(compared(title, first, second));
    }
    return rows;
  } finally {
    await postgres.stop();
  }
}

function sizeOf(args: readonly string[]): number {
  const text = optionOf(args, '--size');
  if (text === undefined) return 5_000_000;
  const millions = /^(\d+)m$/i.exec(text)?.[1];
  if (millions === undefined) throw new Error(`--size takes millions of events, such as 50m; it was ${text}.`);
  return Number(millions) * 1_000_000;
}

function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}
