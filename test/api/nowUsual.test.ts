// What is usual for figures of the last hour, at a site whose hours begin differently.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NowRecord } from '../../server/contract/now.ts';
import { DAY, HOUR, MINUTE, QUARTER } from '../../server/durations.ts';
import { materialiseHours } from '../../server/rankings/materialiseHours.ts';
import { headlineReaders } from '../support/headlineReaders.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { page } from '../support/readPaper.ts';

const now = Date.parse('2040-04-10T10:30:00Z');
let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now });
});
afterAll(() => room.close());

test('figures of the last hour are beside the same sixty minutes of earlier weeks', async () => {
  for (const name of ['a', 'b']) await room.write(page(name), { title: name, pubDate: now - 90 * 24 * HOUR });
  const weeks = [1, 2, 3].map((week) => now - week * 7 * 24 * HOUR);
  await room.happen(
    ...weeks.flatMap((at) => {
      const [before, begun] = [at - 90 * MINUTE, at - 30 * MINUTE];
      const each = <T>(make: (time: number) => T): T[] =>
        Array.from({ length: 20 }, (_, part) => make(part * 3 * MINUTE));
      return [
        ...each((part) => ({ url: page('a'), visitor: '7', time: before + part })),
        ...each((part) => ({ url: page('a'), visitor: '7', time: begun + part })),
        ...each((part) => ({
          ...{ url: page('b'), visitor: '7', time: begun + part },
          ...({ referrerType: 'internal', referrerUrl: page('a') } as const),
        })),
        ...each((part) =>
          headlineReaders({ post: page('b'), alternative: 1, shown: 1, quality: 1, time: begun + part }).filter(
            ({ action }) => action === 'list',
          ),
        ).flat(),
      ];
    }),
  );
  const { data } = await room.ask('/analytics/now', {});
  const seen = data[0] as unknown as NowRecord;
  // Half of 20 and half of 40 views, of which 10 led on; half of 20 clicks.
  const usualOf = (name: string) => seen.figures.find((figure) => figure.name === name)!.usual;
  expect(usualOf('recirculation_rate')?.median).toBeCloseTo(10 / 30, 2);
  expect(usualOf('clicks')?.median).toBe(10);
});

test('quarters of an hour of today are beside those of busy days, of which hours are kept', async () => {
  const tomorrow = now + DAY;
  const weeks = [1, 2, 3].map((week) => tomorrow - week * 7 * DAY);
  const quarters = Array.from({ length: 24 }, (_, at) => at * QUARTER + MINUTE - 3 * HOUR);
  await room.happen(
    ...weeks.flatMap((at) =>
      quarters.flatMap((after) => Array.from({ length: 8 }, () => ({ url: page('a'), time: at + after }))),
    ),
  );
  expect(await materialiseHours({ ...room.deps, now: () => tomorrow, views: 1 })).toBeGreaterThanOrEqual(3);
  room.setNow(tomorrow);
  const { data } = await room.ask('/analytics/now', {});
  const { today } = data[0] as unknown as NowRecord;
  const shown = today.filter(({ start }) => start.slice(11, 16) >= '08:30' && start.slice(11, 16) < '12:30');
  expect(shown.map(({ usual }) => usual?.median)).toEqual(shown.map(() => 8));
});

test('recirculation of an hour without a view is none, and that of weeks with views is usual', async () => {
  const later = now + 3 * DAY;
  const ledOn = (time: number) => [
    { url: page('a'), visitor: '7', time },
    {
      ...{ url: page('b'), visitor: '7', time: time + MINUTE },
      ...({ referrerType: 'internal', referrerUrl: page('a') } as const),
    },
  ];
  const ago = (weeks: number) => later - weeks * 7 * DAY;
  // The fourth and the fifth have views of another hour.
  await room.happen(
    ...[1, 2, 3].flatMap((week) => [...ledOn(ago(week) - 10 * MINUTE), ...ledOn(ago(week) - 80 * MINUTE)]),
    ...[4, 5].map((week) => ({ url: page('a'), time: ago(week) - 5 * HOUR })),
  );
  room.setNow(later);
  const { data } = await room.ask('/analytics/now', {});
  const { weeks, figures } = data[0] as unknown as NowRecord;
  const recirculation = figures.find(({ name }) => name === 'recirculation_rate');
  expect(weeks).toBe(5);
  expect(recirculation).toMatchObject({ value: null, usual: { median: 0.5, low: 0.5, high: 0.5 }, place: null });
});
