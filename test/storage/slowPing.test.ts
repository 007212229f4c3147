// A ClickHouse server that lives, and for a while answers neither questions nor pings in time: it is taken for one that
// hangs, and used again as soon as it answers, without a restart.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { until } from '../support/until.ts';

/** Longer than a ping may take. */
const SLOW_MS = 3_000;

let server: Server;
let engine: Engine;
let isSlow = false;
let asked = 0;

/** As much of ClickHouse's HTTP interface as one answer needs. */
beforeEach(async () => {
  isSlow = false;
  server = createServer(async (request, response) => {
    request.resume();
    const isPing = request.url === '/ping';
    if (!isPing) asked++;
    if (isSlow) await sleep(isPing ? SLOW_MS : 2 * SLOW_MS);
    response.end(isPing ? 'Ok.\n' : '{"1":1}\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  engine = await connect({
    kind: 'remote',
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/afterword`],
  });
});
afterEach(async () => {
  await engine.close();
  server.close().closeAllConnections();
});

const ask = () => engine.rows('SELECT 1');

test('a server whose pings are slow is refused questions, and asked again once one is answered in time', async () => {
  expect(await ask()).toEqual([{ 1: 1 }]);
  isSlow = true;
  await expect(ask()).rejects.toBeInstanceOf(StoreUnavailableError);
  const before = asked;
  await expect(ask()).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(asked).toBe(before);
  isSlow = false;
  await until('it is asked again', () =>
    ask().then(
      (rows) => rows.length === 1,
      () => false,
    ),
  );
});
