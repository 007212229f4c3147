// A run of work over many continues where one fails, and says at its end what failed.
import { expect, test } from 'vitest';
import { serveEach } from '../server/serveEach.ts';

/** Serves numbers, of which even ones fail. */
async function serve(numbers: Iterable<number>, stop?: AbortController, last?: number) {
  const served: number[] = [];
  const work = async (number: number): Promise<void> => {
    served.push(number);
    if (number === last) stop?.abort();
    if (number % 2 === 0) throw new Error(`no ${number}`);
  };
  const failures = await serveEach(numbers, work, { stop: stop?.signal });
  return { served, failures: failures.map((error) => (error as Error).message) };
}

test('serves the others where some fail', async () => {
  expect(await serve([1, 2, 3, 4, 5])).toEqual({ served: [1, 2, 3, 4, 5], failures: ['no 2', 'no 4'] });
  expect(await serve([1, 3])).toEqual({ served: [1, 3], failures: [] });
});

test('ends after the one that it is at, and says what failed until then', async () => {
  expect(await serve([1, 2, 3, 4], new AbortController(), 3)).toEqual({ served: [1, 2, 3], failures: ['no 2'] });
});

test('serves so many concurrently and no more, each once', async () => {
  let running = 0;
  let most = 0;
  const served: number[] = [];
  const work = async (number: number): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    served.push(number);
  };
  expect(await serveEach([1, 2, 3, 4, 5, 6, 7], work, { concurrency: 3 })).toEqual([]);
  expect([most, served.sort()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
});
