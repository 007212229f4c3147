// Group commit: which rows leave together, when, and what happens when a write fails or too many rows wait.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { OverloadedError } from '../../server/errors.ts';
import { Lines } from '../../server/ingest/lines.ts';
import { createGroupCommit, type GroupCommitOptions } from '../../server/ingest/queue/groupCommit.ts';

interface Write {
  rows: number[];
  callers: number;
  land(): void;
  fail(error: Error): void;
}

/** A group commit of numbers, whose writes end when the test says so. */
function openGroups(options: Partial<GroupCommitOptions> = {}) {
  const writes: Write[] = [];
  let collected: number[] = [];
  const group = createGroupCommit({
    maxWaiting: 1_000,
    ...options,
    write({ callers }) {
      const rows = collected;
      collected = [];
      return new Promise<void>((land, fail) => writes.push({ rows, callers, land, fail }));
    },
  });
  return {
    writes,
    depth: group.depth,
    drain: group.drain,
    add(...rows: number[]): Promise<void> {
      collected.push(...rows);
      try {
        return group.add(rows.length);
      } catch (error) {
        collected.splice(-rows.length);
        throw error;
      }
    },
    written: (count: number) => expect.poll(() => writes.length, { timeout: 100_000 }).toBe(count),
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

test('a single row leaves at once; rows that come while it is written leave together after it', async () => {
  const { writes, written, add, depth } = openGroups();
  const first = add(1);
  const others = [add(2), add(3, 4)];
  await turn();
  expect(writes).toMatchObject([{ rows: [1], callers: 1 }]);
  expect(await state(first)).toBe('waiting');
  expect(depth()).toBe(4);
  writes[0]!.land();
  await first;
  await written(2);
  expect(writes[1]).toMatchObject({ rows: [2, 3, 4], callers: 2 });
  expect(await state(others[0]!)).toBe('waiting');
  writes[1]!.land();
  await Promise.all(others);
  expect(depth()).toBe(0);
});

test('a failed write fails its group only, and leaves its room to others', async () => {
  const { writes, written, add, depth } = openGroups();
  const first = add(1);
  const second = add(2);
  await turn();
  writes[0]!.fail(new Error('disk full'));
  await expect(first).rejects.toThrow('disk full');
  expect(depth()).toBe(1);
  await written(2);
  writes[1]!.land();
  await second;
  expect(depth()).toBe(0);
});

test('more than may wait is refused, and taken again when there is room', async () => {
  const { writes, written, add, depth } = openGroups({ maxWaiting: 3 });
  const taken = add(1, 2);
  expect(() => add(3, 4)).toThrow(OverloadedError);
  expect(depth()).toBe(2);
  await turn();
  writes[0]!.land();
  await taken;
  const again = add(3, 4);
  await written(2);
  expect(writes[1]!.rows).toEqual([3, 4]);
  writes[1]!.land();
  await again;
});

test('draining writes what waits without a pause, then takes no more', async () => {
  const { writes, written, add, drain } = openGroups({ intervalMs: 60_000, gather: { callers: 1, ms: 60_000 } });
  const first = add(1);
  writes[0]!.land();
  await first;
  const last = add(2);
  const drained = drain();
  expect(() => add(3)).toThrow(OverloadedError);
  await written(2);
  writes[1]!.land();
  await drained;
  await last;
  expect(writes.map(({ rows }) => rows)).toEqual([[1], [2]]);
});

test.each(Array.from({ length: 16 }, (_, turns) => turns))(
  'a row that comes %i turns after the last group was acknowledged is written too',
  async (turns) => {
    const group = createGroupCommit({ maxWaiting: 10, write: async () => {} });
    await group.add(1);
    for (let left = turns; left > 0; left -= 1) await undefined;
    await group.add(1);
    expect(group.depth()).toBe(0);
  },
);

test('a large group does not wait for the interval', async () => {
  const { writes, written, add, drain } = openGroups({ intervalMs: 60_000, largeGroup: 3 });
  const first = add(1);
  const large = add(2, 3, 4);
  writes[0]!.land();
  await first;
  await written(2);
  writes[1]!.land();
  await large;
  const small = add(5);
  await turn();
  const many = add(6, 7);
  await written(3);
  expect(writes[2]!.rows).toEqual([5, 6, 7]);
  writes[2]!.land();
  await Promise.all([small, many]);
  await drain();
});

test('after a group of many callers the next one gathers, and leaves also when one caller alone comes', async () => {
  const { writes, written, add } = openGroups({ gather: { callers: 2, ms: 20 } });
  const first = add(0);
  const many = [add(1), add(2)];
  writes[0]!.land();
  await first;
  await written(2);
  const back = [add(3)];
  writes[1]!.land();
  await Promise.all(many);
  await turn();
  expect(writes).toHaveLength(2);
  back.push(add(4));
  await written(3);
  expect(writes[2]!.rows).toEqual([3, 4]);
  writes[2]!.land();
  await Promise.all(back);
});

test('no more small groups leave in a second than the interval allows', async () => {
  vi.useFakeTimers();
  try {
    const starts: number[] = [];
    const group = createGroupCommit({
      maxWaiting: 10,
      intervalMs: 250,
      write: async () => {
        starts.push(performance.now());
      },
    });
    const sender = async () => {
      for (let n = 0; n < 5; n += 1) await group.add(1);
    };
    const sent = sender();
    await vi.advanceTimersByTimeAsync(10_000);
    await sent;
    expect(starts.map((start) => start - starts[0]!)).toEqual([0, 250, 500, 750, 1000]);
  } finally {
    vi.useRealTimers();
  }
});

test('lines of any script and length arrive as they were sent', async () => {
  const someLines = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(someLines, fc.integer({ min: 1, max: 300 }), async (lines, times) => {
      const collected = new Lines();
      let arrived = '';
      const write = async () => {
        arrived += collected.take().toString();
      };
      const group = createGroupCommit({ maxWaiting: 100, write });
      const sent = lines.map((line) => `${line.repeat(times)}\n`);
      await Promise.all(
        sent.map((line) => {
          collected.text(line);
          return group.add(1);
        }),
      );
      expect(arrived).toBe(sent.join(''));
    }),
    { seed: 1, numRuns: 50 },
  );
});
