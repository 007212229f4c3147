// Questions take turns: sites in turn, readers before loads, and none waits for ever.
import { expect, onTestFinished, test } from 'vitest';
import { createFairSemaphore } from '../../server/storage/fairSemaphore.ts';

/** Work that ends when the test ends it. */
function held() {
  const begun: { slot: number; end: () => void }[] = [];
  const work = (slot: number) => new Promise<number>((done) => begun.push({ slot, end: () => done(slot) }));
  return { begun, work };
}

test('as many run at once as there are slots, each in one of its own, and the others follow in order', async () => {
  const slots = createFairSemaphore({ slots: 2 });
  const { begun, work } = held();
  const answers = [1, 2, 3, 4].map(() => slots.run(work));
  await Promise.resolve();
  expect(begun.map(({ slot }) => slot)).toEqual([0, 1]);
  begun[1]!.end();
  expect(await answers[1]).toBe(1);
  expect(begun.map(({ slot }) => slot)).toEqual([0, 1, 1]);
  begun[0]!.end();
  await answers[0];
  for (const { end } of begun) end();
  expect(await Promise.all(answers)).toEqual([0, 1, 1, 0]);
});

test('a failure frees its slot', async () => {
  const slots = createFairSemaphore({ slots: 1 });
  await expect(slots.run(() => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  expect(await slots.run(async () => 'next')).toBe('next');
});

test('past the bound the next one is refused at once, and who waits too long is refused, nothing done', async () => {
  const slots = createFairSemaphore({ slots: 1, waiting: 1, patienceMs: 20 });
  const { begun, work } = held();
  const first = slots.run(work);
  const second = slots.run(work);
  await expect(slots.run(work)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  await expect(second).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  expect(begun).toHaveLength(1);
  begun[0]!.end();
  await first;
  expect(await slots.run(async () => 'free again')).toBe('free again');
});

/** Sites and kinds of questions that were admitted so far, while each waits for its end. */
function admissions(options: Parameters<typeof createFairSemaphore>[0]) {
  const slots = createFairSemaphore(options);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (site: string, { times = 1, background = false } = {}) => {
    for (let time = 0; time < times; time++) {
      const held = () => new Promise<void>((end) => void ends.push(end));
      void slots.run(
        async () => {
          order.push(background ? `load of ${site}` : site);
          await held();
        },
        { site, background },
      );
    }
  };
  /** Ends the question that was admitted first, of those under way. */
  const end = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  // Who still waits would be refused during another file's tests.
  onTestFinished(async () => {
    while (ends.length > 0) await end();
  });
  return { order, ask, end };
}

test('sites take turns: another one waits for one question of a busy site, and not for all', async () => {
  const { order, ask, end } = admissions({ slots: 1 });
  ask('busy', { times: 4 });
  await new Promise(setImmediate);
  ask('b', { times: 2 });
  ask('c');
  for (let ended = 0; ended < 6; ended++) await end();
  expect(order).toEqual(['busy', 'busy', 'b', 'c', 'busy', 'b', 'busy']);
});

test('while several sites ask, one of them has half of the slots; alone, all', async () => {
  const { order, ask, end } = admissions({ slots: 4 });
  ask('busy', { times: 9 });
  await new Promise(setImmediate);
  expect(order).toHaveLength(4);
  ask('b');
  for (let ended = 0; ended < 3; ended++) await end();
  // The next one of the other site finds a slot that is free.
  expect(order.filter((site) => site === 'busy')).toHaveLength(5);
  ask('b');
  await new Promise(setImmediate);
  expect(order.at(-1)).toBe('b');
});

test('loads go behind readers, take half of the slots at most, and are not kept out by readers for ever', async () => {
  const { order, ask, end } = admissions({ slots: 2 });
  ask('cold', { times: 3, background: true });
  await new Promise(setImmediate);
  expect(order).toEqual(['load of cold']);
  ask('a', { times: 12 });
  await new Promise(setImmediate);
  expect(order).toEqual(['load of cold', 'a']);
  for (let ended = 0; ended < 13; ended++) await end();
  expect(order.filter((one) => one === 'load of cold')).toHaveLength(3);
  expect(order.lastIndexOf('load of cold')).toBeLessThan(13);
});

test('a site that fills the queue leaves room for the questions of others', async () => {
  const slots = createFairSemaphore({ slots: 1, waiting: 4 });
  const { work } = held();
  void slots.run(work, { site: 'b' });
  const refusals = { busy: 0, b: 0 };
  const ask = (site: 'busy' | 'b') => {
    slots.run(work, { site }).catch(() => {
      refusals[site]++;
    });
  };
  for (let time = 0; time < 10; time++) ask('busy');
  ask('b');
  await new Promise(setImmediate);
  expect(refusals).toEqual({ busy: 8, b: 0 });
});
