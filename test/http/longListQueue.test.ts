// Long lists pass a semaphore: a few are made at once, some wait, the rest are refused; short lists pass by.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { HttpEnv } from '../../server/http/auth.ts';
import { answerErrors } from '../../server/http/errors.ts';
import { createLongLists, type LongListLimits, makeList } from '../../server/http/longLists.ts';
import { until } from '../support/until.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose lists are made when the test says so. */
async function serve(limits: LongListLimits) {
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const seen: string[] = [];
  const app = new Hono<HttpEnv>();
  app.use(createLongLists(limits).middleware);
  app.onError(answerErrors(pino({ level: 'silent' }), () => 0));
  app.get('/:name/:limit', (c) => {
    const { name, limit } = c.req.param();
    seen.push(name);
    return makeList(c, { limit: Number(limit), page: 1 }, async () => {
      begun.push(name);
      await new Promise<void>((done) => finish.set(name, done));
      return c.text(name);
    });
  });
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Resolves once the server has the request. */
  async function ask(name: string, limit: number) {
    const going = new AbortController();
    const answer = fetch(`${url}/${name}/${limit}`, { signal: going.signal });
    answer.catch(() => undefined);
    await until(`${name} has arrived`, () => seen.includes(name));
    return { answer, leave: () => going.abort() };
  }
  return { ask, begun, finish: (name: string) => finish.get(name)!() };
}

test('a few long lists are made at once, others wait in their order, and beyond the queue they are refused', async () => {
  const { ask, begun, finish } = await serve({ underWay: 1, waiting: 2 });
  const [first, second, third] = [await ask('first', 2000), await ask('second', 2000), await ask('third', 2000)];
  const refused = await (await ask('fourth', 2000)).answer;
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
  const short = await ask('short', 10);
  await until('the short list is made', () => begun.includes('short'));
  expect(begun).toEqual(['first', 'short']);
  finish('short');
  expect(await (await short.answer).text()).toBe('short');
  for (const [name, { answer }] of Object.entries({ first, second, third })) {
    await until(`${name} is made`, () => begun.includes(name));
    finish(name);
    expect(await (await answer).text()).toBe(name);
  }
  expect(begun).toEqual(['first', 'short', 'second', 'third']);
});

test('a list whose connection is closed is not made', async () => {
  const { ask, begun, finish } = await serve({ underWay: 1, waiting: 5 });
  await ask('first', 2000);
  const gone = await ask('gone', 2000);
  const last = await ask('last', 2000);
  gone.leave();
  // The server closes its end before it takes the next request.
  const after = await ask('after', 10);
  await until('the short list is made', () => begun.includes('after'));
  finish('after');
  await (await after.answer).text();
  finish('first');
  await until('the last is made', () => begun.includes('last'));
  finish('last');
  expect(await (await last.answer).text()).toBe('last');
  expect(begun).toEqual(['first', 'after', 'last']);
});
