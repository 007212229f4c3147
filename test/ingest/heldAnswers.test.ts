// When senders are a crowd: the engine then rests between inserts, and takes more at once.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHeldAnswers } from '../../server/ingest/queue/heldAnswers.ts';
import type { LogFile } from '../../server/ingest/queue/wal/writeAheadLog.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MOST = 200;

/** Groups come a hundred times a second for some seconds; each is answered before the next comes. */
function come({ senders, seconds }: { senders: number; seconds: number }) {
  const held = createHeldAnswers({ patienceMs: 2000, most: MOST });
  const file = { owed: false } as LogFile;
  const crowded: boolean[] = [];
  for (let group = 1; group <= seconds * 100; group++) {
    void held.hold(file, senders);
    held.release();
    vi.advanceTimersByTime(10);
    if (group % 100 === 0) crowded.push(held.crowded());
  }
  return { held, crowded };
}

test('many senders are a crowd after a second, though each group of theirs is answered before the next comes', () => {
  const { held, crowded } = come({ senders: 40, seconds: 5 });
  expect(crowded).toEqual([true, true, true, true, true]);
  vi.advanceTimersByTime(2000);
  expect(held.crowded()).toBe(false);
});

test('senders that are more than may be held are a crowd at once', () => {
  const held = createHeldAnswers({ patienceMs: 2000, most: MOST });
  void held.hold({ owed: false } as LogFile, MOST + 1);
  expect(held.crowded()).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(held.crowded()).toBe(false);
});

test('few senders are no crowd, however long they continue', () => {
  expect(come({ senders: 9, seconds: 5 }).crowded).toEqual([false, false, false, false, false]);
});

test('a crowd that begins leaves no sender waiting for the engine', async () => {
  const held = createHeldAnswers({ patienceMs: 60_000, most: MOST });
  const file = { owed: false } as LogFile;
  let answered = false;
  for (let group = 0; group < 100; group++) {
    void held.hold(file, 40);
    held.release();
  }
  void held.hold(file, 1).then(() => (answered = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect({ answered, crowded: held.crowded(), owed: file.owed }).toEqual({ answered: true, crowded: true, owed: true });
});
