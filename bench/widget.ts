// What the widget costs a reader: a page with a list of ten in view, in a real Chromium slowed down four times, beside
// the same page without it and beside the same page whose list React draws.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import type { ExperimentDefinition } from '../server/contract/experiments.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { toHtmlList } from './support/htmlList.ts';
import { buildReactList } from './support/reactList.ts';
import { type Bench, median } from './support/table.ts';

const RUNS = 9;
/**
 * For blocking, shifts and the clock. Processor time is taken of visits without it, and multiplied: it is the same on
 * a busy machine.
 */
const SLOWDOWN = 4;
const POSTS = 10;
/** A task that is longer than this keeps a reader waiting: what is beyond it is blocking time. */
const LONG_TASK_MS = 50;
/**
 * After this nothing more happens: the list is there, its dates are in words, and what waits a second to be reported
 * is reported.
 */
const SETTLE_MS = 3000;
/** A site whose lists are in an experiment. */
const TRIED_SITE = 'tried.example';
const WIDGET = fileURLToPath(new URL('../dist/widget/', import.meta.url));

interface Cost {
  blocking: number;
  main: number;
  /** Of the main thread, without the slowdown, times it. */
  processor: number;
  script: number;
  bytes: number;
  requests: number;
  shift: number;
}

const PAGES = {
  'a blank page': { scripts: '', body: '' },
  'with our list': {
    scripts: '<script async src="/afterword.js" data-site="example.com"></script>',
    body: `<div data-afterword="related" data-limit="${POSTS}"></div>`,
  },
  'with our list, in one file': {
    scripts: '<script async src="/afterword.one.js" data-site="example.com"></script>',
    body: `<div data-afterword="related" data-limit="${POSTS}"></div>`,
  },
  'with our list and no reports': {
    scripts: '<script async src="/afterword.js" data-site="example.com" data-track="nothing"></script>',
    body: `<div data-afterword="related" data-limit="${POSTS}"></div>`,
  },
  'with our list in an experiment': {
    scripts: `<script async src="/afterword.js" data-site="${TRIED_SITE}"></script>`,
    body: `<div data-afterword="related" data-slot="end" data-limit="${POSTS}"></div>`,
  },
  'with our list in German': {
    scripts: '<script async src="/afterword.js" data-site="example.com"></script>',
    body: `<div lang="de"><div data-afterword="related" data-limit="${POSTS}"></div></div>`,
  },
  'with the same list in its HTML': { scripts: '', body: 'LIST' },
  'with the same list by React': {
    scripts: '<script async src="/react.js"></script>',
    body: '<div id="root" style="min-height:50em"></div>',
  },
};

