// A server for the ingest bench, in a process of its own: ours, ours without its roll-ups, ours that stores nothing, or a bare
// node:http one that parses the same JSON. Says where it listens, and when asked how it is.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { boundCrowd } from '../../server/http/crowd.ts';
import { batchListener, WIDGET_BATCHES } from '../../server/http/eventBatches.ts';
import { createTaking } from '../../server/http/eventSenders.ts';
import { createIngest } from '../../server/ingest/ingest.ts';
import { scheduleIngest } from '../../server/ingest/scheduler.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { connect, type EngineOptions } from '../../server/storage/connect.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import type { EventStore } from '../../server/storage/store.ts';

export const SITE: Site = {
  id: parseSiteId('bench.example')!,
  timezone: 'Europe/Berlin',
  domains: [],
  features: { top: true, recommendations: true, search: true },
  secretHash: '',
  writeSecretHash: '',
  createdAt: 0,
};

export type Kind = 'ours' | 'unrolled' | 'unstored' | 'bare';

/** How a server is. */
export interface State {
  /** Resident bytes. */
  rss: number;
  /** Microseconds of all its threads, so far. */
  cpu: number;
  /** Events taken that are not in the tables yet. */
  behind: number;
  /** Seconds from the sync of the inserts since the last reading until they were in the tables. */
  delays: number[];
}

if (process.send) {
  const [kind, dir] = process.argv.slice(2);
  const { listener, connected, behind, delays, close } =
    kind !== 'bare'
      ? await ours(dir!, kind as Kind)
      : { listener: bare, connected: () => {}, behind: () => 0, delays: [], close: async () => {} };
  const server = createServer(listener);
  server.on('connection', connected);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
    process.send!({ port: (server.address() as AddressInfo).port }),
  );
  process.on('message', async (message) => {
    if (message === 'state') {
      const { user, system } = process.cpuUsage();
      const state = { rss: process.memoryUsage.rss(), cpu: user + system, behind: behind(), delays: delays.splice(0) };
      process.send!(state satisfies State);
    }
    if (message !== 'stop') return;
    server.closeAllConnections();
    server.close();
    process.send!({ stored: await close() });
    process.disconnect();
  });
}

async function ours(dir: string, kind: Kind) {
  const log = pino({ level: 'error' });
  const now = () => Date.now();
  const engine = { kind: 'embedded', path: join(dir, 'engine') } as const;
  if (kind === 'unrolled') await dropViews(engine);
  const opened = await openStore({ engine, log, now });
  let discarded = 0;
  const appendLines: EventStore['appendLines'] = async ({ text }) => {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) discarded++;
  };
  const store = kind === 'unstored' ? { ...opened, events: { ...opened.events, appendLines } } : opened;
  const sites = { find: (id: string) => (id === SITE.id ? SITE : undefined) };
  const delays: number[] = [];
  const onStored = (seconds: number) => delays.push(seconds);
  const ingest = scheduleIngest(await createIngest({ store, sites, log, now, onStored, dir: join(dir, 'ingest') }));
  const taking = createTaking({ log, now, settings: { trustedProxies: 0 } });
  const take = batchListener({ ingest, taking }, new Map([['/events', WIDGET_BATCHES]]));
  // As in the real server, without the routes that are not asked here.
  const listener = boundCrowd((request, response) => {
    if (!take(request, response)) response.writeHead(404).end();
  });
  const behind = () => {
    const { waiting, spooledEvents } = ingest.backlog();
    return waiting + spooledEvents;
  };
  const close = async () => {
    await ingest.drain();
    // A report has one related list, and may have another list beside it.
    const sql = `SELECT (SELECT count() FROM events) + (SELECT count() FROM ledger WHERE list = 'related') AS n`;
    const [row] = await store.traffic.run({ sql, params: {} });
    await store.close();
    return Number(row?.n) + discarded;
  };
  return { listener, connected: ingest.connected, behind, delays, close };
}

/** The schema, and then its views gone: rows go into the table of events and nowhere else. */
async function dropViews(options: EngineOptions): Promise<void> {
  const engine = await connect(options);
  await upgrade(engine, { log: pino({ level: 'silent' }), now: () => 0 });
  const views = await engine.rows<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'`,
  );
  for (const { name } of views) await engine.command(`DROP VIEW ${name}`);
  await engine.close();
}

function bare(request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { events } = JSON.parse(Buffer.concat(parts).toString()) as { events: unknown[] };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(`{"success":true,"events":${events.length}}`);
  });
}
