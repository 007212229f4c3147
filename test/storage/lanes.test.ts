// Questions take turns, in order, and nobody waits for ever.
import { expect, test } from 'vitest';
import { createLanes } from '../../server/storage/lanes.ts';

/** Work that ends when it is told to. */
function held() {
  const begun: { lane: number; end: () => void }[] = [];
  const work = (lane: number) => new Promise<number>((done) => begun.push({ lane, end: () => done(lane) }));
  return { begun, work };
}

test('as many run at once as there are lanes, each in one of its own, and the others follow in order', async () => {
  const lanes = createLanes({ lanes: 2 });
  const { begun, work } = held();
  const answers = [1, 2, 3, 4].map(() => lanes.run(work));
  await Promise.resolve();
  expect(begun.map(({ lane }) => lane)).toEqual([0, 1]);
  begun[1]!.end();
  expect(await answers[1]).toBe(1);
  expect(begun.map(({ lane }) => lane)).toEqual([0, 1, 1]);
  begun[0]!.end();
  await answers[0];
  for (const { end } of begun) end();
  expect(await Promise.all(answers)).toEqual([0, 1, 1, 0]);
});

test('a failure frees its lane', async () => {
  const lanes = createLanes({ lanes: 1 });
  await expect(lanes.run(() => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  expect(await lanes.run(async () => 'next')).toBe('next');
});

test('past the bound the next one is refused at once, and who waits too long is refused, nothing done', async () => {
  const lanes = createLanes({ lanes: 1, waiting: 1, patienceMs: 20 });
  const { begun, work } = held();
  const first = lanes.run(work);
  const second = lanes.run(work);
  await expect(lanes.run(work)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  await expect(second).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  expect(begun).toHaveLength(1);
  begun[0]!.end();
  await first;
  expect(await lanes.run(async () => 'free again')).toBe('free again');
});
