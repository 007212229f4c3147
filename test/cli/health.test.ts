// What a load balancer is answered.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { PROCESS_ROUTES } from '../../server/app.ts';
import { createHealth, type Health } from '../../server/cli/health.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { withProcessRoutes } from '../../server/http/processRoutes.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves the health paths alone, on a database that answers as the test says. */
async function serve(
  ping: () => Promise<void>,
  {
    now = () => 0,
    spool = { spooledBytes: 0, spoolRoom: 1e9 },
    refusing = false,
    retrying = 0,
    free = 1e12,
    files = Number.POSITIVE_INFINITY,
    waitingFor,
  }: {
    now?: () => number;
    spool?: { spooledBytes: number; spoolRoom: number };
    refusing?: boolean;
    retrying?: number;
    free?: number;
    files?: number;
    waitingFor?: string;
  } = {},
) {
  const health: Health = createHealth({
    ping,
    clock: now,
    spool: () => spool,
    retrying: () => retrying,
    freeBytes: async () => free,
    freeFiles: async () => files,
    refusing: () => refusing,
    waitingFor: () => waitingFor,
  });
  const other: RequestListener = (_, response) => response.writeHead(418).end();
  const server = createServer(withProcessRoutes(other, PROCESS_ROUTES, health.answers, { trustedProxies: 0 }));
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
const broken = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:8123 password=x'));

const FINE = { status: 200, body: { ready: true, events: 'stored', reads: 'database', problems: [] } };
const notYet = (problem: string) => ({
  status: 503,
  body: { ready: false, events: 'refused', reads: 'none', problems: [problem] },
});
const away = (problem: string) => ({
  status: 200,
  body: { ready: true, events: 'spooled', reads: 'memory', problems: [problem] },
});

test('started while its database was away it takes events, and is not ready until lists can be answered', async () => {
  const { health, ask } = await serve(broken, { waitingFor: 'The database does not answer.' });
  health.enter('ready');
  expect(await ask('/readyz')).toEqual({
    status: 503,
    body: { ready: false, events: 'spooled', reads: 'none', problems: ['The database does not answer.'] },
  });
});

test.each([
  ['nearly full', { free: 12 * 1024 * 1024 }, '12.0 MiB left'],
  ['nearly out of files', { files: 7 }, 'room for 7 more files, whatever their size, left'],
])('a disk that is %s is a problem before the first event is refused', async (_, left, has) => {
  const { health, ask } = await serve(fine, left);
  health.enter('ready');
  const problem = `The disk of the data folder has ${has}, and events are refused when it is full: make room on it.`;
  expect(await ask('/readyz')).toEqual({ ...FINE, body: { ...FINE.body, problems: [problem] } });
});

test('ready only between start and stop, and alive all along', async () => {
  const { health, ask } = await serve(fine);
  expect(await ask('/readyz')).toEqual(notYet('The server is starting.'));
  expect(await ask('/healthz')).toEqual({ status: 200, body: { alive: true } });
  health.enter('ready');
  expect(await ask('/readyz?x=1')).toEqual(FINE);
  health.enter('draining');
  expect(await ask('/readyz')).toEqual(notYet('The server is stopping.'));
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
});

test('while the database is away it is ready as long as the spool takes events, says so, and is not asked by everyone', async () => {
  let time = 0;
  let asked = 0;
  let ping: () => Promise<void> = broken;
  const { health, ask } = await serve(
    () => {
      asked++;
      return ping();
    },
    { now: () => time },
  );
  health.enter('ready');
  const said = away('The database does not answer.');
  expect(await Promise.all([ask('/readyz'), ask('/readyz'), ask('/readyz')])).toEqual([said, said, said]);
  expect(asked).toBe(1);
  ping = () => Promise.reject(new StoreUnavailableError('1 of 2 database servers does not answer.'));
  time += 1_000;
  expect(await ask('/readyz')).toEqual(away('1 of 2 database servers does not answer.'));
  ping = fine;
  time += 1_000;
  expect(await ask('/readyz')).toEqual(FINE);
});

test('with no room in the spool it is not ready', async () => {
  const { health, ask } = await serve(broken, { spool: { spooledBytes: 1e9, spoolRoom: 1e6 } });
  health.enter('ready');
  expect(await ask('/readyz')).toEqual({
    status: 503,
    body: {
      ready: false,
      events: 'refused',
      reads: 'memory',
      problems: ['The database does not answer.', 'The spool has no room for more events.'],
    },
  });
});

test.each([1, 16, 64])('a spool of %i MiB is ready while it has room, and not when it is nearly full', async (size) => {
  const spool = { spooledBytes: 0, spoolRoom: size * 2 ** 20 };
  let time = 0;
  const { health, ask } = await serve(broken, { spool, now: () => time });
  health.enter('ready');
  expect(await ask('/readyz')).toEqual(away('The database does not answer.'));
  Object.assign(spool, { spooledBytes: spool.spoolRoom * 0.9, spoolRoom: spool.spoolRoom * 0.1 });
  time += 1_000;
  expect(await ask('/readyz')).toMatchObject({ status: 503, body: { ready: false, events: 'refused' } });
});

test('where events cannot be written, a full disk for example, it is not ready', async () => {
  const { health, ask } = await serve(fine, { refusing: true });
  health.enter('ready');
  const problems = ['Events cannot be written; the log says why.'];
  expect(await ask('/readyz')).toEqual({
    status: 503,
    body: { ready: false, events: 'refused', reads: 'database', problems },
  });
});

test('a database that hangs is away within seconds', async () => {
  const { health, ask } = await serve(() => new Promise(() => {}));
  health.enter('ready');
  expect(await ask('/readyz')).toEqual(away('The database does not answer in time.'));
});

test('every other path is somebody else’s', async () => {
  const { ask } = await serve(fine);
  for (const path of ['/', '/healthz/', '/readyzz', '/v2/readyz']) expect((await ask(path)).status).toBe(418);
});
