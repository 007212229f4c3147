// A look at a site now: each figure is the API's for the same minutes, beside what the last eight weeks had.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NowRecord } from '../../server/contract/now.ts';
import { HOUR, MINUTE, SECOND } from '../../server/durations.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { NOW, openReadPaper, page } from '../support/readPaper.ts';
import { replaceSite } from '../support/replaceSite.ts';

let room: Newsroom;

beforeAll(async () => {
  room = await openReadPaper();
});
afterAll(() => room.close());

async function look(params: Record<string, string> = {}): Promise<NowRecord> {
  const { data } = await room.ask('/analytics/now', params);
  return data[0] as unknown as NowRecord;
}

const figureOf = ({ figures }: NowRecord, name: string) => figures.find((figure) => figure.name === name)!;

test('its figures are those of the API for the same minutes', async () => {
  const seen = await look();
  const minutes = { period_start: seen.period_start, period_end: seen.period_end };
  const totals = async (params: Record<string, string>) => {
    const answer = await room.ask('/analytics/series', { interval: 'minute', totals: '1', ...params });
    return (answer as unknown as { totals: { metrics: Record<string, number> } }).totals.metrics;
  };
  const counted = await totals({ ...minutes, metrics: 'visitors,views,engaged_minutes' });
  const hour = { ...minutes, period_start: new Date(NOW - HOUR).toISOString() };
  const ofHour = await totals({ ...hour, metrics: 'recirculation_rate' });
  expect(Object.fromEntries(seen.figures.map(({ name, value }) => [name, value]))).toEqual({
    ...counted,
    ...ofHour,
    clicks: 0,
  });
  expect(counted).toEqual({ visitors: 9, views: 12, engaged_minutes: 1.5 });
  for (const [path, shown] of [
    ['/analytics/posts', seen.posts.map(({ title, visitors }) => [title, visitors])],
    ['/analytics/sections', seen.sections.map(({ name, visitors }) => [name, visitors])],
    ['/analytics/referrers', seen.referrers.map(({ name, visitors }) => [name, visitors])],
  ] as const) {
    const { data } = await room.ask(path, { ...minutes, sort: 'visitors' });
    expect(shown).toEqual(data.map(({ title, name, metrics }) => [name ?? title, metrics.visitors]));
  }
});

test('each is beside what eight weeks had at this time by the clock of the site', async () => {
  const seen = await look();
  // A middle half of 2.75 to 6.25: what is counted is whole.
  const usual = { median: 4.5, low: 2, high: 7 };
  expect(figureOf(seen, 'visitors')).toMatchObject({ minutes: 5, usual, place: 'above' });
  expect(figureOf(seen, 'views')).toMatchObject({ usual });
  const minutes = { median: 4.5, low: 2.75, high: 6.25 };
  expect(figureOf(seen, 'engaged_minutes')).toMatchObject({ usual: minutes, place: 'below' });
  expect(figureOf(seen, 'recirculation_rate')).toMatchObject({ minutes: 60, usual: { median: 0.536 } });
  expect(seen).toMatchObject({ weeks: 8, least_weeks: 3 });
});

test('a post has its last hour, and gains or loses beside it', async () => {
  const { posts } = await look();
  expect(posts.map(({ title, course, trend }) => [title, trend, course.at(-1), course[0]])).toEqual([
    ['A', 'gaining', 9, 0],
    ['B', 'steady', 1, 0],
    ['C', 'losing', 1, 12],
  ]);
  expect(posts[2]!.course).toEqual([...Array.from({ length: 11 }, () => 12), 1]);
});

test('today is there by quarters of an hour, beside the usual ones, up to midnight', async () => {
  const { today: quarters, period_end } = await look();
  expect(quarters).toHaveLength(96);
  const at = (clock: string) => quarters.find(({ start }) => start === `2040-04-10T${clock}:00+02:00`)!;
  expect(at('10:00')).toMatchObject({ views: 24, partial: true });
  expect(at('10:15')).toMatchObject({ views: null, partial: false });
  expect(at('10:15').usual).toEqual({ median: 13.5, low: 8.25, high: 18.75 });
  const ended = quarters.filter(({ views }) => views !== null);
  const { data } = await room.ask('/analytics/series', { interval: 'hour', period_start: '2040-04-10', period_end });
  const byHour = data.map(({ metrics }) => metrics.views);
  expect(byHour).toEqual(
    byHour.map((_, hour) => ended.slice(hour * 4, hour * 4 + 4).reduce((sum, { views }) => sum + views!, 0)),
  );
});

