// Clocks of readers that are wrong: what they read is counted now, in the lists of today, and never later.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let room: Newsroom;
let url: string;
let count = 0;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());
beforeEach(async () => {
  url = `https://paper.example/${++count}`;
  await room.write(url, { title: url, section: `Of ${count}` });
});

type Written = { date: string | number } | { data: { ts: number } };

/** As trackers write a moment. */
const FORMS: Record<string, (time: number) => Written> = {
  milliseconds: (time) => ({ date: time }),
  'ISO 8601': (time) => ({ date: new Date(time).toISOString() }),
  "JavaScript's Date text": (time) => ({ date: new Date(time).toString() }),
  'ts of an app': (time) => ({ data: { ts: time } }),
};

async function send(path: string, ...moments: Written[]): Promise<void> {
  const events = moments.map((moment) => ({ idsite: room.site.id, action: 'pageview', url, ...moment }));
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
  const body = JSON.stringify({ events });
  expect((await room.app.request(`http://stats.example${path}`, { method: 'POST', headers, body })).status).toBe(200);
}

const ask = async (path: string, params: Record<string, string> = {}) =>
  (await room.ask(path, { section: `Of ${count}`, ...params })).data;
const lists = async (path: string, params: Record<string, string> = {}) => (await ask(path, params)).length === 1;

test.each([5, 23 * 60, 3 * 24 * 60])('a clock %d minutes ahead counts now, however it is written', async (minutes) => {
  const forms = Object.values(FORMS);
  await send('/events', ...forms.map((write) => write(NOW + minutes * MINUTE)));
  for (const [path, params] of [
    ['/realtime/posts', { time: '5m' }],
    ['/analytics/posts', { period_start: '2040-03-20' }],
    ['/analytics/posts', {}],
  ] as const)
    expect([path, (await ask(path, params))[0]?._hits]).toEqual([path, forms.length]);
  expect(await lists('/top/posts')).toBe(true);
  expect(await lists('/analytics/posts', { period_start: '2040-03-21', period_end: '2040-03-24' })).toBe(false);
});

test.each([
  [5 * MINUTE, true, true],
  [23 * HOUR, false, true],
  // That long ago no page was left open: it is the clock that is wrong.
  [3 * DAY, true, true],
])('a clock %d ms behind counts when it says, up to a day back', async (behind, inLastHour, inTop) => {
  await send('/events', FORMS.milliseconds!(NOW - behind));
  expect(await lists('/realtime/posts')).toBe(inLastHour);
  expect(await lists('/top/posts')).toBe(inTop);
  expect(await lists('/analytics/posts')).toBe(true);
});

test('an app that was offline for days counts when it was read, up to a week back', async () => {
  await send('/mobileproxy', FORMS['ts of an app']!(NOW - 6 * DAY));
  expect(await lists('/analytics/posts')).toBe(false);
  expect(await lists('/analytics/posts', { period_start: '2040-03-14', period_end: '2040-03-14' })).toBe(true);
});

test('an app whose clock is ahead, or more than a week behind, counts now', async () => {
  await send('/mobileproxy', FORMS['ts of an app']!(NOW + 5 * MINUTE));
  await send('/mobileproxy', FORMS['ts of an app']!(NOW - 8 * DAY));
  expect((await ask('/realtime/posts', { time: '5m' }))[0]?._hits).toBe(2);
});
