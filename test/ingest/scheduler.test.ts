// A crowd of senders is let through in slices, in order, and others get their turn between them.
import { expect, test } from 'vitest';
import { createScheduler } from '../../server/ingest/scheduler.ts';

const nextTurn = () => new Promise<void>((done) => setImmediate(done));

test('who comes alone does not wait for a turn of the loop', () => {
  expect(createScheduler(10).turn(1)).toBeUndefined();
});

test('a crowd passes in slices and in order, with a turn for others between', async () => {
  const scheduler = createScheduler(10);
  const through: number[] = [];
  const all = Array.from({ length: 10 }, async (_, who) => {
    await scheduler.turn(5);
    through.push(who);
  });
  const seen: number[] = [];
  while (through.length < 10) {
    await nextTurn();
    seen.push(through.length);
  }
  await Promise.all(all);
  expect(through).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(seen.length).toBeGreaterThanOrEqual(4);
  for (const [at, count] of seen.entries()) expect(count - (seen[at - 1] ?? 0)).toBeLessThanOrEqual(4);
});

test('turns are short while connections come, for each of them waits for a turn, and long again when none does', async () => {
  const scheduler = createScheduler(100, 10);
  let through = 0;
  const counted: number[] = [];
  scheduler.connected();
  for (let who = 0; who < 50; who++) void Promise.resolve(scheduler.turn(10)).then(() => through++);
  for (let connection = 0; connection < 3; connection++) {
    await nextTurn();
    counted.push(through);
    if (connection < 1) scheduler.connected();
  }
  expect(counted).toEqual([2, 3, 13]);
});

test('one batch larger than a slice passes whole', async () => {
  const scheduler = createScheduler(10);
  await Promise.all([scheduler.turn(2000), scheduler.turn(2000)]);
  await scheduler.turn(1);
});
