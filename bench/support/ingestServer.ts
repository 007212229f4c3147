// A server for the ingest bench, in a process of its own: ours with all its roll-ups, or a bare node:http one that parses the
// same JSON and stores nothing. Says where it listens; answers "memory" with its resident bytes.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import { doors } from '../../server/api/doors.ts';
import { createIngest } from '../../server/ingest/ingest.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';

export const SITE: Site = {
  id: parseSiteId('bench.example')!,
  timezone: 'Europe/Berlin',
  domains: [],
  features: { top: true, recommendations: true },
  secretHash: '',
  writeSecretHash: '',
  createdAt: 0,
};

if (process.send) {
  const [kind, dir] = process.argv.slice(2);
  const { listener, close } = kind === 'ours' ? await ours(dir!) : { listener: bare, close: async () => {} };
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
  process.on('message', async (message) => {
    if (message === 'memory') process.send!({ rss: process.memoryUsage.rss() });
    if (message !== 'stop') return;
    server.closeAllConnections();
    server.close();
    process.send!({ stored: await close() });
    process.disconnect();
  });
}

async function ours(dir: string) {
  const log = pino({ level: 'warn' });
  const now = () => Date.now();
  const store = await openStore({ engine: { kind: 'embedded', path: join(dir, 'engine') }, log, now });
  const sites = { find: (id: string) => (id === SITE.id ? SITE : undefined) };
  const ingest = await createIngest({ store, sites, log, now, dir: join(dir, 'ingest') });
  const app = doors({ ingest, log, settings: { trustedProxies: 0 } });
  const close = async () => {
    await ingest.drain();
    const [row] = await store.traffic.run({ sql: 'SELECT count() AS n FROM events', params: {} });
    await store.close();
    return Number(row?.n);
  };
  return { listener: getRequestListener(app.fetch) as RequestListener, close };
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
