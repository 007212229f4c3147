// When traffic is busy: the engine then rests longer between inserts, and takes more events at once.
import { expect, test } from 'vitest';
import { createTrafficMeter } from '../../server/ingest/queue/insertPause.ts';

const LIMIT = 1_000;

/** Groups of so many batches come a hundred times a second. @returns Whether it was busy at the end of each second. */
function come({ batches, seconds }: { batches: number; seconds: number }) {
  let now = 0;
  const meter = createTrafficMeter(LIMIT, () => now);
  const busy: boolean[] = [];
  for (let group = 1; group <= seconds * 100; group++) {
    meter.count(batches);
    now += 10;
    if (group % 100 === 0) busy.push(meter.isBusy());
  }
  const after = (ms: number) => {
    now += ms;
    return meter.isBusy();
  };
  return { busy, after };
}

test('more batches than the limit in a second are busy traffic, which ends a second after the last', () => {
  const { busy, after } = come({ batches: 40, seconds: 5 });
  expect(busy).toEqual([true, true, true, true, true]);
  expect(after(999)).toBe(true);
  expect(after(1)).toBe(false);
});

test('a single group beyond the limit is busy at once', () => {
  let now = 0;
  const meter = createTrafficMeter(LIMIT, () => now);
  meter.count(LIMIT);
  expect(meter.isBusy()).toBe(false);
  meter.count(1);
  expect(meter.isBusy()).toBe(true);
  now = 10_000;
  expect(meter.isBusy()).toBe(false);
});

test('fewer batches than the limit are not busy, however long they come', () => {
  expect(come({ batches: 9, seconds: 5 }).busy).toEqual([false, false, false, false, false]);
});
