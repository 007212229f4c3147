// Half an hour of steady traffic on a real server: does memory grow, do answers slow down, do parts pile up? Writes its picture beside
// its table. `--minutes 1` to try it out, `--events 400` for more events a second.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { removeDataDirs } from '../test/support/dataDir.ts';
import { openPaper } from './support/livePaper.ts';
import { type Load, type LoadSample, startLoad } from './support/load.ts';
import { plot } from './support/plot.ts';
import type { Bench } from './support/table.ts';

const PAGES = 500;
const BATCH = 10;
/** Looks in the whole time, so that the picture has as many points whatever it lasts; but not more often than each two seconds. */
const LOOKS = 180;
const ROWS = 10;
const PICTURE = new URL('results/soak.svg', import.meta.url);

interface Look {
  minute: number;
  events: LoadSample;
  top: LoadSample;
  related: LoadSample;
  analytics: LoadSample;
  rssMb: number;
  heapMb: number;
  lagMs: number;
  parts: number;
  diskMb: number;
}

const bench: Bench = async (args) => {
  const options = { minutes: { type: 'string', default: '30' }, events: { type: 'string', default: '200' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const minutes = Number(values.minutes);
  const eventsPerSecond = Number(values.events);
  const paper = await openPaper(PAGES);
  const { apikey, secret } = paper.site;
  const common = { url: paper.server.url, site: apikey, pages: PAGES };
  const at = (path: string, perSecond: number) => startLoad({ ...common, ask: { path }, perSecond });
  const loads = {
    events: await startLoad({ ...common, ask: 'events', perSecond: eventsPerSecond / BATCH, batch: BATCH }),
    top: await at(`/v2/top/posts?apikey=${apikey}&days=1`, 20),
    related: await at(`/v2/related?apikey=${apikey}&url=https://${apikey}/articles/{page}`, 20),
    analytics: await at(`/v2/analytics/posts?apikey=${apikey}&secret=${secret}&period_start=1d&sort=visitors`, 1),
  };
  const looks: Look[] = [];
  const every = Math.max(2_000, (minutes * 60_000) / LOOKS);
  const start = performance.now();
  for (let n = 1; n * every <= minutes * 60_000; n++) {
    await new Promise((resolve) => setTimeout(resolve, start + n * every - performance.now()));
    looks.push(await look(loads, paper.metrics, (performance.now() - start) / 60_000));
  }
  const totals = await stopAll(loads);
  const counted = await paper.views();
  await paper.server.stop();
  await removeDataDirs();
  if (counted !== totals.events.views) throw new Error(`${totals.events.views} views acknowledged, ${counted} counted`);
  const bad = Object.entries(totals).filter(([, { refused, failed }]) => refused + failed > 0);
  mkdirSync(new URL('.', PICTURE), { recursive: true });
  writeFileSync(PICTURE, draw(looks, minutes));
  return {
    title: `Steady traffic for ${minutes} min`,
    columns: [
      'minute',
      'events answered in, p50 / p99',
      '/top p99',
      '/related p99',
      '/analytics p99',
      'resident',
      'JS heap',
      'parts',
      'on disk',
    ],
    rows: thin(looks).map(toRow),
    notes: [
      `${eventsPerSecond} events a second in batches of ${BATCH}, 20 /top, 20 /related and one /analytics a second; ${PAGES} articles. Load generators share the cores.`,
      `${totals.events.events.toLocaleString('en')} events acknowledged; ${counted.toLocaleString('en')} page views acknowledged and counted. ${bad.length === 0 ? 'Nothing was refused, nothing failed.' : `Refused or failed: ${bad.map(([name, { refused, failed }]) => `${name} ${refused} + ${failed}`).join(', ')}.`}`,
      '![Memory, latency, parts](soak.svg)',
    ],
  };
};

export default bench;

type Loads = Record<'events' | 'top' | 'related' | 'analytics', Load>;

async function look(loads: Loads, metrics: () => Promise<Map<string, number>>, minute: number): Promise<Look> {
  const [events, top, related, analytics, now] = await Promise.all([
    loads.events.look(),
    loads.top.look(),
    loads.related.look(),
    loads.analytics.look(),
    metrics(),
  ]);
  const of = (name: string) => now.get(name) ?? Number.NaN;
  return {
    minute,
    events,
    top,
    related,
    analytics,
    rssMb: of('process_resident_memory_bytes') / 1e6,
    heapMb: of('nodejs_heap_size_used_bytes') / 1e6,
    lagMs: of('nodejs_eventloop_lag_p99_seconds') * 1000,
    parts: of('afterword_engine_parts'),
    diskMb: of('afterword_engine_bytes') / 1e6,
  };
}

async function stopAll(loads: Loads): Promise<Record<keyof Loads, LoadSample>> {
  const ended = await Promise.all(
    Object.entries(loads).map(async ([name, load]) => [name, await load.stop()] as const),
  );
  return Object.fromEntries(ended) as Record<keyof Loads, LoadSample>;
}

/** Ten rows of many looks: the last of each tenth. */
function thin(looks: readonly Look[]): Look[] {
  const step = Math.max(1, looks.length / ROWS);
  return Array.from({ length: Math.min(ROWS, looks.length) }, (_, row) => looks[Math.ceil((row + 1) * step) - 1]!);
}

const toRow = (at: Look): (string | number)[] => [
  at.minute.toFixed(1),
  `${at.events.p50} / ${at.events.p99} ms`,
  `${at.top.p99} ms`,
  `${at.related.p99} ms`,
  `${at.analytics.p99} ms`,
  `${Math.round(at.rssMb)} MB`,
  `${Math.round(at.heapMb)} MB`,
  at.parts,
  `${at.diskMb.toFixed(1)} MB`,
];

function draw(looks: readonly Look[], minutes: number): string {
  const line = (name: string, colour: string, figure: (at: Look) => number) => ({
    name,
    colour,
    values: looks.map(figure),
  });
  return plot(
    [
      {
        title: 'Memory',
        unit: 'MB',
        lines: [line('resident', '#0b5cad', (at) => at.rssMb), line('JS heap', '#c2571a', (at) => at.heapMb)],
      },
      {
        title: 'Answered within, 99 of 100',
        unit: 'ms',
        lines: [
          line('events, on the disk', '#0b5cad', (at) => at.events.p99),
          line('/analytics', '#6a3d9a', (at) => at.analytics.p99),
          line('/related', '#2c7a3f', (at) => at.related.p99),
          line('/top', '#c2571a', (at) => at.top.p99),
        ],
      },
      { title: 'Parts of tables', unit: 'count', lines: [line('parts', '#0b5cad', (at) => at.parts)] },
      { title: 'On disk', unit: 'MB', lines: [line('database', '#0b5cad', (at) => at.diskMb)] },
    ],
    minutes,
  );
}
