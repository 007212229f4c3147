// Pages of a list whose period ends now. One database a test: the clock is advanced, and views that are written then must
// not be counted by another test.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer, Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const MINUTE = 60_000;

let room: Newsroom;
beforeEach(async () => {
  room = await openSmallPaper();
});
afterEach(() => room.close());

test.each([
  ['the default', {}],
  ['a look-back', { period_start: '2d' }],
  ['days', { days: '2' }],
  ['a time', { time: '48h' }],
  ['an end that is a look-back', { period_start: '2040-03-18', period_end: '1m' }],
])('next pins it, so that views between two pages change nothing: %s', async (_, period) => {
  const follow = async (link: string) => (await (await room.app.request(link)).json()) as Answer;
  const whole = await room.ask('/analytics/sections', { ...period });
  const first = await room.ask('/analytics/sections', { ...period, limit: '1' });
  room.setNow(NOW + 90 * MINUTE);
  await room.happen(...Array.from({ length: 9 }, (_, n) => ({ url: A, visitor: '8', time: NOW + 2 * MINUTE + n })));
  const second = await follow(first.links.next!);
  expect([...first.data, ...second.data]).toEqual(whole.data);
  expect(second.data.map(({ name }) => name)).toEqual(['World']);
  // The page after it asks for the same period once more, and so does the way back.
  const back = await follow(second.links.prev!);
  expect(back.data).toEqual(first.data);
});
