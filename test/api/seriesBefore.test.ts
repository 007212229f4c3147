// GET /analytics/series with compare=previous: what stands beside a day that is not over.
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
  expect(data[9]).toMatchObject({
    start: '2040-11-14T09:00:00+01:00',
    partial: false,
    metrics: { views: 1 },
    previous: { start: '2040-11-13T09:00:00+01:00', metrics: { views: 1 } },
  });
  expect(data.at(-1)).toMatchObject({
    partial: true,
    previous: { start: '2040-11-13T14:00:00+01:00', partial: true },
  });
  expect(totals).toEqual({ metrics: { views: 2 }, previous: { metrics: { views: 1 }, partial: true, days_before: 0 } });
});

test('a period before that begins before the first view of the site is partial, and so are its intervals', async () => {
  const { data, totals } = await byHour({ period_start: '2040-11-14', totals: '1' });
  // The first view came on the 13th at 09:15.
  expect(data.map(({ previous }) => previous.partial)).toEqual(
    Array.from({ length: 15 }, (_, hour) => hour <= 9 || hour === 14),
  );
  expect(totals).toMatchObject({ previous: { partial: true } });
  const evening = await byHour({ period_start: '2040-11-13T21:00', period_end: '2040-11-13', totals: '1' });
  expect(evening.data.map(({ previous }) => previous.partial)).toEqual([false, false, false]);
  expect(evening.totals).toMatchObject({ previous: { metrics: { views: 1 }, partial: false } });
  const days = await byHour({ period_start: '2040-11-13', interval: 'day', totals: '1' });
  expect(days.data.map(({ previous }) => [previous.metrics.views, previous.partial])).toEqual([
    [0, true],
    [0, true],
  ]);
  expect(days.totals).toMatchObject({ previous: { metrics: { views: 0 }, partial: true } });
});

test('a period before says how many days of traffic there were before it', async () => {
  // The first view came on the 13th.
  const daysBefore: unknown[] = [];
  for (const day of ['2040-11-14', '2040-11-15', '2040-11-17']) {
    room.setNow(Date.parse(`${day}T14:30:00+01:00`));
    const { totals } = await byHour({ period_start: day, totals: '1' });
    daysBefore.push((totals as { previous: { days_before: number } }).previous.days_before);
  }
  room.setNow(NOW);
  expect(daysBefore).toEqual([0, 1, 3]);
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

test.each([
  ['the day on which clocks are set forward', '2041-03-31T14:30:00+02:00', '2041-03-30', '+01:00'],
  ['the day after', '2041-04-01T14:30:00+02:00', '2041-03-31', '+02:00'],
  ['the day after they were set back', '2041-10-28T14:30:00+01:00', '2041-10-27', '+01:00'],
])('%s until half past two stands beside the day before until half past two', async (_, now, before, offset) => {
  const times = ['13:45', '14:15', '14:45'].map((time) => Date.parse(`${before}T${time}:00${offset}`));
  await room.happen(...times.map((time) => ({ url, time })));
  room.setNow(Date.parse(now));
  const asked = { period_start: now.slice(0, 10), compare: 'previous' };
  const { data } = (await room.ask('/analytics/series', asked)) as unknown as Answered;
  expect(data.map(({ previous }) => previous)).toMatchObject([{ partial: true, metrics: { views: 2 } }]);
});

test('visitors of a period before, of which not all events are kept, are left out and not 0', async () => {
  room.setNow(NOW + 86_400_000);
  const days = { period_start: '2040-11-14', period_end: '2040-11-14' };
  const asked = { metrics: 'views,visitors,avg_engaged', interval: 'day', totals: '1', ...days };
  const whole = await byHour(asked);
  expect(whole.totals).toMatchObject({ previous: { metrics: { views: 2, visitors: 0, avg_engaged: 0 } } });
  await room.deps.store.retention.removeBefore([{ site: room.site.id, day: '2040-11-14' }]);
  const { data, totals } = await byHour(asked);
  expect(data[0]!.metrics).toEqual(whole.data[0]!.metrics);
  expect(data[0]!.previous.metrics).toEqual({ views: 2 });
  expect(totals).toEqual({
    metrics: data[0]!.metrics,
    previous: { metrics: { views: 2 }, partial: false, days_before: 0 },
  });
});
