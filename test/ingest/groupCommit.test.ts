// Group commit: who waits for whom, and what happens when a write fails or too many wait.
import { expect, test, vi } from 'vitest';
import { OverloadedError } from '../../server/errors.ts';
import { createGroupCommit } from '../../server/ingest/queue/groupCommit.ts';

/** A writer whose writes end when told to. */
function slowWriter() {
  const writes: { rows: readonly number[]; token: string; land: () => void; fail: (error: Error) => void }[] = [];
  return {
    writes,
    write: (rows: readonly number[], token: string) =>
      new Promise<void>((land, fail) => writes.push({ rows, token, land, fail })),
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const state = async (promise: Promise<void>) => {
  let now = 'waiting';
  promise.then(
    () => (now = 'durable'),
    () => (now = 'failed'),
  );
  await turn();
  return now;
};

test('a lonely row leaves at once; those who come while it is written leave together when it has landed', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 0 });
  const first = buffer.add([1]);
  const others = [buffer.add([2]), buffer.add([3, 4])];
  await turn();
  expect(writes.map(({ rows }) => rows)).toEqual([[1]]);
  expect(await state(first)).toBe('waiting');
  expect(buffer.depth()).toBe(4);
  writes[0]!.land();
  await first;
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(2);
  expect(writes[1]!.rows).toEqual([2, 3, 4]);
  expect(writes[1]!.token).not.toBe(writes[0]!.token);
  expect(await state(others[0]!)).toBe('waiting');
  writes[1]!.land();
  await Promise.all(others);
  expect(buffer.depth()).toBe(0);
});

test('groups are bounded, and keep what one caller gave together', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 0, maxGroup: 3 });
  const all = [buffer.add([0]), buffer.add([1, 2]), buffer.add([3, 4]), buffer.add([5]), buffer.add([6, 7, 8, 9])];
  for (let group = 0; group < 4; group += 1) {
    await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(group + 1);
    writes[group]!.land();
  }
  await Promise.all(all);
  expect(writes.map(({ rows }) => rows)).toEqual([[0], [1, 2], [3, 4, 5], [6, 7, 8, 9]]);
});

test('a failed write fails its group only', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 0 });
  const first = buffer.add([1]);
  const second = buffer.add([2]);
  await turn();
  writes[0]!.fail(new Error('disk full'));
  await expect(first).rejects.toThrow('disk full');
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(2);
  writes[1]!.land();
  await second;
});

test('more than may wait is refused, and taken again when there is room', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 0, maxWaiting: 3 });
  const taken = buffer.add([1, 2]);
  expect(() => buffer.add([3, 4])).toThrow(OverloadedError);
  expect(buffer.depth()).toBe(2);
  await turn();
  writes[0]!.land();
  await taken;
  const again = buffer.add([3, 4]);
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(2);
  writes[1]!.land();
  await again;
});

test('draining writes what waits without pausing, then takes no more', async () => {
  const written: number[] = [];
  const buffer = createGroupCommit<number>({
    intervalMs: 60_000,
    write: async (rows) => {
      written.push(...rows);
    },
  });
  await buffer.add([1]);
  const last = buffer.add([2]);
  await buffer.drain();
  await last;
  expect(written).toEqual([1, 2]);
  expect(() => buffer.add([3])).toThrow(OverloadedError);
});

test.each(Array.from({ length: 16 }, (_, turns) => turns))(
  'a row that comes %i turns after the last group was answered is written too',
  async (turns) => {
    // The write outlasts the pause, so that the writer ends in the same breath as it answers.
    const write = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
    const buffer = createGroupCommit<number>({ intervalMs: 0, write });
    await buffer.add([1]);
    for (let left = turns; left > 0; left -= 1) await undefined;
    await buffer.add([2]);
    expect(buffer.depth()).toBe(0);
  },
);

test('after a large group, those who were answered are waited for, and the next group leaves when half of them are back', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 0, busyGroup: 4 });
  const large = buffer.add([1, 2, 3, 4, 5, 6, 7, 8]);
  await turn();
  writes[0]!.land();
  await large;
  const back = [buffer.add([1]), buffer.add([2, 3])];
  await turn();
  expect(writes).toHaveLength(1);
  back.push(buffer.add([4]));
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(2);
  expect(writes[1]!.rows).toEqual([1, 2, 3, 4]);
  writes[1]!.land();
  await Promise.all(back);
});

test('a large group does not wait for the interval', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 60_000, busyGroup: 3 });
  const first = buffer.add([1]);
  const large = buffer.add([2, 3, 4]);
  await turn();
  writes[0]!.land();
  await first;
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(2);
  writes[1]!.land();
  await large;
  const small = buffer.add([5]);
  await turn();
  const many = buffer.add([6, 7]);
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(3);
  expect(writes[2]!.rows).toEqual([5, 6, 7]);
  writes[2]!.land();
  await Promise.all([small, many]);
  await buffer.drain();
});

test('a large group is followed by a small one all the same, when no other sender comes', async () => {
  const { writes, write } = slowWriter();
  const buffer = createGroupCommit<number>({ write, intervalMs: 0, busyGroup: 2 });
  const large = buffer.add([1, 2]);
  await turn();
  writes[0]!.land();
  await large;
  const small = buffer.add([3]);
  await expect.poll(() => writes.length, { timeout: 100_000 }).toBe(2);
  writes[1]!.land();
  await small;
});

test('no more than four groups leave in a second', async () => {
  vi.useFakeTimers();
  try {
    const starts: number[] = [];
    const buffer = createGroupCommit<number>({
      write: async () => {
        starts.push(performance.now());
      },
    });
    const sender = async () => {
      for (let n = 0; n < 5; n += 1) await buffer.add([n]);
    };
    const sent = sender();
    await vi.advanceTimersByTimeAsync(10_000);
    await sent;
    expect(starts.map((start) => start - starts[0]!)).toEqual([0, 250, 500, 750, 1000]);
  } finally {
    vi.useRealTimers();
  }
});
