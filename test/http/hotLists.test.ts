// Public lists in memory: how long they are kept, who waits for whom, and what is shown when the engine is gone.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { createHotLists, type HotLists, hotKey, hotTarget } from '../../server/http/hotLists.ts';
import { parseSiteId } from '../../server/sites/site.ts';

const site = parseSiteId('paper.example')!;
const key = hotKey(site, 'posts', 10);
const HOST = 'stats.example';
const target = '/v2/top/posts?apikey=paper.example';

let now: number;
let open: boolean;
let made: number;
let lists: HotLists;

beforeEach(() => {
  now = 1_000_000;
  open = true;
  made = 0;
  lists = createHotLists({ clock: () => now, allowed: () => open, log: pino({ level: 'silent' }) });
});

/** Takes so long by the lists' clock. */
const make = (cost: number) => async () => {
  made++;
  now += cost;
  return { made };
};

const ask = (work: () => Promise<object>) => lists.get({ site, key, target: hotTarget(HOST, target) }, work);

function answers(url: string, host = HOST): boolean {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = url;
  request.headers.host = host;
  return lists.answer(request, new ServerResponse(request));
}

test('a list is made once and kept for thirty times its cost', async () => {
  await ask(make(200));
  now += 5_999;
  expect((await ask(make(0))).body.toString()).toBe('{"made":1}');
  now += 1;
  expect((await ask(make(0))).body.toString()).toBe('{"made":2}');
});

test('lists that cannot be made while the database is away are one line a minute in the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  lists = createHotLists({ clock: () => now, allowed: () => open, log });
  await ask(make(1));
  now += 3_000;
  const away = () => ask(() => Promise.reject(new StoreUnavailableError('The database does not answer.')));
  for (let requests = 0; requests < 50; requests++)
    expect((await away()).headers.Warning).toBe('110 - "Response is Stale"');
  const line = { msg: 'a list could not be made anew; an older one is shown', reason: 'The database does not answer.' };
  expect(lines).toMatchObject([line]);
  now += 60_000;
  await away();
  expect(lines).toMatchObject([line, { ...line, more: 49 }]);
});

test('a cheap list is kept for three seconds, a dear one for a minute', async () => {
  expect((await ask(make(1))).headers['Cache-Control']).toBe('public, max-age=3');
  lists.forget(site);
  expect((await ask(make(10_000))).headers['Cache-Control']).toBe('public, max-age=60');
});

test('a list without a record is kept here for what it cost, and elsewhere for five seconds', async () => {
  const { headers } = await ask(async () => {
    await make(1_000)();
    return { data: [] };
  });
  expect(headers['Cache-Control']).toBe('public, max-age=5');
  now += 29_999;
  expect(answers(target)).toBe(true);
  now += 1;
  expect(answers(target)).toBe(false);
});

test('all who ask at once wait for the same list', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => ask(make(5))));
  expect(made).toBe(1);
  expect(new Set(all.map((list) => list.body.toString()))).toEqual(new Set(['{"made":1}']));
});

test('an address that was asked before is answered while its list is fresh, and only then', async () => {
  expect(answers(target)).toBe(false);
  await ask(make(1));
  expect(answers(target)).toBe(true);
  expect(answers(`${target}&days=2`)).toBe(false);
  open = false;
  expect(answers(target)).toBe(false);
  open = true;
  now += 3_001;
  expect(answers(target)).toBe(false);
});

test('what is forgotten is made anew, also when it was being made', async () => {
  await ask(make(1));
  lists.forget(site);
  expect(answers(target)).toBe(false);
  let finish: (body: object) => void = () => undefined;
  const slow = ask(() => new Promise((resolve) => (finish = resolve)));
  lists.forget(site);
  finish({ old: true });
  expect((await slow).body.toString()).toBe('{"old":true}');
  expect(answers(target)).toBe(false);
});

describe('when a list cannot be made', () => {
  const fail = () => Promise.reject(new Error('engine is gone'));

  test('the last good one is shown for an hour, marked', async () => {
    await ask(make(1));
    now += 10_000;
    const list = await ask(fail);
    expect(list.body.toString()).toBe('{"made":1}');
    expect(list.headers.Warning).toContain('110');
    now += 3_600_000;
    await expect(ask(fail)).rejects.toThrow('engine is gone');
  });

  test('and there is none, the error is sent, and the next request tries again', async () => {
    await expect(ask(fail)).rejects.toThrow('engine is gone');
    expect((await ask(make(1))).body.toString()).toBe('{"made":1}');
  });
});
