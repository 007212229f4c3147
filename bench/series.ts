// /analytics/series and /lists of one site at size, as the engine inside answers them, beside a plain query that counts the rows:
// fifty million events and twenty million reports of lists in thirty days by default.
//   npm run bench series -- --events 5m --reports 2m    --data DIR fills a directory once, and measures it again the next time
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY, HOUR } from '../server/durations.ts';
import { rankLists } from '../server/rankings/listFigures.ts';
import { countListSeries } from '../server/rankings/listSeries.ts';
import { countSeries } from '../server/rankings/series.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { connect, type EngineOptions } from '../server/storage/connect.ts';
import type { Engine } from '../server/storage/engine.ts';
import { readSize } from '../server/storage/size.ts';
import type { TrafficStore } from '../server/storage/store.ts';
import { createTrafficStore } from '../server/storage/traffic.ts';
import { cutIntervals, type Interval } from '../server/traffic/intervals.ts';
import type { ListGroup, ListSeriesMetric } from '../server/traffic/ledger/question.ts';
import type { Metric } from '../server/traffic/metrics.ts';
import type { Scope } from '../server/traffic/scope.ts';
import { fill, settle } from './support/fill.ts';
import { fillLists } from './support/fillLists.ts';
import { keepDays } from './support/keepDays.ts';
import { type Bench, median, timed } from './support/table.ts';

const SITE = parseSiteId('bench.example')!;
const DAYS = 30;
const RUNS = 5;
/** The pages that are viewed most are no posts, as front pages are none: they take one view in fourteen. */
const INDEX_PAGES = 20;

interface Question {
  name: string;
  ask(store: TrafficStore, scope: Scope): Promise<unknown>;
  /** Milliseconds before now. Default: all days. */
  long?: number;
  more?: Partial<Scope>;
}

const by =
  (interval: Interval, ...metrics: Metric[]): Question['ask'] =>
  (store, scope) =>
    countSeries(store, {
      scope,
      interval,
      series: cutIntervals(scope.period, { interval, zone: scope.zone }),
      metrics,
    });

const listsBy =
  (interval: Interval, ...metrics: ListSeriesMetric[]): Question['ask'] =>
  (store, scope) => {
    const series = cutIntervals(scope.period, { interval, zone: scope.zone });
    return countListSeries(store, { scope, filters: {}, interval, series, metrics });
  };

const grouped =
  (group: ListGroup): Question['ask'] =>
  (store, scope) =>
    rankLists(store, { scope, group, filters: {}, limit: 20, offset: 0 });

const QUESTIONS: readonly Question[] = [
  { name: 'views by hour', ask: by('hour', 'views') },
  {
    name: 'views, engaged minutes and views by device, by hour',
    ask: by('hour', 'views', 'engaged_minutes', 'mobile_views', 'tablet_views', 'desktop_views'),
  },
  { name: 'views by hour of a zone half an hour off', ask: by('hour', 'views'), more: { zone: 'Asia/Kolkata' } },
  { name: 'views by day', ask: by('day', 'views') },
  { name: 'views by week', ask: by('week', 'views') },
  { name: 'views by minute, 24 h', ask: by('minute', 'views'), long: 24 * HOUR },
  { name: 'views of a section by hour', ask: by('hour', 'views'), more: { posts: { sections: ['World'] } } },
  {
    name: 'views of a segment by hour',
    ask: by('hour', 'views'),
    more: { facets: [{ facets: ['segment'], values: ['members'] }] },
  },
  { name: 'visitors by hour, 24 h', ask: by('hour', 'visitors'), long: 24 * HOUR },
  { name: 'visitors by day', ask: by('day', 'visitors') },
  { name: 'visitors by hour', ask: by('hour', 'visitors') },
  { name: 'items seen, clicks and click rate by day', ask: listsBy('day', 'seen', 'clicks', 'click_rate') },
  { name: 'items seen, clicks and click rate by hour', ask: listsBy('hour', 'seen', 'clicks', 'click_rate') },
  { name: 'views caused by day', ask: listsBy('day', 'views_caused') },
  { name: '/lists by slot', ask: grouped('slot') },
  { name: '/lists by position', ask: grouped('position') },
  { name: '/lists by day', ask: grouped('day') },
];

const plain =
  (sql: string): ((engine: Engine) => Promise<unknown>) =>
  (engine) =>
    engine.rows(sql, { site: SITE });

/** The least that a query over the rows themselves takes: counted by day, with no condition but the site. */
const FLOORS: readonly (readonly [name: string, (engine: Engine) => Promise<unknown>])[] = [
  ['plain: events by day', plain('SELECT day, count() FROM events WHERE site = {site:String} GROUP BY day')],
  [
    'plain: events by hour',
    plain('SELECT intDiv(time, 3600000) AS hour, count() FROM events WHERE site = {site:String} GROUP BY hour'),
  ],
  [
    'plain: distinct visitors of events by day',
    plain('SELECT day, uniqCombined(16)(visitor) FROM events WHERE site = {site:String} GROUP BY day'),
  ],
  [
    'plain: items of reports by slot',
    plain(
      'SELECT slot, sum(arraySum(ledger.seen)), sum(arraySum(ledger.clicks)) FROM ledger WHERE site = {site:String} GROUP BY slot',
    ),
  ],
];

