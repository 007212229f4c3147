// What learning from the readers' views costs: looks at what was read since the last one, as a server takes them every few
// seconds, on a day of a site that has many events already. By processor time of the whole process, with the engine's threads.
// npm run bench learning -- --events 20000000
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { DAY } from '../server/durations.ts';
import { blankRow, type EventRow } from '../server/ingest/eventRow.ts';
import { createReadership } from '../server/readers/readership.ts';
import { createLibrary } from '../server/siteIndex/library.ts';
import { parseSiteId } from '../server/sites/site.ts';
import { openStore } from '../server/storage/openStore.ts';
import { generator } from './related/grow.ts';
import { fill, settle } from './support/fill.ts';
import { spread } from './support/grownSite.ts';
import type { Bench } from './support/table.ts';

const SITE = parseSiteId('learning.example')!;
const POSTS = 20_000;
/** Views a second, and seconds between two looks, of a server. */
const RATE = 1000;
const VISITORS = 500_000;
const LOOK_SECONDS = 15;
const VIEWS = RATE * LOOK_SECONDS;
const LOOKS = 25;
/** Of the first looks: what is compiled and read for the first time is no steady state. */
const WARMING = 5;
const log = pino({ level: 'warn' });

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { events: { type: 'string', default: '10000000' } } });
  const events = Number(values.events);
  const path = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const engine = { kind: 'embedded', path: join(path, 'engine') } as const;
  try {
    const now = Math.floor(Date.now() / DAY) * DAY - 1;
    await fill({ engine, site: SITE, now, events, days: 1, posts: POSTS, visitors: VISITORS });
    await settle(engine, now);
    return await measure({ engine, now, events });
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
};

export default bench;

interface Filled {
  engine: { kind: 'embedded'; path: string };
  /** Epoch milliseconds of the last event. */
  now: number;
  events: number;
}

async function measure({ engine, now, events }: Filled): ReturnType<Bench> {
  let clock = now;
  const store = await openStore({ engine, log, now: () => clock });
  const library = createLibrary({ store, now: () => clock, log });
  await library.ready(SITE);
  const before = process.memoryUsage();
  const readership = createReadership({ store, library, now: () => clock, log });
  const loading = await spentBy(() => readership.warm(SITE));
  const { bytes } = readership.sizes();
  const random = generator(1);
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    for (let second = 0; second < LOOK_SECONDS; second++) {
      await store.events.append(viewsOf(clock, random), `second ${clock}`);
      clock += 1000;
    }
    // Merges are the ingest's.
    await settle(engine, clock);
    looks.push(await spentBy(() => readership.refresh()));
  }
  const after = process.memoryUsage();
  await readership.close();
  await library.close();
  await store.close();
  const steady = looks.slice(WARMING);
  const mean = steady.reduce((sum, one) => sum + one, 0) / steady.length;
  const megabytes = (some: number) => (some / 1e6).toFixed(1);
  return {
    title: `Learning from ${RATE.toLocaleString('en')} views a second`,
    columns: ['What', 'p50', 'p99', 'max'],
    rows: [
      [`a look at the ${VIEWS.toLocaleString('en')} views of ${LOOK_SECONDS} s, processor time, ms`, ...spread(steady)],
      ['share of one core, %, mean', ((mean / (LOOK_SECONDS * 1000)) * 100).toFixed(2), '', ''],
      ['a view, processor time, µs, mean', ((mean * 1000) / VIEWS).toFixed(1), '', ''],
      ['learning the newest views when a site is first asked about, processor time, ms', loading.toFixed(0), '', ''],
      ['what is remembered of the site, MB', megabytes(bytes), '', ''],
      ['resident memory it added, MB', megabytes(after.rss - before.rss), '', ''],
    ],
    notes: [
      `${(events / 1e6).toLocaleString('en')} million events of one day are in the tables, seven of ten of them views; ${POSTS.toLocaleString('en')} posts. Each look reads from the engine inside the process, whose threads count; ${LOOKS - WARMING} looks after ${WARMING} that warm up.`,
    ],
  };
}

/** What readers read in a second: few posts take most views, as in the day before. */
function viewsOf(second: number, random: () => number): EventRow[] {
  const day = new Date(second).toISOString().slice(0, 10);
  return Array.from({ length: RATE }, (_, at) => ({
    ...blankRow(SITE, `https://${SITE}/articles/${Math.floor(random() ** 3 * POSTS)}`),
    time: second + at,
    day,
    visitor: String(1 + Math.floor(random() ** 2 * VISITORS)),
  }));
}

/** Milliseconds of processor time, of all threads. */
async function spentBy(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