test('with a section, all of it is of that section', async () => {
  const seen = await look({ section: 'Sport' });
  expect(seen.posts.map(({ title }) => title)).toEqual(['C']);
  expect(seen.sections).toEqual([{ name: 'Sport', visitors: 1, views: 1 }]);
  expect(figureOf(seen, 'visitors')).toMatchObject({ value: 1, usual: null, place: null });
  expect(seen.weeks).toBe(0);
});

test('as many posts as are asked for', async () => {
  expect((await look({ posts: '1' })).posts).toHaveLength(1);
  for (const posts of ['0', '51', 'many', '1e1'])
    expect(await room.ask('/analytics/now', { posts })).toMatchObject({
      code: 422,
      errors: { posts: ['Give a whole number from 1 to 50.'] },
    });
});

describe('all who look', () => {
  test('share one look for five seconds, asked for at once or one after the other', async () => {
    let questions = 0;
    const { traffic } = room.deps.store;
    const { run } = traffic;
    const counting: typeof traffic = {
      run: async (query) => {
        questions++;
        return await run(query);
      },
    };
    Object.assign(traffic, counting);
    try {
      room.setNow(NOW + 10 * SECOND);
      const [one, other] = await Promise.all([look(), look()]);
      const asked = questions;
      expect(other).toEqual(one);
      room.setNow(NOW + 14 * SECOND);
      expect(await look()).toEqual(one);
      expect(questions).toBe(asked);
      room.setNow(NOW + 15 * SECOND);
      expect((await look()).period_end).toBe(new Date(NOW + 15 * SECOND).toISOString());
      // What is usual is known for an hour.
      expect(questions).toBeLessThan(asked + 20);
    } finally {
      Object.assign(traffic, { run });
      room.setNow(NOW);
    }
  });

  test('see nothing of a hidden post, from the moment it is hidden', async () => {
    room.setNow(NOW + MINUTE);
    const titles = async () => (await look()).posts.map(({ title }) => title);
    expect(await titles()).toEqual(['A', 'B', 'C']);
    await room.ask('/exclude/ignore', { url: page('a') });
    expect([await titles(), figureOf(await look(), 'views').value]).toEqual([['B', 'C'], 2]);
    await room.ask('/exclude/include', { url: page('a') });
    expect(await titles()).toEqual(['A', 'B', 'C']);
    room.setNow(NOW);
  });
});

test('a site without traffic has zeros, no rate, and nothing that is usual', async () => {
  const empty = { ...room.site, id: parseSiteId('empty.example')!, timezone: 'America/St_Johns' };
  await room.deps.sites.add(empty);
  const target = `http://stats.example/v2/analytics/now?apikey=${empty.id}&secret=${room.secret}`;
  const { data } = (await (await room.app.request(target)).json()) as { data: [NowRecord] };
  const [seen] = data;
  expect(seen).toMatchObject({ weeks: 0, too_few_days: null, posts: [], sections: [], referrers: [] });
  expect(seen.figures.map(({ name, value }) => [name, value])).toEqual([
    ['visitors', 0],
    ['views', 0],
    ['engaged_minutes', 0],
    ['recirculation_rate', null],
    ['clicks', 0],
  ]);
  expect(seen.figures.every(({ usual, place }) => usual === null && place === null)).toBe(true);
  expect(seen.today.every(({ usual }) => usual === null)).toBe(true);
});

test.each([
  [21, 21],
  [22, null],
])(
  'of events that are kept for %i days, the days that are too few for what is usual are %s',
  async (keepEvents, days) => {
    await replaceSite(room.deps.sites, { ...room.site, quotas: { keepEvents } });
    expect(await look()).toMatchObject({ too_few_days: days });
    await replaceSite(room.deps.sites, room.site);
  },
);