const bench: Bench = async () => {
  const files = await readFiles();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const file = files.get(pathname);
    if (file) {
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Content-Encoding': 'br' }).end(file);
    } else if (pathname === '/page') {
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(pageOf(searchParams.get('name') as keyof typeof PAGES));
    } else {
      const answer = searchParams.get('apikey') === TRIED_SITE ? { ...LIST, experiments: [EXPERIMENT] } : LIST;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launchBrowser();
  try {
    const costs = new Map(Object.keys(PAGES).map((name) => [name, [] as Cost[]]));
    // In turns, so that whatever else the machine does falls on all of them.
    for (let run = -1; run < RUNS; run++) {
      for (const [name, all] of costs) {
        const cost = await measure(browser, `${origin}/page?name=${encodeURIComponent(name)}`);
        if (run >= 0) all.push(cost);
      }
    }
    return toTable(costs, browser.version());
  } finally {
    await browser.close();
    server.close();
  }
};

export default bench;

/** Everything a page may load, compressed as it is served. */
async function readFiles(): Promise<Map<string, Buffer>> {
  const names = readdirSync(WIDGET).filter((name) => name.endsWith('.js.br'));
  const files = new Map(names.map((name) => [`/${name.slice(0, -3)}`, readFileSync(join(WIDGET, name))]));
  return files.set('/react.js', brotliCompressSync(await buildReactList(POSTS)));
}

const RECORDS = Array.from({ length: POSTS + 5 }, (_, index) => ({
  title: `Post number ${index + 1}, with a title of an ordinary length`,
  url: `https://example.com/post-${index + 1}`,
  author: 'Ada Writer',
  section: 'Science',
  pub_date: '2026-03-04T05:06:07Z',
  image_url: '',
  thumb_url_medium: '',
}));

const LIST = { success: true, data: RECORDS };

/** As answers name it. */
const EXPERIMENT: ExperimentDefinition = {
  name: 'heading',
  slot: 'end',
  variants: [
    { name: 'control', share: 50 },
    { name: 'other', share: 50, heading: 'What to read next' },
  ],
};

function pageOf(name: keyof typeof PAGES): string {
  const { scripts } = PAGES[name];
  const body = PAGES[name].body.replace('LIST', () => toHtmlList(RECORDS.slice(0, POSTS)));
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article</title><link rel="icon" href="data:,">` +
    `<meta name="viewport" content="width=device-width">${scripts}</head>` +
    `<body><h1>Article</h1><p>${'Some words of the article. '.repeat(20)}</p>${body}<p>Below</p></body></html>`
  );
}

async function measure(browser: Browser, url: string): Promise<Cost> {
  const slow = await visit(browser, url, { rate: SLOWDOWN, timeDomain: 'timeTicks' });
  const { main } = await visit(browser, url, { rate: 1, timeDomain: 'threadTicks' });
  return { ...slow, processor: main * SLOWDOWN };
}

interface Visit {
  /** Times that the processor is slower. */
  rate: number;
  /** By the clock, or by the processor time of the thread. */
  timeDomain: 'timeTicks' | 'threadTicks';
  /** Visits that may be made until the list is there: a machine that was busy elsewhere measures nothing. */
  visits?: number;
}

async function visit(
  browser: Browser,
  url: string,
  { rate, timeDomain, visits = 3 }: Visit,
): Promise<Omit<Cost, 'processor'>> {
  const context = await browser.newContext({ viewport: { width: 390, height: 1600 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const cost = { blocking: 0, main: 0, script: 0, bytes: 0, requests: -1, shift: 0 };
    devtools.on('Network.requestWillBeSent', () => cost.requests++);
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      cost.bytes += encodedDataLength;
    });
    await devtools.send('Network.enable');
    await devtools.send('Performance.enable', { timeDomain });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate });
    await page.addInitScript((long) => {
      Object.assign(window, { blocking: 0, shift: 0 });
      const add = (name: 'blocking' | 'shift', more: number): void => {
        Reflect.set(window, name, Reflect.get(window, name) + more);
      };
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) add('blocking', Math.max(0, duration - long));
      }).observe({ type: 'longtask', buffered: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) add('shift', (entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    }, LONG_TASK_MS);
    await page.goto(url);
    // By the clock: looking for the list in the page would be work on its main thread, and be counted.
    await page.waitForTimeout(SETTLE_MS);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const seconds = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
    const seen = (await page.evaluate('({ blocking, shift })')) as Pick<Cost, 'blocking' | 'shift'>;
    const posts = await page.locator('li a').count();
    if (posts !== (url.includes('blank') ? 0 : POSTS)) {
      if (visits === 1) throw new Error(`${url} shows ${posts} posts after ${SETTLE_MS} ms.`);
      console.warn(`Visited again, because it shows ${posts} posts after ${SETTLE_MS} ms: ${url}`);
      return await visit(browser, url, { rate, timeDomain, visits: visits - 1 });
    }
    const main = seconds('TaskDuration') - seconds('DevToolsCommandDuration');
    return { ...cost, ...seen, main: main * 1000, script: seconds('ScriptDuration') * 1000 };
  } finally {
    await context.close();
  }
}

function toTable(costs: Map<string, Cost[]>, version: string): Awaited<ReturnType<Bench>> {
  const middle = (name: string, field: keyof Cost): number => median(costs.get(name)!.map((cost) => cost[field]));
  const [blank] = costs.keys();
  const over = (name: string, field: 'blocking' | 'main' | 'processor' | 'script'): string =>
    `${(middle(name, field) - (name === blank ? 0 : middle(blank!, field))).toFixed(0)} ms`;
  return {
    title: `A page with a list of ${POSTS} in view, ${SLOWDOWN}× slower CPU, median of ${RUNS}`,
    columns: ['page', 'blocking', 'main thread', 'of it script', 'processor time', 'bytes', 'requests', 'layout shift'],
    rows: [...costs.keys()].map((name) => [
      name === blank ? name : `${name}: more than the blank one`,
      over(name, 'blocking'),
      over(name, 'main'),
      over(name, 'script'),
      over(name, 'processor'),
      (middle(name, 'bytes') - (name === blank ? 0 : middle(blank!, 'bytes'))).toLocaleString('en'),
      middle(name, 'requests'),
      middle(name, 'shift').toFixed(4),
    ]),
    notes: [
      `Blocking: what tasks take beyond ${LONG_TASK_MS} ms. Bytes and requests as they travel, headers and the list itself (JSON, not compressed) included, without the page.`,
      'Ours also counts the view, keeps the reader’s id, trains the profile and reports the list’s impression: these requests, and the time of its storage and timers, are its own. American English dates are written without a formatter of the browser’s. In other languages they are written in an idle moment after the list is painted: the row in German shows what the first formatter takes, and the part for other languages. In the experiment half of the readers see another heading; its part is one more request. The React page draws the same markup with the same style sheet, leaves the dates as they come and does nothing else. The list in the page’s HTML is the same markup and style sheet without a script or a request: what the browser alone takes to draw it, in every row with a list.',
      `Main thread: all tasks but those of the measurement, by the clock. Processor time: what the main thread used of a processor for them in visits without the slowdown, times ${SLOWDOWN}; other work of the machine is not in it.`,
      `Chromium ${version}, each visit with empty caches, pages in turns.`,
    ],
  };
}
