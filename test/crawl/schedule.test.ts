// When a page is read next.
import { expect, test } from 'vitest';
import type { Failure } from '../../server/crawl/failure.ts';
import { createHostSlots } from '../../server/crawl/hostSlots.ts';
import type { QueueEntry } from '../../server/crawl/queueEntry.ts';
import { afterFailure, afterRead, queued } from '../../server/crawl/schedule.ts';
import { parseSiteId } from '../../server/sites/site.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const page = { site: parseSiteId('news.example')!, url: 'https://news.example/a', requested: false };
const fresh = (now: number) => queued(undefined, page, now);

test('a page is read at once, then every hour of its first day, then never', () => {
  let entry = fresh(1000);
  expect(entry.due).toBe(1000);
  const reads: number[] = [];
  while (entry.due > 0) {
    reads.push(entry.due);
    entry = afterRead(entry, entry.due);
  }
  expect(reads).toHaveLength(25);
  expect(reads.at(-1)).toBe(1000 + 24 * HOUR);
});

test('an article that was published before is not read again every hour, one of today is', () => {
  const HALF_A_DAY = 12 * HOUR;
  const seen = fresh(100 * HOUR);
  expect(afterRead(seen, 100 * HOUR, 0).due).toBe(0);
  expect(afterRead(seen, 100 * HOUR, 100 * HOUR - HALF_A_DAY).due).toBe(101 * HOUR);
  expect(afterRead(seen, 112 * HOUR, 100 * HOUR - HALF_A_DAY).due).toBe(0);
  expect(afterRead(seen, 112 * HOUR, 500 * HOUR).due).toBe(113 * HOUR);
  // A date that is yet to come makes it no younger than its first view.
  expect(afterRead(seen, 130 * HOUR, 500 * HOUR).due).toBe(0);
});

test('on request it is read at once, before those that were only seen, and once', () => {
  const old = afterRead(fresh(0), 30 * HOUR);
  expect(old.due).toBe(0);
  const asked = queued(old, { ...page, requested: true }, 31 * HOUR);
  expect(asked).toMatchObject({ due: 31 * HOUR, requested: true, firstSeen: 0 });
  expect(afterRead(asked, 31 * HOUR)).toMatchObject({ due: 0, requested: false });
});

test('a page that waits keeps its place when it is queued again', () => {
  expect(queued(fresh(5), page, 50).due).toBe(5);
  expect(queued({ ...fresh(5), due: 500 }, page, 50).due).toBe(50);
});

test('failures that may pass are tried again, later each time, eight times', () => {
  let entry = fresh(0);
  const waits: number[] = [];
  for (let now = 0; entry.due > 0 || waits.length === 0; now = entry.due) {
    entry = afterFailure(entry, { failure: 'unreachable', retryAfter: undefined }, now);
    if (entry.due > 0) waits.push((entry.due - now) / MINUTE);
  }
  expect(waits).toEqual([1, 4, 16, 64, 256, 360, 360]);
  expect(entry).toMatchObject({ due: 0, attempts: 8, lastFailure: 'unreachable' });
  expect(queued(entry, { ...page, requested: true }, 9 * HOUR)).toMatchObject({ attempts: 0, due: 9 * HOUR });
});

test.each<Failure>([
  'private-address',
  'foreign-host',
  'robots',
  'not-html',
  'gone',
  'unreadable',
  'too-many-redirects',
])('%s is an answer: not tried again', (failure) => {
  expect(afterFailure(fresh(0), { failure, retryAfter: undefined }, 1)).toMatchObject({ due: 0, lastFailure: failure });
});

test('a server is left alone as long as it asks, up to a day', () => {
  const wait = (retryAfter: number) => afterFailure(fresh(0), { failure: 'bad-status', retryAfter }, 0).due;
  expect(wait(10 * MINUTE)).toBe(10 * MINUTE);
  expect(wait(10)).toBe(MINUTE);
  expect(wait(100 * 24 * HOUR)).toBe(24 * HOUR);
});

test('a read page has no failures behind it', () => {
  const failed: QueueEntry = afterFailure(fresh(0), { failure: 'too-slow', retryAfter: undefined }, 0);
  expect(afterRead(failed, MINUTE)).toMatchObject({ attempts: 0, lastFailure: '', lastRead: MINUTE });
});

test('a host has one turn at a time, and a pause after it', () => {
  const turns = createHostSlots();
  expect(turns.take('a', 0)).toBe(true);
  expect(turns.take('a', 99_999)).toBe(false);
  expect(turns.take('b', 0)).toBe(true);
  turns.release('a', { now: 100, pause: 50 });
  expect(turns.take('a', 149)).toBe(false);
  expect(turns.take('a', 150)).toBe(true);
});

test('after a clock that was ahead is set back, the newest version stays the newest and no page waits for that clock', () => {
  const ahead = afterFailure(fresh(5 * HOUR), { failure: 'unreachable', retryAfter: undefined }, 5 * HOUR);
  const again = afterFailure(ahead, { failure: 'unreachable', retryAfter: undefined }, 0);
  expect(again).toMatchObject({ updatedAt: 5 * HOUR, due: 4 * MINUTE, attempts: 2 });
  const read = afterRead({ ...ahead, updatedAt: HOUR / 2 }, 0);
  // No later than the version, which says that the due time was not set by the clock that was ahead.
  expect(read).toMatchObject({ updatedAt: HOUR / 2, due: HOUR / 2, lastRead: 0 });
});
