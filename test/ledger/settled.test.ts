// What followed clicks is kept of days that are over, and says the same as before.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleDays } from '../../server/rankings/settleDays.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { beat, clickRows, DAY, expectBusySettled, expectSettled, kept, outcomes, page } from './settling.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const FIRST = NOW - 6 * DAY;

let room: Newsroom;
beforeEach(async () => {
  room = await openNewsroom({ now: NOW });
});
afterEach(() => room.close());

test('a day is settled when the next one is over, and again when something came to it late', () => expectSettled(room));

test('of a busy day what followed earlier clicks is kept, and the last hour is read beside it', () =>
  expectBusySettled(room));

test('a day is settled again where an alias of a post becomes known', async () => {
  const [click, view] = clickRows({ visitor: 1, time: FIRST, post: page('a') });
  await room.write(page('a'), { title: 'A' });
  await room.happen(click!, { ...view!, url: page('amp') }, beat(1, FIRST + 5000, page('amp'), 15));
  await settleDays(room.deps);
  expect(await outcomes(room)).toMatchObject({ clicks: 1, views_caused: 0 });
  room.setNow(NOW + 1000);
  await room.write(page('a'), { title: 'A' }, [page('amp')]);
  await settleDays(room.deps);
  expect(await outcomes(room)).toMatchObject({ views_caused: 1, quality_clicks: 1 });
});

test('what is kept stays where a reader is forgotten, and goes with the events of a site', async () => {
  const click = (visitor: number) => clickRows({ visitor, time: FIRST + visitor, post: page('a') });
  await room.happen(...click(1), ...click(2));
  await settleDays(room.deps);
  await room.deps.store.visitors.forget(room.site.id, { visitor: '1', uuid: 'one' });
  expect(await outcomes(room)).toMatchObject({ clicks: 2, views_caused: 2 });
  await room.deps.store.retention.removeBefore([{ site: room.site.id, day: '2040-03-15' }]);
  expect(await kept(room)).toMatchObject({ rows: 0 });
  expect(await outcomes(room)).toMatchObject({ clicks: 2, views_caused: 0 });
});

test('rows of earlier runs are removed', async () => {
  const rows = async () =>
    Number((await room.deps.store.traffic.run({ sql: 'SELECT count() AS n FROM caused_views', params: {} }))[0]!.n);
  const time = (visitor: number) => ({ visitor, time: FIRST + visitor, post: page('a') });
  await room.happen(...clickRows(time(1)));
  await settleDays(room.deps);
  room.setNow(NOW + 1000);
  await room.happen(...clickRows(time(2)));
  await settleDays(room.deps);
  expect(await rows()).toBe(3);
  room.setNow(NOW + 3 * 3_600_000);
  await settleDays(room.deps);
  expect(await rows()).toBe(2);
  expect(await kept(room)).toEqual({ days: 1, rows: 2 });
});
