// The window of recent events: what it keeps, what it drops, and what a failed write takes back.
import { expect, test } from 'vitest';
import { createDeduplicationWindow } from '../../server/ingest/dedupe/deduplicationWindow.ts';
import { parseEventKey } from '../../server/ingest/dedupe/eventKey.ts';
import { InDoubtError } from '../../server/ingest/queue/inDoubt.ts';

const CAPACITY = 50;
/** Keys spread over all bits, as hashes are. */
const textOf = (event: number): string => String((BigInt(event + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn);
const keyOf = (event: number) => parseEventKey(textOf(event));

test('as many keys as the capacity are known, and at most twice as many', () => {
  const window = createDeduplicationWindow(CAPACITY);
  for (let event = 0; event < CAPACITY * 7; event++) {
    window.know(textOf(event));
    const known = Array.from({ length: event + 1 }, (_, one) => one).filter((one) => window.get(keyOf(one)));
    expect(known.slice(-CAPACITY)).toEqual(
      Array.from({ length: Math.min(event + 1, CAPACITY) }, (_, one) => Math.max(0, event + 1 - CAPACITY) + one),
    );
    expect(known.length).toBeLessThanOrEqual(2 * CAPACITY);
  }
});

test('keys whose write fails are removed, those of another group and those in doubt stay', async () => {
  const window = createDeduplicationWindow(CAPACITY);
  const [stored, failed] = [Promise.resolve(), Promise.reject(new Error('The disk is full.'))];
  let settle = () => {};
  const settling = new Promise<void>((done) => {
    settle = done;
  });
  const inDoubt = Promise.reject(new InDoubtError(settling));
  const all = [stored, failed, inDoubt];
  for (const [event, written] of all.entries()) {
    window.remember(keyOf(event), written);
    expect(window.get(keyOf(event))).toBe(written);
  }
  await Promise.allSettled(all);
  expect([0, 1, 2].map((event) => window.get(keyOf(event)))).toEqual(['durable', undefined, 'in doubt']);
  settle();
  await settling;
  expect(window.get(keyOf(2))).toBe('durable');
});

test('text that is no key, and the key of events without one, are ignored', () => {
  const window = createDeduplicationWindow(1);
  window.know(textOf(1));
  window.know(textOf(2));
  for (const text of ['', '0', 'x', '-1', '1.5', '1'.repeat(21)]) window.know(text);
  expect([1, 2].map((event) => window.get(keyOf(event)))).toEqual(['durable', 'durable']);
});
