// Figures of lists by hour on the night on which clocks are set back: the hour that comes twice is there twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

/** Clocks are set back at 01:00 of UTC. */
const NIGHT = Date.parse('2040-10-28T00:00:00Z');
const HOUR = 3_600_000;
const POST = 'https://paper.example/post';
const PAGE = 'https://paper.example/page';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NIGHT + 9 * HOUR, timezone: 'Europe/Berlin' });
  const list = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true };
  const item = { position: 1, post: POST, source: 'words' as const, alternative: 0, seen: true, clicks: 1 };
  const seen = (time: number, visitor: string) => [
    { time, visitor, url: PAGE, action: 'pageview' as const },
    { time, visitor, url: PAGE, action: 'list' as const, lists: [{ ...list, items: [item] }] },
    { time: time + 1, visitor, url: POST, action: 'pageview' as const },
  ];
  await room.happen(
    ...seen(NIGHT - HOUR / 2, '1'),
    ...seen(NIGHT + HOUR / 4, '2'),
    ...seen(NIGHT + (3 * HOUR) / 2, '3'),
    ...seen(NIGHT + (7 * HOUR) / 4, '4'),
    ...seen(NIGHT + 2 * HOUR, '5'),
  );
});
afterAll(() => room.close());

test('lists by hour have the hours that a series has, with the same figures', async () => {
  const hours = await room.ask('/lists', { group: 'hour', days: '2', limit: '50' });
  expect(
    hours.data.map(({ name, metrics }) => [name, metrics.clicks, metrics.views_caused, metrics.recirculation]),
  ).toEqual([
    ['2040-10-28T01:00', 1, 1, 0.5],
    ['2040-10-28T02:00', 1, 1, 0.5],
    ['2040-10-28T02:00+01:00', 2, 2, 0.5],
    ['2040-10-28T03:00', 1, 1, 0.5],
  ]);
  const metrics = 'clicks,views_caused,recirculation';
  const series = await room.ask('/analytics/series', { interval: 'hour', days: '2', metrics });
  const intervals = series.data as unknown as { start: string; metrics: Record<string, number> }[];
  expect(
    intervals.filter(({ metrics: { clicks } }) => clicks! > 0).map((one) => [one.start, one.metrics.clicks]),
  ).toEqual([
    ['2040-10-28T01:00:00+02:00', 1],
    ['2040-10-28T02:00:00+02:00', 1],
    ['2040-10-28T02:00:00+01:00', 2],
    ['2040-10-28T03:00:00+01:00', 1],
  ]);
});
