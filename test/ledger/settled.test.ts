// What followed clicks is kept of days that are over, and says the same as before.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleDays } from '../../server/rankings/settleDays.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { beat, clickRows, DAY, expectSettled, kept, outcomes, page } from './settling.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const FIRST = NOW - 6 * DAY;

let room: Newsroom;
beforeEach(async () => {
  room = await openNewsroom({ now: NOW });
});
afterEach(() => room.close());

test('a day is settled when the next one is over, and again when something came to it late', () => expectSettled(room));

test('of a busy day what followed earlier clicks is kept, and the last hour is read beside it', async () => {
  const MINUTE = 60_000;
  const busy = { ...room.deps, views: 1 };
  await room.write(page('a'), { title: 'A' });
  const click = (visitor: number, ago: number, after = 2) =>
    clickRows({ visitor, time: NOW - ago * MINUTE, post: page('a') }, after);
  await room.happen(
    ...click(1, 24 * 60),
    ...click(2, 300),
    beat(2, NOW - 299 * MINUTE, page('a'), 20),
    // Its view is on the other side of the moment up to which clicks are kept.
    ...click(3, 46, 120),
    ...click(4, 20),
    beat(4, NOW - 19 * MINUTE, page('a'), 10),
    // A later click takes the view.
    ...click(5, 50).slice(0, 1),
    ...click(5, 30),
  );
  const before = { clicks: 6, views_caused: 5, quality_clicks: 1, minutes: 0.5 };
  expect(await outcomes(room)).toEqual(before);
  await settleDays(room.deps);
  expect(await kept(room)).toEqual({ days: 0, rows: 0 });
  await settleDays(busy);
  expect(await kept(room)).toEqual({ days: 2, rows: 3 });
  expect(await outcomes(room)).toEqual(before);
  expect(await outcomes(room, { channel: 'amp' })).toMatchObject({ clicks: 4, views_caused: 3 });

  await room.happen(
    ...click(6, 10),
    beat(4, NOW - 5 * MINUTE, page('a'), 5),
    beat(1, NOW - 60 * MINUTE, page('a'), 15),
  );
  expect(await outcomes(room)).toEqual({ clicks: 7, views_caused: 6, quality_clicks: 2, minutes: 0.583 });

  room.setNow(NOW + 15 * MINUTE);
  await room.happen(beat(2, NOW + 14 * MINUTE, page('a'), 60));
  // What comes so long after a click is counted by the next run.
  expect(await outcomes(room)).toMatchObject({ quality_clicks: 2, minutes: 0.583 });
  await settleDays(busy);
  expect(await outcomes(room)).toEqual({ clicks: 7, views_caused: 6, quality_clicks: 2, minutes: 1.583 });
  room.setNow(NOW + 2 * DAY);
  const late = await outcomes(room);
  await settleDays(room.deps);
  expect(await kept(room)).toEqual({ days: 2, rows: 6 });
  expect(await outcomes(room)).toEqual(late);
});

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
