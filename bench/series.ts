// /analytics/series of one site at size, as the engine inside answers it: fifty million events in thirty days by default.
//   npm run bench series -- --size 5m        --data DIR fills a directory once, and measures it again the next time
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countSeries } from '../server/rankings/series.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { connect, type EngineOptions } from '../server/storage/connect.ts';
import { createTrafficStore } from '../server/storage/traffic.ts';
import { cutIntervals, type Interval } from '../server/traffic/intervals.ts';
import type { Metric } from '../server/traffic/metrics.ts';
import type { Scope } from '../server/traffic/scope.ts';
import { DAY, HOUR } from '../server/traffic/zone.ts';
import { fill, settle } from './support/fill.ts';
import { type Bench, median, timed } from './support/table.ts';

const SITE = parseSiteId('bench.example')!;
const DAYS = 30;
const RUNS = 7;

interface Question {
  name: string;
  interval: Interval;
  /** Milliseconds before now. */
  long: number;
  metrics: Metric[];
  more?: Partial<Scope>;
  zone?: string;
}

const QUESTIONS: readonly Question[] = [
  { name: 'views, 30 d by hour', interval: 'hour', long: DAYS * DAY, metrics: ['views'] },
  {
    name: 'views, engaged minutes and views by device, 30 d by hour',
    interval: 'hour',
    long: DAYS * DAY,
    metrics: ['views', 'engaged_minutes', 'mobile_views', 'tablet_views', 'desktop_views'],
  },
  {
    name: 'views of a section, 30 d by hour',
    interval: 'hour',
    long: DAYS * DAY,
    metrics: ['views'],
    more: { posts: { sections: ['World'] } },
  },
  { name: 'views, 30 d by day', interval: 'day', long: DAYS * DAY, metrics: ['views'] },
  { name: 'views, 30 d by week', interval: 'week', long: DAYS * DAY, metrics: ['views'] },
  { name: 'views, 24 h by minute', interval: 'minute', long: 24 * HOUR, metrics: ['views'] },
  { name: 'visitors, 30 d by day', interval: 'day', long: DAYS * DAY, metrics: ['visitors'] },
  { name: 'visitors, 24 h by hour', interval: 'hour', long: 24 * HOUR, metrics: ['visitors'] },
  { name: 'visitors, 30 d by hour', interval: 'hour', long: DAYS * DAY, metrics: ['visitors'] },
  {
    name: 'views of a segment, 30 d by hour',
    interval: 'hour',
    long: DAYS * DAY,
    metrics: ['views'],
    more: { facets: [{ facets: ['segment'], values: ['members'] }] },
  },
  {
    name: 'views, 30 d by hour of a zone half an hour off',
    interval: 'hour',
    long: DAYS * DAY,
    metrics: ['views'],
    zone: 'Asia/Kolkata',
  },
];

/** As many as the bench `traffic` has. */
const postsOf = (events: number): number => Math.max(5_000, events / 1_000);

/** What a directory was filled with, kept beside it. */
interface Filled {
  now: number;
  events: number;
  seconds: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { size: { type: 'string', default: '50m' }, data: { type: 'string' } },
  });
  const dir = values.data ?? mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const engine = { kind: 'embedded', path: join(dir, 'engine') } as const;
  try {
    return await measure(engine, await filledIn(engine, dir, sizeOf(values.size)));
  } finally {
    if (values.data === undefined) rmSync(dir, { recursive: true, force: true });
  }
};

export default bench;

function sizeOf(text: string): number {
  const millions = /^(\d+)m$/i.exec(text)?.[1];
  if (millions === undefined) throw new Error(`--size takes millions of events, such as 50m; it was ${text}.`);
  return Number(millions) * 1_000_000;
}

async function filledIn(engine: EngineOptions, dir: string, events: number): Promise<Filled> {
  const notes = join(dir, 'filled.json');
  if (existsSync(notes)) return JSON.parse(readFileSync(notes, 'utf8')) as Filled;
  const now = Date.now();
  const started = performance.now();
  mkdirSync(dir, { recursive: true });
  const onProgress = (stored: number) =>
    process.stderr.write(`\r${Math.floor(stored / 1e6)} of ${(events / 1e6).toFixed(0)} million events`);
  const posts = postsOf(events);
  await fill({ engine, site: SITE, now, events, days: DAYS, posts, visitors: events / 10, onProgress });
  process.stderr.write('\n');
  await settle(engine, now);
  const filled = { now, events, seconds: (performance.now() - started) / 1000 };
  writeFileSync(notes, JSON.stringify(filled));
  return filled;
}

async function measure(options: EngineOptions, { now, events, seconds }: Filled): ReturnType<Bench> {
  const engine = await connect(options);
  try {
    const store = createTrafficStore(engine);
    const rows: (string | number)[][] = [];
    for (const { name, interval, long, metrics, more, zone = 'UTC' } of QUESTIONS) {
      const scope: Scope = { site: SITE, zone, period: { start: now - long, end: now }, excluded: new Set(), ...more };
      const ask = async () => {
        const series = cutIntervals(scope.period, { interval, zone });
        return await countSeries(store, { scope, interval, series, metrics });
      };
      const [first] = await timed(1, ask);
      const times = await timed(RUNS, ask);
      rows.push([
        name,
        (await ask()).length,
        ...[median(times), Math.max(...times), first!].map((ms) => ms.toFixed(0)),
      ]);
      process.stderr.write(`${name}: ${median(times).toFixed(0)} ms\n`);
    }
    return {
      title: `/analytics/series of a site with ${(events / 1e6).toLocaleString('en')} million events in ${DAYS} days`,
      columns: ['question', 'intervals', 'median', 'worst', 'first time'],
      rows,
      notes: [
        `Milliseconds, of ${RUNS} runs each after the first; ${postsOf(events).toLocaleString('en')} posts. Filled in ${seconds.toFixed(0)} s.`,
      ],
    };
  } finally {
    await engine.close();
  }
}