/** What a directory was filled with, kept beside it. */
interface Filled {
  now: number;
  events: number;
  reports: number;
  posts: number;
  /** That filling took, and that keeping what followed the clicks of its days took. */
  seconds: number;
  keeping: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '50m' },
      reports: { type: 'string', default: '20m' },
      data: { type: 'string' },
    },
  });
  const dir = values.data ?? mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const engine = { kind: 'embedded', path: join(dir, 'engine') } as const;
  try {
    const sizes = { events: millions('events', values.events), reports: millions('reports', values.reports) };
    return await measure(engine, await filledIn(engine, dir, sizes));
  } finally {
    if (values.data === undefined) rmSync(dir, { recursive: true, force: true });
  }
};

export default bench;

function millions(option: string, text: string): number {
  const count = /^(\d+)m$/i.exec(text)?.[1];
  if (count === undefined) throw new Error(`--${option} takes millions, such as 50m; it was ${text}.`);
  return Number(count) * 1_000_000;
}

async function filledIn(
  engine: EngineOptions,
  dir: string,
  { events, reports }: { events: number; reports: number },
): Promise<Filled> {
  const notes = join(dir, 'filled.json');
  if (existsSync(notes)) return JSON.parse(readFileSync(notes, 'utf8')) as Filled;
  if (existsSync(join(dir, 'engine')))
    throw new Error(`${dir} was not filled to its end. Remove it, or name another directory.`);
  const now = Date.now();
  const started = performance.now();
  mkdirSync(dir, { recursive: true });
  const progressOf = (noun: string, all: number) => (stored: number) =>
    process.stderr.write(`\r${Math.floor(stored / 1e6)} of ${(all / 1e6).toFixed(0)} million ${noun} `);
  const sized = { engine, site: SITE, now, days: DAYS, posts: Math.max(5_000, events / 1_000), visitors: events / 10 };
  await fill({ ...sized, events, indexPages: INDEX_PAGES, onProgress: progressOf('events', events) });
  if (reports > 0) await fillLists({ ...sized, reports, onProgress: progressOf('reports', reports) });
  process.stderr.write('\n');
  await settle(engine, now);
  const settled = performance.now();
  await keepDays({ engine, site: SITE, now });
  const [filling, keeping] = [settled - started, performance.now() - settled].map((ms) => ms / 1000) as [
    number,
    number,
  ];
  const filled = { now, events, reports, posts: sized.posts, seconds: filling, keeping };
  writeFileSync(notes, JSON.stringify(filled));
  return filled;
}

async function measure(options: EngineOptions, filled: Filled): ReturnType<Bench> {
  const { now, events, reports, posts, seconds, keeping } = filled;
  const engine = await connect(options);
  try {
    const store = createTrafficStore(engine);
    const rows: (string | number)[][] = [];
    const take = async (name: string, ask: () => Promise<unknown>) => {
      const row = await timesOf(ask);
      rows.push([name, ...row.map((ms) => ms.toFixed(0))]);
      process.stderr.write(`${name}: ${row[0]!.toFixed(0)} ms\n`);
    };
    for (const { name, ask, long = DAYS * DAY, more } of QUESTIONS) {
      const scope: Scope = {
        site: SITE,
        zone: 'UTC',
        period: { start: now - long, end: now },
        excluded: new Set(),
        ...more,
      };
      await take(name, () => ask(store, scope));
    }
    for (const [name, ask] of FLOORS) await take(name, () => ask(engine));
    const { bytes } = await readSize(engine);
    return {
      title: `Series of ${(events / 1e6).toLocaleString('en')} million events and ${(reports / 1e6).toLocaleString('en')} million reports of lists in ${DAYS} days`,
      columns: ['question', 'median', 'worst', 'first time', 'processor time'],
      rows,
      notes: [
        `Milliseconds, of ${RUNS} runs each after the first, over all days where no other period is named; processor time of one run, all cores together. ${posts.toLocaleString('en')} posts, of which the ${INDEX_PAGES} most viewed are index pages. Filled in ${seconds.toFixed(0)} s; its days were kept, by hour and with what followed their clicks, in ${keeping.toFixed(1)} s.`,
        `All tables take ${(bytes / 1e9).toFixed(2)} GB: ${(bytes / (events + reports)).toFixed(1)} bytes an event, reports among them; keys of the last days, by which repeated events are known, take 8 bytes more and are not in it.`,
      ],
    };
  } finally {
    await engine.close();
  }
}

/** Median, worst, first, and mean processor time, in milliseconds. */
async function timesOf(ask: () => Promise<unknown>): Promise<number[]> {
  const [first] = await timed(1, ask);
  const before = process.cpuUsage();
  const times = await timed(RUNS, ask);
  const { user, system } = process.cpuUsage(before);
  return [median(times), Math.max(...times), first!, (user + system) / 1000 / RUNS];
}
