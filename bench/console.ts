// The console: what its scripts weigh, how long the server takes for its overview with visitors, with and without a filter, and how soon a
// slowed browser paints. The questions are those that the page asks: they are recorded from it, and asked again of the API.
//   npm run bench console -- --events 50m    --data DIR fills a directory once, and measures it again the next time
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { parseSiteId } from '../server/sites/site.ts';
import { connect, type EngineOptions } from '../server/storage/connect.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { ensureBuilt } from '../test/support/build.ts';
import { CONSOLE_BUDGETS, consoleSizes } from '../test/support/consoleScripts.ts';
import { processTime } from '../test/support/cpuTime.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../test/support/server.ts';
import { interactionOf, openBare, openConsole, openSlowed, paintOf, SLOWED, settled } from './support/consolePage.ts';
import { fill, settle } from './support/fill.ts';
import { keepDays } from './support/keepDays.ts';
import { type Bench, median, timed } from './support/table.ts';

const SITE = parseSiteId('bench.example')!;
const DAYS = 30;
const RUNS = 3;
const OVERVIEW = 'view=traffic&period=7d&metric=visitors';
/** Values that the filling has: a filter of posts, and one of visits. */
const FILTERS = {
  section: 'World',
  segment: 'members',
} as const;

/** Milliseconds. */
const AIMS = { overview: 300, filter: 150, paint: 200, interaction: 100 } as const;

type Row = [what: string, median: string | number, worst: string | number, processor: string | number, aim: string];

/** What a directory was filled with, kept beside it. */
interface Filled {
  site: TestSite;
  events: number;
  posts: number;
  /** That filling took. */
  seconds: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { events: { type: 'string', default: '2m' }, data: { type: 'string' } },
  });
  const dir = values.data ?? mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  await ensureBuilt();
  try {
    const filled = await filledIn(dir, countOf(values.events));
    const rows = [...weights(), ...(await floors(engineIn(dir)))];
    const server = await startServer({ dataDir: dir });
    const browser = await launchBrowser();
    try {
      const asked = await inServer(server, browser, filled.site);
      const painted = await inBrowser(server, browser, filled.site);
      return toTable([...rows, ...asked.rows, ...painted], { ...filled, ...asked });
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    if (values.data === undefined) rmSync(dir, { recursive: true, force: true });
  }
};

export default bench;

function countOf(text: string): number {
  const [, digits, million] = /^(\d{1,10})(m?)$/i.exec(text) ?? [];
  if (digits === undefined) throw new Error(`--events takes a number, such as 50m or 50000000; it was ${text}.`);
  return Number(digits) * (million ? 1_000_000 : 1);
}

const engineIn = (dir: string): EngineOptions => ({ kind: 'embedded', path: join(dir, 'engine') });

async function filledIn(dir: string, events: number): Promise<Filled> {
  const notes = join(dir, 'filled.json');
  if (existsSync(notes)) return JSON.parse(readFileSync(notes, 'utf8')) as Filled;
  if (existsSync(join(dir, 'engine')))
    throw new Error(`${dir} was not filled to its end. Remove it, or name another directory.`);
  mkdirSync(dir, { recursive: true });
  const empty = await startServer({ dataDir: dir });
  const site = await addSite(empty, SITE, '--timezone=UTC');
  await empty.stop();
  const started = performance.now();
  const now = Date.now();
  const engine = engineIn(dir);
  const posts = Math.max(5_000, events / 1_000);
  const onProgress = (stored: number) => void process.stderr.write(`\r${(stored / 1e6).toFixed(1)} million events `);
  await fill({ engine, site: SITE, now, events, days: DAYS, posts, indexPages: 20, visitors: events / 10, onProgress });
  await settle(engine, now);
  await keepDays({ engine, site: SITE, now });
  const filled: Filled = { site, events, posts, seconds: (performance.now() - started) / 1000 };
  writeFileSync(notes, JSON.stringify(filled));
  return filled;
}

const inKilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function weights(): Row[] {
  const sizes = consoleSizes();
  const row = (name: string, file: keyof typeof CONSOLE_BUDGETS): Row => [
    name,
    inKilobytes(sizes[file]),
    '',
    '',
    inKilobytes(CONSOLE_BUDGETS[file]),
  ];
  return [row('first load, compressed', 'first'), row('all scripts, compressed', 'all')];
}

const whole = (ms: number): string => `${ms.toFixed(0)} ms`;
const aimed = (ms: number): string => `${ms} ms`;

/** The least that a query over the events takes. */
async function floors(options: EngineOptions): Promise<Row[]> {
  const engine = await connect(options);
  const sql = `SELECT uniqCombined(16)(visitor), count() FROM events WHERE site = {site:String} AND action = 'pageview' AND day >= today() - 6`;
  try {
    const ask = () => engine.rows(sql, { site: SITE });
    await ask();
    const before = process.cpuUsage();
    const times = await timed(RUNS, ask);
    const { user, system } = process.cpuUsage(before);
    return [
      [
        'plain: distinct visitors of the events of 7 days, once',
        whole(median(times)),
        whole(Math.max(...times)),
        whole((user + system) / 1000 / RUNS),
        '',
      ],
    ];
  } finally {
    await engine.close();
  }
}

interface Asked {
  rows: Row[];
  /** How many questions the overview asks. */
  questions: number;
  /** How often a busy server was asked again. */
  repeated: number;
}

