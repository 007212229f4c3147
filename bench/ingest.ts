// Events a second through POST /events, each answered when it is on the disk and in every roll-up, beside a bare node:http
// server that parses the same JSON and stores nothing, and beside ourselves with parts left out: what each of them costs.
// `--minutes 5` makes it a soak at batches of 10 that tells the resident memory over time.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import type { Kind } from './support/ingestServer.ts';
import type { Bench } from './support/table.ts';

const SERVER = fileURLToPath(new URL('./support/ingestServer.ts', import.meta.url));
const POSTS = 5000;
const VISITORS = 100_000;

/** As many readers as send at once; each waits for its answer before it sends again, as a browser does. */
const CONNECTIONS = 1000;

const SAMPLE_MS = 30_000;

const bench: Bench = async (args) => {
  const options = { seconds: { type: 'string', default: '8' }, minutes: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.minutes !== undefined) return await soak(Number(values.minutes));
  const seconds = Number(values.seconds);
  const rows: (string | number)[][] = [];
  for (const size of [1, 10, 50]) {
    const bare = await measure({ kind: 'bare', size, seconds: Math.min(seconds, 8) });
    const ours = await measure({ kind: 'ours', size, seconds });
    rows.push(toRow(String(size), ours, bare));
    if (size !== 10) continue;
    for (const [kind, what] of PARTS) rows.push(toRow(`10, ${what}`, await measure({ kind, size, seconds }), bare));
  }
  return {
    title: 'Durable events a second through POST /events',
    columns: ['events a batch', 'ours', 'bare node:http', 'ratio', 'answered in (median)', 'p99', 'resident memory'],
    rows,
    notes: [
      `${CONNECTIONS} connections, ${seconds} s a row; the load generator shares the cores. Every acknowledged event was counted in the store afterwards.`,
      `${POSTS} pages, ${VISITORS} visitors, an event in ten with a referrer, in twenty with a campaign; each carries an id of its own.`,
    ],
  };
};

export default bench;

/** Ourselves with parts left out. */
const PARTS = [
  ['unrolled', 'without any roll-up'],
  ['unstored', 'read and classified, not stored'],
] as const;

function toRow(name: string, ours: Measured, bare: Measured): (string | number)[] {
  return [
    name,
    Math.round(ours.perSecond).toLocaleString('en'),
    Math.round(bare.perSecond).toLocaleString('en'),
    (ours.perSecond / bare.perSecond).toFixed(2),
    `${ours.p50} ms`,
    `${ours.p99} ms`,
    `${ours.rss[0]} → ${ours.rss.at(-1)} MB`,
  ];
}

/** Resident memory every half minute, and events taken until then. */
async function soak(minutes: number): ReturnType<Bench> {
  const { rss, events, p99 } = await measure({ kind: 'ours', size: 10, seconds: minutes * 60 });
  return {
    title: `Resident memory over ${minutes} minutes of POST /events in batches of 10`,
    columns: ['after', 'resident memory'],
    rows: rss.map((megabytes, at) => [`${((at * SAMPLE_MS) / 60_000).toFixed(1)} min`, `${megabytes} MB`]),
    notes: [`${events.toLocaleString('en')} events acknowledged and counted in the store afterwards; p99 ${p99} ms.`],
  };
}

interface Measured {
  perSecond: number;
  events: number;
  p50: number;
  p99: number;
  /** Megabytes at the start, every half minute, and at the end. */
  rss: number[];
}

async function measure(of: { kind: Kind; size: number; seconds: number }): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const server = fork(SERVER, [of.kind, dir], { execArgv: process.execArgv });
  try {
    const { port } = await said(server);
    const options = { url: `http://127.0.0.1:${port}/events`, method: 'POST' as const, connections: CONNECTIONS };
    const requests = [{ setupRequest: (request: object) => ({ ...request, body: batch(of.size) }) }];
    const headers = {
      'Content-Type': 'text/plain',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0',
    };
    await autocannon({ ...options, headers, requests, amount: CONNECTIONS });
    const before = CONNECTIONS;
    const rss = [await memory(server)];
    const sampling = setInterval(async () => rss.push(await memory(server)), SAMPLE_MS);
    const result = await autocannon({
      ...options,
      headers,
      requests,
      amount: undefined,
      duration: of.seconds,
      timeout: 30,
    });
    clearInterval(sampling);
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
    rss.push(await memory(server));
    server.send('stop');
    const { stored = 0 } = await said(server);
    const events = (result['2xx'] + before) * of.size;
    // What was on its way when the time was up is stored too, its answer unread.
    const lost = of.kind === 'bare' ? 0 : events - stored;
    if (lost > 0 || -lost > CONNECTIONS * of.size) throw new Error(`${events} acknowledged, ${stored} stored`);
    return {
      perSecond: (result['2xx'] * of.size) / result.duration,
      events,
      p50: result.latency.p50,
      p99: result.latency.p99,
      rss,
    };
  } finally {
    server.kill();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function memory(server: ChildProcess): Promise<number> {
  server.send('memory');
  return Math.round(((await said(server)).rss ?? 0) / 1e6);
}

async function said(server: ChildProcess): Promise<{ port?: number; rss?: number; stored?: number }> {
  const [message] = await once(server, 'message');
  return message;
}

let made = 0;

function batch(size: number): string {
  const events: object[] = [];
  for (let index = 0; index < size; index++) {
    made += 1;
    const page = Math.floor((((made * 7919) % 100_003) / 100_003) ** 3 * POSTS);
    events.push({
      idsite: 'bench.example',
      action: made % 4 === 0 ? 'pageview' : 'heartbeat',
      url: `https://bench.example/articles/${page}${made % 20 === 0 ? '?utm_source=letter&utm_campaign=autumn' : ''}`,
      urlref: made % 10 === 0 ? 'https://www.google.com/' : '',
      inc: 5,
      eid: `event-${made}`,
      data: { parsely_site_uuid: `visitor-${(made * 104_729) % VISITORS}` },
    });
  }
  return JSON.stringify({ events });
}
