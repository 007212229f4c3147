// A small newsroom at the doors: one site, the real engine, and a sender for each door.
import { Session } from 'chdb';
import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createIngest, type IngestOptions } from '../../server/ingest/ingest.ts';
import type { Ingest } from '../../server/ingest/types.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';
import { openRoutes } from '../support/routes.ts';

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
export const now = Date.UTC(2026, 10, 20, 12);

export const site: Site = {
  id: parseSiteId('news.example')!,
  timezone: 'Asia/Tokyo',
  domains: ['localhost:8080'],
  features: { top: true, recommendations: true, search: true },
  secretHash: '',
  writeSecretHash: '',
  createdAt: now,
};

export interface Sending {
  userAgent?: string;
  ip?: string;
  type?: string;
}

/** Who was answered is in the tables, however busy the machine. */
const PATIENT = { deadlineMs: 100_000 };

export interface Newsroom {
  store: Store;
  ingest: Ingest;
  dir: string;
  request(path: string, init: RequestInit, ip?: string): Promise<Response>;
  post(body: unknown, sending?: Sending, path?: string): Promise<Response>;
  pixel(query: Record<string, string>, sending?: Sending, path?: string): Promise<Response>;
  /** Events of one page, oldest first. */
  stored(url: string): Promise<Record<string, unknown>[]>;
  /** How many events had an outcome since the last restart. */
  count(outcome: string): number;
  /** Runs a statement in the engine. */
  sql(statement: string): Promise<void>;
  /** A new process on the same store. */
  restart(changes?: Partial<IngestOptions>): Promise<void>;
}

/**
 * Opens the engine for a test file, and fresh doors for each of its tests.
 * @param lazy Whether the first request opens them: for tests many of which open doors of their own, or none. Until
 * then there is no `ingest`. Default: no.
 */
export function newsroom({ lazy = false } = {}): Newsroom {
  let place: Scratch;
  let app: Hono;
  /** To open them takes a tenth of a second of processor time: their tables are large. */
  let opened: Promise<void> | undefined;
  const sites = { find: (id: string) => (id.trim().toLowerCase() === site.id ? site : undefined) };

  const room: Newsroom = {
    store: undefined as never,
    ingest: undefined as never,
    dir: '',
    async request(path, init, ip = '203.0.113.7') {
      opened ??= room.restart();
      await opened;
      // A connection from an address, as the Node adapter hands it over.
      return await app.request(path, init, { incoming: { socket: { remoteAddress: ip } } });
    },
    post(body, { userAgent = FIREFOX, ip, type = 'text/plain;charset=UTF-8' } = {}, path = '/events') {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = { 'Content-Type': type, 'User-Agent': userAgent };
      return room.request(path, { method: 'POST', body: text, headers }, ip);
    },
    pixel(query, { userAgent = FIREFOX, ip } = {}, path = '/plogger/') {
      return room.request(`${path}?${new URLSearchParams(query)}`, { headers: { 'User-Agent': userAgent } }, ip);
    },
    stored: (url) =>
      room.store.traffic.run({
        sql: 'SELECT * EXCEPT key, toString(visitor) AS visitor FROM events WHERE url = {url:String} ORDER BY time',
        params: { url },
      }),
    count: (outcome) =>
      room.ingest.counts().reduce((sum, each) => sum + (each.outcome === outcome ? each.count : 0), 0),
    async sql(statement) {
      const session = new Session(place.engine.path);
      await session.queryAsync(statement);
      session.close();
    },
    async restart(changes = {}) {
      const usual = { store: room.store, sites, log: silent, now: () => now, groupIntervalMs: 5, ...PATIENT };
      room.ingest = await createIngest({ ...usual, ...changes });
      app = openRoutes({ ingest: room.ingest }, '/events', '/mobileproxy', '/plogger', '/px');
      opened = Promise.resolve();
    },
  };

  beforeAll(async () => {
    place = await migratedScratch();
    room.dir = place.dir;
    room.store = await openStore({ engine: place.engine, log: silent, now: () => now });
    // Time stands still here and not in the engine, which erases what is old by its own clock.
    await room.sql('SYSTEM STOP TTL MERGES');
  });
  beforeEach(async () => {
    opened = undefined;
    if (!lazy) await room.restart();
  });
  afterAll(async () => {
    await room.store.close();
    place.remove();
  });
  return room;
}

export interface Received {
  status: number;
  /** Every outcome there was, and of how many events. */
  outcomes: [outcome: string, events: number][];
  /** The rows of the page, oldest first. */
  rows: Record<string, unknown>[];
}

/**
 * Lets senders send for a page each, one after another, so that every outcome is known by its sender, and reads all
 * rows at the end.
 * @returns What became of each.
 */
export async function receiveEach(
  room: Newsroom,
  senders: Record<string, { send(url: string): Promise<Response> }>,
): Promise<Record<string, Received>> {
  await room.restart();
  const received: Record<string, Received & { url: string }> = {};
  for (const [name, { send }] of Object.entries(senders)) {
    const url = newPage();
    const before = room.ingest.counts();
    const { status } = await send(url);
    received[name] = { url, status, outcomes: difference(before, room.ingest.counts()), rows: [] };
  }
  const rows = await room.store.traffic.run({
    sql: 'SELECT * EXCEPT key, toString(visitor) AS visitor FROM events ORDER BY time',
    params: {},
  });
  for (const one of Object.values(received)) one.rows = rows.filter(({ url }) => url === one.url);
  return received;
}

type Counts = ReturnType<Ingest['counts']>;

/** What was counted between two looks, by site and outcome as it is counted. */
function difference(before: Counts, after: Counts): Received['outcomes'] {
  return after
    .map(({ site, outcome, count }): [string, number] => {
      const earlier = before.find((one) => one.site === site && one.outcome === outcome);
      return [outcome, count - (earlier?.count ?? 0)];
    })
    .filter(([, count]) => count !== 0);
}

let pages = 0;
/** A page without a view. */
export function newPage(): string {
  pages += 1;
  return `https://news.example/page-${pages}`;
}
