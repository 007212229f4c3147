// The growth of a post on a site whose oldest events were removed: what is no longer known by the hour is not counted as 0.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrowthRecord } from '../../server/contract/wire.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2040-03-20T11:00:00Z');
const at = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
  const views = (name: string, published: number) =>
    [0.5, 1.5, 55].map((after) => ({ url: at(name), time: published + after * HOUR }));
  await room.happen({ url: at(''), time: NOW - 60 * DAY });
  // Published 5, 7, 9 … days ago.
  for (let place = 0; place < 12; place++) {
    const pubDate = NOW - (5 + 2 * place) * DAY;
    await room.write(at(`post-${place}`), { title: `Of ${place}`, pageType: 'post', section: 'World', pubDate });
    await room.happen(...views(`post-${place}`, pubDate));
  }
  await room.deps.store.retention.removeBefore([{ site: room.site.id, day: '2040-03-05' }]);
});
afterAll(() => room.close());

const growthOf = async (place: number) =>
  (await room.ask('/analytics/post/growth', { url: at(`post-${place}`) })).data as unknown as GrowthRecord[];

test('a post is compared by the hour with those of which hours are kept, and by the day with all', async () => {
  const rows = await growthOf(0);
  expect(rows[0]).toMatchObject({ unit: 'hour', views: 1, typical: { posts: 5, low: 1, median: 1, high: 1 } });
  expect(rows.at(-1)).toMatchObject({ unit: 'day', views: 3, typical: { posts: 11, low: 3, median: 3, high: 3 } });
});

test('with too few of these, nothing is typical of an hour', async () => {
  const rows = await growthOf(3);
  expect(rows[0]).toMatchObject({ unit: 'hour', views: 1, typical: null });
  expect(rows.at(-1)!.typical).toMatchObject({ posts: 8, median: 3 });
});

test('a post whose own hours are gone has days alone', async () => {
  const rows = await growthOf(6);
  expect(rows.slice(0, 4).map(({ unit, age, views }) => `${unit} ${age}: ${views}`)).toEqual([
    'day 1: 2',
    'day 2: 2',
    'day 3: 3',
    'day 4: 3',
  ]);
  expect(rows[0]!.typical).toMatchObject({ posts: 5, median: 2 });
});
