// GET /analytics/series with compare=previous, by the hour: what stands beside a day that is not over.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-11-14T14:30:00+01:00');
const url = 'https://paper.example/a';

interface Interval {
  start: string;
  partial: boolean;
  metrics: { views: number };
}
interface Answered {
  data: (Interval & { previous: Interval })[];
  totals: object;
}

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
  await room.write(url, { title: 'A' });
  await room.happen(
    ...['13T09:15', '13T20:00', '14T09:15', '14T14:29'].map((time) => ({
      url,
      time: Date.parse(`2040-11-${time}:00+01:00`),
    })),
  );
});
afterAll(() => room.close());

const byHour = async (params: Record<string, string>) =>
  (await room.ask('/analytics/series', { interval: 'hour', compare: 'previous', ...params })) as unknown as Answered;

test('hours of today stand beside the same hours of yesterday, not beside its evening', async () => {
  const { data, totals } = await byHour({ period_start: '2040-11-14', totals: '1' });
  expect(data).toHaveLength(15);
  expect(data[9]).toEqual({
    start: '2040-11-14T09:00:00+01:00',
    partial: false,
    metrics: { views: 1 },
    previous: { start: '2040-11-13T09:00:00+01:00', partial: false, metrics: { views: 1 } },
  });
  expect(data.at(-1)).toMatchObject({
    partial: true,
    previous: { start: '2040-11-13T14:00:00+01:00', partial: true },
  });
  expect(totals).toEqual({ metrics: { views: 2 }, previous: { metrics: { views: 1 } } });
});

test.each([
  ['two days, the second not over', '2040-11-13', '2040-11-14T10:00', '2040-11-11T00:00:00+01:00'],
  ['a day that is over', '2040-11-13', '2040-11-13', '2040-11-12T00:00:00+01:00'],
  ['hours that begin within a day', '2040-11-13T06:00', '2040-11-13T10:00', '2040-11-13T02:00:00+01:00'],
  ['a morning after a day of 25 hours', '2040-10-29', '2040-10-29T04:00', '2040-10-28T00:00:00+02:00'],
  [
    'an evening after a day of 23 hours, which has no such hour',
    ...(['2040-03-26', '2040-03-26T23:30', '2040-03-24T23:00:00+01:00'] as const),
  ],
])('what stands beside %s begins as much before', async (_, period_start, period_end, before) => {
  expect((await byHour({ period_start, period_end })).data[0]!.previous.start).toBe(before);
});
