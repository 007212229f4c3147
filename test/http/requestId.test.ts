// An answer and the log's lines about it carry one id, so that one is found by the other.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createListener } from '../../server/app.ts';
import { OverloadedError, StoreUnavailableError } from '../../server/errors.ts';
import { echoRequestIds } from '../../server/http/requestId.ts';
import { RefusedError } from '../../server/ingest/refusedError.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let room: Newsroom;
let url: string;
let lines: Record<string, unknown>[];
let close: () => void;
const troubles = { read: new Error('broken') as Error, write: new Error('broken') as Error };

/** A server whose questions and events all end in the trouble of the moment, and whose log is read here. */
beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 4, 17, 12) });
  room.deps.store.traffic.run = () => Promise.reject(troubles.read);
});
beforeEach(async () => {
  lines = [];
  close?.();
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const ingest = { ...room.deps.ingest, accept: () => Promise.reject(troubles.write) };
  const server = createServer(echoRequestIds(createListener({ ...room.deps, ingest, log })));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => server.close().closeAllConnections();
});
afterAll(async () => {
  close();
  await room.close();
});

const list = (id?: string) => {
  const query = new URLSearchParams({ apikey: room.site.id, secret: room.secret });
  return fetch(`${url}/v2/analytics/posts?${query}`, { headers: id === undefined ? {} : { 'X-Request-Id': id } });
};
const send = () => fetch(`${url}/events`, { method: 'POST', body: '{"events":[{}]}' });

const reads: [what: string, trouble: Error, status: number][] = [
  ['a fault of ours', new TypeError('undefined is no list'), 500],
  ['a database that is away', new StoreUnavailableError('The database does not answer.'), 503],
];
test.each(reads)('%s: the answer has the id of its line', async (_, trouble, status) => {
  troubles.read = trouble;
  const answer = await list();
  expect(answer.status).toBe(status);
  expect(answer.headers.get('X-Request-Id')).toMatch(UUID);
  expect(lines.map(({ requestId }) => requestId)).toEqual([answer.headers.get('X-Request-Id')]);
});

const writes: [what: string, trouble: Error, status: number][] = [
  ['events that meet a fault of ours', new TypeError('undefined is no event'), 503],
  ['events beyond the capacity', new OverloadedError(), 503],
  ['events beyond a rate', new RefusedError({ reason: 'rate-limited', site: 'paper.example', waitMs: 1_000 }), 429],
];
test.each(writes)('%s: the answer has the id of its line', async (_, trouble, status) => {
  troubles.write = trouble;
  const answer = await send();
  expect(answer.status).toBe(status);
  expect(lines.map(({ requestId }) => requestId)).toEqual([answer.headers.get('X-Request-Id')]);
});

test('the id a proxy gave is on the answer and in the line, and on answers that are not logged', async () => {
  troubles.read = new TypeError('broken');
  const id = '4bf92f3577b34da6/a3ce929d0e0e4736=';
  expect((await list(id)).headers.get('X-Request-Id')).toBe(id);
  expect(lines.map(({ requestId }) => requestId)).toEqual([id]);
  const quiet = await fetch(`${url}/v2/related?apikey=${room.site.id}`, { headers: { 'X-Request-Id': id } });
  expect(quiet.headers.get('X-Request-Id')).toBe(id);
  expect((await fetch(`${url}/v2/related?apikey=${room.site.id}`)).headers.get('X-Request-Id')).toBeNull();
});

test.each(['', 'two words', 'quote"', '<script>', 'x'.repeat(129), 'é'])(
  'what is no id is replaced by one: %j',
  async (id) => {
    troubles.read = new TypeError('broken');
    const answer = await list(id);
    expect(answer.headers.get('X-Request-Id')).toMatch(UUID);
    expect(lines.map(({ requestId }) => requestId)).toEqual([answer.headers.get('X-Request-Id')]);
  },
);
