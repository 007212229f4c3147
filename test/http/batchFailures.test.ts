// Batches of events that cannot be answered for a reason that stays: every reader meets it, and the log must not fill
// the disk.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { batchListener, WIDGET_BATCHES } from '../../server/http/eventBatches.ts';
import { createTaking } from '../../server/http/eventSenders.ts';
import { openNewsroom } from '../support/newsroom.ts';

const room = await openNewsroom({ now: Date.UTC(2030, 0, 10, 12) });
afterAll(() => room.close());

test('each failure is one line, then one a minute that says how many there were', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) });
  let elapsed = 0;
  const ingest = {
    ...room.deps.ingest,
    reserve: () => {
      throw new Error('Out of memory');
    },
  };
  const deps = { ...room.deps, ingest, log, clock: () => elapsed };
  const first = batchListener({ ...deps, taking: createTaking(deps) }, new Map([['/events', WIDGET_BATCHES]]));
  const server = createServer((request, response) => void first(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = () => fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body: '{"events":[]}' });
  for (let sent = 0; sent < 20; sent++) await expect(send()).rejects.toThrow();
  expect(lines).toMatchObject([{ err: { message: 'Out of memory' } }]);
  elapsed += MINUTE;
  await expect(send()).rejects.toThrow();
  expect(lines.slice(1)).toMatchObject([{ reason: 'Out of memory', more: 19 }]);
  server.close();
});
