// Requests made to keep the server busy, one after another: none holds the event loop.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import type { HostileBody, Target } from '../support/hostile/hostileBody.ts';
import { hostileBodies } from '../support/hostileBodies.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { threadTime } from '../support/threadTime.ts';

/**
 * Milliseconds of the main thread's processor time, several times what a request costs, of anybody and of who has a secret: bounds for what
 * hangs, on any machine. How much each costs is measured by `npm run bench -- cost`.
 */
const BOUND = { anybody: 250, secret: 1_000 } as const;
/** The least of so many attempts counts: other processes add to the cost of a request. */
const ATTEMPTS = 3;
/** Milliseconds that GET /healthz costs less than when nothing else is done; 0.2 as a rule. */
const QUIET = 3;
/** Requests in a row that cost no more: work in slices leaves the event loop to one of them. */
const QUIET_IN_A_ROW = 2;

let server: TestServer;
let target: Target;

beforeAll(async () => {
  const flags = ['--address-rate', '1000000', '--site-rate', '1000000', '--read-rate', '1000000'];
  server = await startServer({ flags });
  const site = await addSite(server, 'hostile.example');
  target = { site: site.apikey, readSecret: site.secret, writeSecret: site.write_secret, attempt: 0 };
  // What is done once, at the first request of a kind, is not what is measured.
  const kinds = new Map(hostileBodies.map((row) => [`${row.method} ${row.path}`, row]));
  for (const { path, method, query } of kinds.values()) {
    const body = path === '/events' ? '{"events":[]}' : '{}';
    await send({ name: 'harmless', path, method, query, body: () => body, needsSecret: false, status: 0 });
  }
});
afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

/** Two small inserts are a quarter of a second apart: between requests that wait for one stand some that take as long. */
function spread(rows: readonly HostileBody[]): HostileBody[] {
  const waits = rows.filter(({ isInserted }) => isInserted);
  const long = rows.filter(({ isInserted, needsSecret }) => !isInserted && needsSecret);
  const short = rows.filter(({ isInserted, needsSecret }) => !isInserted && !needsSecret);
  return [waits, long, short]
    .flatMap((kind) => kind.map((row, at) => ({ row, place: (at + 0.5) / kind.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

describe.runIf(process.platform === 'linux')('a request holds the event loop only for a moment', () => {
  const titled = spread(hostileBodies).map((row) => {
    const sender = row.needsSecret ? 'sent with a secret' : 'sent by anybody';
    return [`${sender}, ${row.method} ${row.path}: ${row.name}`, row] as const;
  });
  test.each(titled)('%s', async (_, row) => {
    const bound = row.needsSecret ? BOUND.secret : BOUND.anybody;
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && least >= bound; attempt++) {
      target.attempt = attempt;
      least = Math.min(least, await costOf(row));
    }
    expect(least).toBeLessThan(bound);
  });
});

/** Milliseconds, up to the moment when nothing more comes of the request. */
async function costOf(row: HostileBody): Promise<number> {
  const before = threadTime(server.pid);
  expect([row.status].flat()).toContain(await send(row));
  return (await settled()) - before;
}

async function send({ method, path, query, headers, body }: HostileBody): Promise<number> {
  const url = new URL(path, server.url);
  for (const [name, value] of Object.entries(query?.(target) ?? {})) url.searchParams.set(name, value);
  const sent = method === 'POST' && body ? { body: body(target) } : {};
  const answer = await fetch(url, { method, headers: { 'User-Agent': BROWSER, ...headers }, ...sent });
  const text = await answer.text();
  const { code } = text.startsWith('{') ? (JSON.parse(text) as { code?: number }) : {};
  return code ?? answer.status;
}

/** @returns Thread time before the quiet requests, which cost something too. */
async function settled(): Promise<number> {
  let end = threadTime(server.pid);
  for (let quiet = 0; quiet < QUIET_IN_A_ROW; ) {
    const before = threadTime(server.pid);
    await (await fetch(new URL('/healthz', server.url))).arrayBuffer();
    const isQuiet = threadTime(server.pid) - before < QUIET;
    if (quiet === 0) end = before;
    quiet = isQuiet ? quiet + 1 : 0;
  }
  return end;
}
