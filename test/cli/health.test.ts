// What a load balancer is told.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHealth, type Health } from '../../server/cli/health.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves the health paths alone, on a database that answers as told. */
async function serve(ping: () => Promise<void>, now = () => 0) {
  const health: Health = createHealth({ ping, now });
  const server = createServer((request, response) => {
    if (!health.answer(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: response.status === 418 ? undefined : await response.json() };
  };
  return { health, ask };
}

const fine = async () => {};

test('ready only between start and stop, and alive all along', async () => {
  const { health, ask } = await serve(fine);
  expect(await ask('/readyz')).toEqual({ status: 503, body: { ready: false, problems: ['The server is starting.'] } });
  expect(await ask('/healthz')).toEqual({ status: 200, body: { alive: true } });
  health.enter('ready');
  expect(await ask('/readyz?x=1')).toEqual({ status: 200, body: { ready: true, problems: [] } });
  health.enter('draining');
  expect(await ask('/readyz')).toEqual({ status: 503, body: { ready: false, problems: ['The server is stopping.'] } });
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
});

test('a database that fails makes it not ready until it answers again, and is not asked by everyone', async () => {
  let time = 0;
  let asked = 0;
  let broken = true;
  const { health, ask } = await serve(
    async () => {
      asked++;
      if (broken) throw new Error('connect ECONNREFUSED 10.0.0.7:8123 password=x');
    },
    () => time,
  );
  health.enter('ready');
  const problem = { status: 503, body: { ready: false, problems: ['The database does not answer.'] } };
  expect(await Promise.all([ask('/readyz'), ask('/readyz'), ask('/readyz')])).toEqual([problem, problem, problem]);
  expect(asked).toBe(1);
  broken = false;
  time += 1_000;
  expect(await ask('/readyz')).toMatchObject({ status: 200 });
});

test('a database that hangs makes it not ready within seconds', async () => {
  const { health, ask } = await serve(() => new Promise(() => {}));
  health.enter('ready');
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    body: { problems: ['The database does not answer in time.'] },
  });
});

test('every other path is somebody else’s', async () => {
  const { ask } = await serve(fine);
  for (const path of ['/', '/healthz/', '/readyzz', '/v2/readyz']) expect((await ask(path)).status).toBe(418);
});