/** The questions of the overview, all at once as the page asks them, and each alone. */
async function inServer(server: TestServer, browser: Browser, site: TestSite): Promise<Asked> {
  const rows: Row[] = [];
  let repeated = 0;
  const headers = { Authorization: `Bearer ${site.secret}` };
  const ask = async (target: string) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${server.url}${target}&apikey=${site.apikey}`, { headers });
      const body = (await answer.json()) as { success: boolean; code?: number; message?: string };
      if (body.success) return;
      if (body.code !== 503 || attempt === 3) throw new Error(`${target}: ${body.message}`);
      // As the page does.
      repeated++;
      await new Promise((done) => setTimeout(done, 1_000 * attempt));
    }
  };
  const take = async (name: string, work: () => Promise<unknown>, aim = '') => {
    await work();
    const before = processTime(server.pid);
    const times = await timed(RUNS, work);
    const used = (processTime(server.pid) - before) / RUNS;
    rows.push([name, whole(median(times)), whole(Math.max(...times)), whole(used), aim]);
    process.stderr.write(`${name}: ${whole(median(times))}\n`);
    return median(times);
  };
  const together = (targets: readonly string[]) => () => Promise.all(targets.map(ask));
  const all = await questionsOf(server, browser, { site, search: OVERVIEW });
  await take(`${all.length} answers of a key alone, at once`, together(all.map(() => '/v2/validate/secret?')));
  await take(`overview: its ${all.length} questions at once`, together(all), aimed(AIMS.overview));
  for (const target of all) await take(`alone: ${nameOf(target)}`, () => ask(target));
  for (const [name, value] of Object.entries(FILTERS)) {
    const search = `${OVERVIEW}&${new URLSearchParams({ [name]: value })}`;
    const targets = await questionsOf(server, browser, { site, search });
    await take(`overview of one ${name}, at once`, together(targets));
    const slowest = { target: '', ms: 0 };
    for (const target of targets) {
      const ms = median(await timed(1, () => ask(target)));
      if (ms > slowest.ms) Object.assign(slowest, { target, ms });
    }
    const what = `its slowest question alone, ${nameOf(slowest.target)}`;
    await take(what, () => ask(slowest.target), aimed(AIMS.filter));
  }
  return { rows, questions: all.length, repeated };
}

/** What the page asks for a view, as paths of the API. */
async function questionsOf(
  server: TestServer,
  browser: Browser,
  { site, search }: { site: TestSite; search: string },
): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked = new Set<string>();
  page.on('request', (request) => {
    const [, target] = request.url().split('/console/api');
    if (target?.startsWith('/v2/')) asked.add(target);
  });
  await openConsole(page, `${server.url}/console/?${search}`, site);
  await context.close();
  return [...asked];
}

/** Devices are a series, too. */
const nameOf = (target: string): string => {
  const { pathname, searchParams } = new URL(target, 'http://server');
  const interval = searchParams.get('interval');
  return pathname.replace('/v2/analytics/', '') + (interval === null ? '' : ` by ${interval}`);
};

async function inBrowser(server: TestServer, browser: Browser, site: TestSite): Promise<Row[]> {
  const page = await openSlowed(browser);
  const rows: Row[] = [];
  const row = (name: string, times: readonly number[], aim = '') => {
    // The first one is compiled on its way.
    const warm = times.slice(1);
    rows.push([name, whole(median(warm)), whole(Math.max(...warm)), '', aim]);
  };
  const repeat = async <T>(work: () => Promise<T>): Promise<T[]> => {
    const all: T[] = [];
    for (let run = 0; run <= RUNS; run++) all.push(await work());
    return all;
  };

  const bare = await openBare(page);
  const button = page.getByRole('button', { name: 'Ask' });
  row('a bare button: input to next paint', await repeat(() => interactionOf(page, () => button.click())));
  row(
    'a bare button that asks: input to paint',
    (await repeat(() => paintOf(page, () => button.click()))).map(({ all }) => all),
  );
  bare.close();

  await openConsole(page, `${server.url}/console/?${OVERVIEW}`, site);
  const section = page.locator('.panel.sections').getByRole('button', { name: FILTERS.section, exact: true });
  const press = () => section.click();
  const painted = await repeat(() => paintOf(page, press));
  row(
    'filter by a section: input to paint',
    painted.map(({ all }) => all),
    aimed(AIMS.paint),
  );
  row(
    'of it the totals, but for new visitors, and the curve',
    painted.map(({ curve }) => curve),
  );
  row(
    'of it the page, without the server',
    painted.map(({ own }) => own),
  );
  const interactions: Record<string, () => Promise<void>> = {
    'filter by a section': press,
    'another metric': async () => {
      const pressed = page.locator('.totals button[aria-pressed=false]').first();
      await pressed.click();
    },
    'another period': async () => {
      const other = page.locator('.choices button[aria-pressed=false]', { hasText: /^(7|28) days$/ }).first();
      await other.click();
    },
    'an interval of the curve': () => page.getByRole('slider').first().press('ArrowLeft'),
    'a list of what happened': () => page.locator('.annotations summary').click(),
  };
  for (const [what, act] of Object.entries(interactions)) {
    const times = await repeat(async () => {
      const time = await interactionOf(page, act);
      await settled(page);
      return time;
    });
    row(`${what}: input to next paint`, times, aimed(AIMS.interaction));
  }
  await page.context().close();
  return rows;
}

const toTable = (
  rows: Row[],
  { events, posts, seconds, questions, repeated }: Filled & Asked,
): Awaited<ReturnType<Bench>> => ({
  title: `The console over ${(events / 1e6).toLocaleString('en')} million events in ${DAYS} days`,
  columns: ['what', 'median', 'worst', 'processor time', 'aim'],
  rows,
  notes: [
    `The overview asks ${questions} questions for 7 days, ordered by visitors; they are recorded from the page and asked of the API by HTTP. ${RUNS} runs each after the first; processor time of the server, all cores together. A busy server was asked again ${repeated} times, as the page does. Aims of the server are those for 50 million events. Where the answers of a key alone take much longer than their processor time, the machine was busy with other programs.`,
    `The browser is Chromium, its processor ${SLOWED} times slower, on the same cores as the server; from an input to the next paint in steps of 8 ms, 16 or less where it reports none.`,
    `${posts.toLocaleString('en')} posts, of which the 20 most viewed are index pages. Filled in ${seconds.toFixed(0)} s.`,
  ],
});
