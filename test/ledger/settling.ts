// A site some days on: clicks on lists, and what followed them, before and after their days are settled.
import { expect } from 'vitest';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { settleDays } from '../../server/rankings/settleDays.ts';
import type { Newsroom } from '../support/newsroom.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;

export const page = (name: string): string => `https://paper.example/${name}`;

/** Rows of a reader who sees and clicks the item of a list, and opens its post in so many seconds. */
export function clickRows(
  { visitor, time, post }: { visitor: number; time: number; post: string },
  after = 2,
): Partial<EventRow>[] {
  const item = { position: 1, post, source: 'words', seen: true, clicks: 1, alternative: 0 } as const;
  const list = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true };
  const of = { visitor: String(visitor), channel: visitor % 2 === 0 ? 'website' : 'amp' } as const;
  const device = visitor % 2 === 0 ? 'desktop' : 'tablet';
  return [
    { ...of, device, time, url: page('start'), action: 'list', lists: [{ ...list, items: [item] }] },
    { ...of, time: time + after * SECOND, url: post, action: 'pageview' },
  ];
}

export const beat = (visitor: number, time: number, post: string, seconds: number): Partial<EventRow> => ({
  ...{ visitor: String(visitor), time, url: post, action: 'heartbeat', seconds },
});

export async function outcomes(room: Newsroom, more: Record<string, string> = {}) {
  const answer = await room.ask('/lists', { group: 'list', period_start: '20d', ...more });
  const { clicks, views_caused, quality_clicks, engaged_minutes } = (answer.data[0]?.metrics ?? {}) as Record<
    string,
    number
  >;
  return { clicks, views_caused, quality_clicks, minutes: engaged_minutes };
}

/** Days of a site of which what followed their clicks is kept, and rows that are kept of them. */
export async function kept({ deps: { store }, site }: Newsroom): Promise<{ days: number; rows: number }> {
  const runs = 'FROM settled_days FINAL WHERE site = {site:String}';
  const sql = `SELECT (SELECT count() ${runs}) AS days,
    (SELECT count() FROM caused_views WHERE site = {site:String} AND run IN (SELECT run ${runs})) AS rows`;
  const [row] = await store.traffic.run({ sql, params: { site: site.id } });
  return { days: Number(row!.days), rows: Number(row!.rows) };
}

/** Asked before days are settled, after they are, and when something came late. */
export async function expectSettled(room: Newsroom): Promise<void> {
  // At noon: clicks of the same minute are of the same day.
  const now = (Math.ceil(room.deps.now() / DAY) + 0.5) * DAY;
  room.setNow(now);
  const first = now - 6 * DAY;
  await room.write(page('a'), { title: 'A' });
  await room.happen(
    ...[1, 2, 3, 4].flatMap((visitor) => clickRows({ visitor, time: first + visitor, post: page('a') })),
    ...clickRows({ visitor: 5, time: first, post: page('a') }, 40 * 60),
    ...clickRows({ visitor: 6, time: first + 3 * DAY, post: page('a') }),
    ...clickRows({ visitor: 7, time: now - HOUR, post: page('a') }),
    beat(1, first + 20 * SECOND, page('a'), 20),
    beat(2, first + 11 * HOUR, page('a'), 30),
    // Twelve hours later is too late.
    beat(3, first + 13 * HOUR, page('a'), 30),
    beat(7, now - HOUR / 2, page('a'), 10),
  );
  const before = { clicks: 7, views_caused: 6, quality_clicks: 2, minutes: 1 };
  expect(await outcomes(room)).toEqual(before);
  expect(await kept(room)).toEqual({ days: 0, rows: 0 });
  // By two copies of the server at the same time, and once more.
  await Promise.all([settleDays(room.deps), settleDays(room.deps)]);
  await settleDays(room.deps);
  expect(await kept(room)).toEqual({ days: 2, rows: 5 });
  expect(await outcomes(room)).toEqual(before);
  const ofHalf = { clicks: 4, views_caused: 3, quality_clicks: 1, minutes: 0.5 };
  expect(await outcomes(room, { channel: 'amp' })).toEqual(ofHalf);
  expect(await outcomes(room, { device: 'tablet' })).toEqual(ofHalf);

  // What an app kept, and a click that takes a view from an earlier one.
  const again = clickRows({ visitor: 3, time: first + SECOND, post: page('a') });
  await room.happen(beat(4, first + HOUR, page('a'), 15), ...again);
  await settleDays(room.deps);
  const late = { clicks: 8, views_caused: 6, quality_clicks: 3, minutes: 1.25 };
  expect(await outcomes(room)).toEqual(late);
  expect(await kept(room)).toEqual({ days: 2, rows: 5 });
}

/** Asked on days that have not ended, before and after what followed their clicks is kept up to some moment. */
export async function expectBusySettled(room: Newsroom): Promise<void> {
  // At noon, three weeks after whatever else happened on the site.
  const now = (Math.ceil(room.deps.now() / DAY) + 21.5) * DAY;
  room.setNow(now);
  const busy = { ...room.deps, views: 1 };
  await room.write(page('a'), { title: 'A' });
  await settleDays(room.deps);
  const known = await kept(room);
  const click = (visitor: number, ago: number, after = 2) =>
    clickRows({ visitor, time: now - ago * MINUTE, post: page('a') }, after);
  await room.happen(
    ...click(1, 24 * 60),
    ...click(2, 300),
    beat(2, now - 299 * MINUTE, page('a'), 20),
    // Its view is on the other side of the moment up to which clicks are kept.
    ...click(3, 46, 120),
    ...click(4, 20),
    beat(4, now - 19 * MINUTE, page('a'), 10),
    // A later click takes the view.
    ...click(5, 50).slice(0, 1),
    ...click(5, 30),
  );
  const before = { clicks: 6, views_caused: 5, quality_clicks: 1, minutes: 0.5 };
  expect(await outcomes(room)).toEqual(before);
  await settleDays(room.deps);
  expect(await kept(room)).toEqual(known);
  await settleDays(busy);
  expect(await kept(room)).toEqual({ days: known.days + 2, rows: known.rows + 3 });
  expect(await outcomes(room)).toEqual(before);
  expect(await outcomes(room, { channel: 'amp' })).toMatchObject({ clicks: 4, views_caused: 3 });
  expect(await outcomes(room, { device: 'tablet' })).toMatchObject({ clicks: 4, views_caused: 3 });

  await room.happen(
    ...click(6, 10),
    beat(4, now - 5 * MINUTE, page('a'), 5),
    // More than twelve hours after its view.
    beat(1, now - 60 * MINUTE, page('a'), 15),
  );
  const since = { clicks: 7, views_caused: 6, quality_clicks: 2, minutes: 0.583 };
  expect(await outcomes(room)).toEqual(since);

  room.setNow(now + 15 * MINUTE);
  await room.happen(beat(2, now + 14 * MINUTE, page('a'), 60));
  // What comes so long after a click is counted by the next run.
  expect(await outcomes(room)).toEqual(since);
  await settleDays(busy);
  const late = { ...since, minutes: 1.583 };
  expect(await outcomes(room)).toEqual(late);
  room.setNow(now + 2 * DAY);
  await settleDays(room.deps);
  expect(await kept(room)).toEqual({ days: known.days + 2, rows: known.rows + 6 });
  expect(await outcomes(room)).toEqual(late);
}
