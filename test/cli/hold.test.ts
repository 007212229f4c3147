// Requests that come while a server starts: they wait, and what waits in vain is refused, or left to the other copy behind the proxy.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHold, type HoldOptions } from '../../server/cli/holdRequests.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function open(options: HoldOptions) {
  const hold = createHold(options);
  const server = createServer(hold.listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { hold, ask: () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/events`) };
}

test('what waited in vain is refused with 503', async () => {
  const { hold, ask } = await open({ longestMs: 1 });
  expect((await ask()).status).toBe(503);
  hold.release(undefined);
  expect((await ask()).status).toBe(503);
});

test('behind a proxy it is closed without an answer, which sends it to another copy', async () => {
  const { hold, ask } = await open({ longestMs: 1, isBehindProxy: true });
  await expect(ask()).rejects.toThrow('fetch failed');
  hold.release((_, response) => void response.end('served'));
  expect(await (await ask()).text()).toBe('served');
});
