// JSON of long lists: the bytes are those of JSON.stringify, and none of it is a large object of the heap.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getHeapSpaceStatistics } from 'node:v8';
import { getRequestListener } from '@hono/node-server';
import fc from 'fast-check';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { isLong, toJsonBytes } from '../../server/http/jsonBytes.ts';
import { send } from '../../server/http/send.ts';
import { until } from '../support/until.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 100);
const CONNECTIONS = 10;
const PIPELINED = 12;
/** Bytes, about. */
const ONE_ANSWER = 500_000;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

test('bytes are those of JSON.stringify', () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.string({ unit: 'binary' }));
  const list = fc
    .tuple(fc.array(value, { maxLength: 3 }), fc.integer({ min: 0, max: 250 }))
    .map(([some, length]) => Array.from({ length }, (_, at) => some[at % 4]));
  const body = fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(value, list), {
    noNullPrototype: true,
    maxKeys: 4,
  });
  fc.assert(
    fc.property(body, (body) => {
      expect(new TextDecoder().decode(toJsonBytes(body))).toBe(Buffer.from(JSON.stringify(body)).toString());
    }),
    { numRuns: RUNS },
  );
});

test.each([
  [100, false],
  [101, true],
])('a list of %i records is long: %s', (length, long) => {
  expect(isLong({ success: true, data: Array.from({ length }, () => ({})) })).toBe(long);
});

test('long answers that are not read are no large strings of the heap', async () => {
  const data = Array.from({ length: 2000 }, (_, at) => ({ url: `https://a.example/${at}`, text: 'x'.repeat(200) }));
  let answers = 0;
  const app = new Hono().get('/', (c) => {
    answers++;
    return send(c, { data, success: true });
  });
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
  closing.push(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const before = largeObjects();
  for (let number = 0; number < CONNECTIONS; number++) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED));
    closing.push(() => socket.destroy());
  }
  await until('all are answered', () => answers === CONNECTIONS * PIPELINED);
  expect(largeObjects() - before).toBeLessThan(ONE_ANSWER * 10);
});

/** Bytes of the heap's large objects, young and old. */
function largeObjects(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => space_name.endsWith('large_object_space'));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
