// What is answered while the database is away: the last good list, marked as old, or a clear refusal. Nothing that was hidden
// comes back, and nothing that changes something is answered from memory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { until } from '../support/until.ts';

const NOW = Date.UTC(2030, 4, 17, 12);
const AWAY = '1 of 2 database servers does not answer; lists need all of them.';

let room: Newsroom;
let away = false;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const { traffic, exclusions, profiles } = room.deps.store;
  const orAway = <A extends unknown[], T>(work: (...args: A) => Promise<T>) => {
    return (...args: A) =>
      away ? Promise.reject(new StoreUnavailableError(AWAY, { away: ['db-1:8123'] })) : work(...args);
  };
  traffic.run = orAway(traffic.run.bind(traffic));
  exclusions.list = orAway(exclusions.list.bind(exclusions));
  profiles.visits = orAway(profiles.visits.bind(profiles));
  exclusions.add = orAway(exclusions.add.bind(exclusions));
  await room.write('https://paper.example/a', { title: 'Harbour and ferry of the town' });
  await room.write('https://paper.example/b', { title: 'Ferry and harbour in the morning' });
  await room.happen({ url: 'https://paper.example/a' }, { url: 'https://paper.example/b' });
});
afterAll(() => room.close());

const ask = (path: string, params: Record<string, string> = {}) => {
  const query = new URLSearchParams({ apikey: room.site.id, secret: room.secret, ...params });
  return room.app.request(`/v2${path}?${query}`);
};

async function whileAway<T>(work: () => Promise<T>): Promise<T> {
  away = true;
  try {
    return await work();
  } finally {
    away = false;
  }
}

let limit = 10;
test('a list that was asked before is shown again, with its age, and fresh ones come when the database is back', async () => {
  const params = { limit: String(++limit) };
  room.setNow(NOW);
  const before = await (await ask('/analytics/posts', params)).text();
  room.setNow(NOW + 90_000);
  await whileAway(async () => {
    const answer = await ask('/analytics/posts', params);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(before);
    expect(answer.headers.get('Warning')).toBe('110 - "Response is Stale"');
    expect(answer.headers.get('Age')).toBe('90');
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store');
  });
  const after = await ask('/analytics/posts', params);
  expect(after.headers.get('Warning')).toBeNull();
});

test('a list that was never asked is refused: 503, what is away, and when to come again', async () => {
  const answer = await whileAway(() => Promise.resolve(ask('/analytics/authors')));
  expect(answer.status).toBe(503);
  expect(answer.headers.get('Retry-After')).toBe('5');
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await answer.json()).toEqual({ code: 503, message: `Service Unavailable: ${AWAY}`, success: false });
});

test('after an hour an old list is refused, too', async () => {
  await ask('/analytics/sections');
  room.setNow(NOW + 2 * 3_600_000);
  const answer = await whileAway(() => Promise.resolve(ask('/analytics/sections')));
  expect(answer.status).toBe(503);
  room.setNow(NOW);
});

test('a wrong secret is forbidden all the same, and no other address finds a list', async () => {
  await ask('/analytics/posts', { limit: '3' });
  await whileAway(async () => {
    expect(await (await ask('/analytics/posts', { limit: '3', secret: 'wrong' })).json()).toMatchObject({ code: 403 });
    expect((await ask('/analytics/posts', { limit: '4' })).status).toBe(503);
  });
});

test('related posts and the public lists come from memory', async () => {
  const params = { url: 'https://paper.example/a' };
  const before = await (await ask('/related', params)).text();
  expect(before).toContain('https://paper.example/b');
  await ask('/top/posts');
  // Long enough that hidden pages would be read again.
  room.setNow(NOW + 20_000);
  await whileAway(async () => {
    expect(await (await ask('/related', params)).text()).toBe(before);
    // A reader whose profile cannot be read now gets what belongs to the page.
    const personal = await (await ask('/related', { ...params, uuid: 'stranger' })).json();
    expect(personal).toMatchObject({ data: [{ url: 'https://paper.example/b' }], success: true });
    // Without a page there are the most recent posts.
    const recent = await ask('/related', { uuid: 'nobody' });
    expect({ status: recent.status, kept: recent.headers.get('Cache-Control') }).toEqual({
      status: 200,
      kept: 'private, no-store',
    });
    expect(await recent.json()).toMatchObject({ success: true, data: expect.arrayContaining([expect.anything()]) });
    const top = await ask('/top/posts');
    expect({ status: top.status, warning: top.headers.get('Warning') }).toEqual({
      status: 200,
      warning: '110 - "Response is Stale"',
    });
  });
  room.setNow(NOW);
});

test('what was hidden since is in no old list, and hiding is refused where it cannot be stored', async () => {
  await ask('/analytics/posts');
  await ask('/exclude/ignore', { url: 'https://paper.example/b' });
  await whileAway(async () => {
    expect((await ask('/analytics/posts')).status).toBe(503);
    expect((await ask('/exclude/ignore', { url: 'https://paper.example/a' })).status).toBe(503);
    expect(await (await ask('/exclude/list')).json()).toMatchObject({ data: ['https://paper.example/b'] });
  });
});

test('nor in one that was being made while it was hidden', async () => {
  const { traffic } = room.deps.store;
  const run = traffic.run;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isAsked = false;
  traffic.run = async (...asked) => {
    const rows = await run(...asked);
    isAsked = true;
    await held;
    return rows;
  };
  const params = { limit: '77' };
  const slow = ask('/analytics/posts', params);
  await until('the list is being made', () => isAsked);
  expect(await (await ask('/exclude/ignore', { url: 'https://paper.example/a' })).json()).toMatchObject({
    success: true,
  });
  letGo();
  expect(await (await slow).text()).toContain('https://paper.example/a');
  traffic.run = run;
  await whileAway(async () => expect((await ask('/analytics/posts', params)).status).toBe(503));
  await ask('/exclude/include', { url: 'https://paper.example/a' });
});
