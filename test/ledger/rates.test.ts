// Rates of items that were clicked in another hour than they were seen in, or before they were seen.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListRowItem } from '../../server/ingest/eventRow.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const POST = 'https://paper.example/post';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const list = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true };
  const report = (time: number, of: Pick<ListRowItem, 'seen' | 'clicks'>) => {
    const items = [{ position: 1, post: POST, source: 'words' as const, alternative: 0, ...of }];
    return { time, url: 'https://paper.example/page', action: 'list' as const, lists: [{ ...list, items }] };
  };
  await room.happen(
    report(NOW - 2 * HOUR, { seen: true, clicks: 0 }),
    report(NOW - 2 * HOUR, { seen: true, clicks: 1 }),
    report(NOW - HOUR, { seen: false, clicks: 1 }),
    report(NOW, { seen: true, clicks: 2 }),
  );
});
afterAll(() => room.close());

test('a rate lies in its interval, where nothing was seen as well, and hours are sorted by it', async () => {
  const { data } = await room.ask('/lists', { group: 'hour', sort: 'click_rate' });
  const rows = data as unknown as { name: string; metrics: Record<string, number> }[];
  expect(rows.map(({ name, metrics }) => [name.slice(11), metrics.click_rate])).toEqual([
    ['15:00', 1],
    ['16:00', 1],
    ['14:00', 0.5],
  ]);
  for (const { metrics } of rows) {
    expect(metrics.click_rate).toBeGreaterThanOrEqual(metrics.click_rate_low!);
    expect(metrics.click_rate).toBeLessThanOrEqual(metrics.click_rate_high!);
  }
});
