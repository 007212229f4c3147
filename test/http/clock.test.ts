// The wall clock is set forward and back while the server runs: answers, asked for through the whole application.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { createQuotas } from '../../server/sites/quotas.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const HOUR = 3_600_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
/** A day to come, at noon: the engine forgets what is old by a clock of its own. */
const START = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 36 * HOUR;

let room: Newsroom;
let time: number;
beforeEach(async () => {
  time = START;
  room = await openNewsroom({ now: time });
  for (const page of ['a', 'b']) await room.write(`https://paper.example/${page}`, { title: page });
});
afterEach(() => room.close());

function pass(milliseconds: number): void {
  time += milliseconds;
  room.setNow(time);
}

const top = async () => (await room.ask('/top/posts')).data.map(({ title }) => title);

async function view(page: string, reader: string): Promise<void> {
  const event = { idsite: 'paper.example', action: 'pageview', url: `https://paper.example/${page}`, u: reader };
  const headers = { 'User-Agent': FIREFOX };
  const body = JSON.stringify({ events: [event] });
  const answer = await room.app.request('/events', { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
}

test.each([
  ['five hours forward, and back', 5],
  ['five hours back, and right again', -5],
  ['over midnight, and back', 14],
])('the public list is made anew within its usual time after the clock was set %s', async (_, hours) => {
  await view('a', 'ann');
  pass(1000);
  expect(await top()).toEqual(['a']);
  room.setClockWrong(hours * HOUR);
  pass(61_000);
  await top();
  room.setClockWrong(0);
  await Promise.all([view('b', 'ben'), view('b', 'cem')]);
  // A list is kept for a minute at most.
  pass(61_000);
  expect(await top()).toEqual(['b', 'a']);
});

test('what its publisher says about a post changes it at once while the clock is behind', async () => {
  await view('a', 'ann');
  room.setClockWrong(-5 * HOUR);
  pass(61_000);
  await room.write('https://paper.example/a', { title: 'mended' });
  const [post] = await room.deps.library.get(room.site.id, ['https://paper.example/a']);
  expect(post?.title).toBe('mended');
});

test('an address becomes that of another post while the clock is behind', async () => {
  const [a, b, amp] = ['a', 'b', 'amp'].map((name) => `https://paper.example/${name}`) as [string, string, string];
  await view('amp', 'ann');
  await room.write(a, {}, [amp]);
  const views = async (url: string) =>
    (await room.ask('/analytics/post/detail', { url })).data.map(({ _hits }) => _hits);
  expect([await views(a), await views(b)]).toEqual([[1], [0]]);
  room.setClockWrong(-5 * HOUR);
  pass(61_000);
  await room.write(b, {}, [amp]);
  room.setClockWrong(0);
  expect([await views(a), await views(b)]).toEqual([[0], [1]]);
  expect(await room.deps.store.posts.aliases(room.site.id, [amp])).toEqual(new Map([[amp, b]]));
});

test('a URL that was hidden while the clock was ahead is shown again when its editor says so', async () => {
  await view('a', 'ann');
  room.setClockWrong(5 * HOUR);
  await room.ask('/exclude/ignore', { url: 'https://paper.example/a' });
  room.setClockWrong(0);
  await room.ask('/exclude/include', { url: 'https://paper.example/a' });
  pass(61_000);
  expect(await top()).toEqual(['a']);
});

test('events are taken on either side of a step, and those of a clock that was ahead count on the day that it showed', async () => {
  for (const [reader, hours] of [0, 5, 0, -5, 0, 24].entries()) {
    room.setClockWrong(hours * HOUR);
    await view('a', `reader ${reader}`);
  }
  room.setClockWrong(0);
  const views = async () => (await room.ask('/analytics/posts', { days: '2' })).data[0]?.metrics.views;
  pass(61_000);
  expect(await views()).toBe(5);
  pass(24 * HOUR);
  expect(await views()).toBe(6);
});

test('vectors that were stored while the clock was ahead are replaced and removed by later ones', async () => {
  const { store } = room.deps;
  const library = room.deps.library as LoadedLibrary;
  const [url, id] = ['https://paper.example/a', room.site.id];
  const write = (vector: readonly number[]) => library.writeVectors(id, [{ url, vector: Int8Array.from(vector) }]);
  const stored = async () => (await store.vectors.get(id, [url])).map(({ vector }) => [...vector]);
  room.setClockWrong(5 * HOUR);
  await write([1, 0]);
  room.setClockWrong(0);
  await write([0, 1]);
  expect(await stored()).toEqual([[0, 1]]);
  await library.clearVectors(id);
  expect(await stored()).toEqual([]);
  expect(await write([1, 2, 3])).toEqual(['stored']);
});

test('what other copies took of the events of a day is counted within a minute while the clock is behind', async () => {
  const { store, sites, log, now } = room.deps;
  await sites.change(room.site.id, (site) => ({ ...site, quotas: { maxEventsPerDay: 10 } }));
  const quotas = createQuotas({ sites, store, log, now, clock: () => time });
  await quotas.refresh();
  // Past this copy.
  await room.happen(...Array.from({ length: 10 }, () => ({ url: 'https://paper.example/a' })));
  room.setClockWrong(-5 * HOUR);
  pass(61_000);
  await quotas.refresh();
  expect(quotas.uses()).toEqual([{ site: room.site.id, quota: 'events', used: 10, limit: 10 }]);
});

test.each([-1, -24])(
  'an experiment keeps its readers where it is looked at, and ends, while the clock is set %s hours wrong',
  async (hours) => {
    const { site, writeSecret: secret } = room;
    const variants = [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ];
    const change = async (body: object) => {
      const sent = { method: 'POST', body: JSON.stringify({ apikey: site.id, secret, ...body }) };
      expect((await room.app.request('/v2/experiments', sent)).status).toBe(200);
    };
    const result = async () => (await room.ask('/experiments', { name: 'one' })).data[0];
    await change({ add: { name: 'one', slot: 'end', variants } });
    pass(61_000);
    const list = { list: 'related', slot: 'end', layout: 'list', experiment: 'one', shown: true, items: [] };
    await room.happen(
      ...['control', 'grid', 'grid'].map((variant, at) => ({
        visitor: `${at + 1}`,
        action: 'list' as const,
        lists: [{ ...list, variant }],
      })),
    );
    const says = expect.arrayContaining([expect.stringContaining(' 3 of 50,000 planned readers came')]);
    room.setClockWrong(hours * HOUR);
    expect(await result()).toMatchObject({ state: 'running', result: { readers: 3, says } });
    await change({ stop: 'one' });
    room.setClockWrong(0);
    expect(await result()).toMatchObject({ state: 'stopped', result: { readers: 3, says } });
  },
);
