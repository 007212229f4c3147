// What requests of the console look up, such as their session, is kept for seconds.
import { expect, test } from 'vitest';
import { createLookupCache } from '../../server/console/lookupCache.ts';

function open() {
  const of = { now: 0, version: 0, fails: false, asked: 0 };
  const cache = createLookupCache(
    async (hash) => {
      of.asked += 1;
      if (of.fails) throw new Error('the database is away');
      return `${hash} ${of.asked}`;
    },
    { clock: () => of.now, version: () => of.version },
  );
  return { of, cache };
}

test('what was looked up is kept for five seconds, unless it has changed here', async () => {
  const { of, cache } = open();
  expect([await cache.get('a'), await cache.get('a'), await cache.get('b')]).toEqual(['a 1', 'a 1', 'b 2']);
  of.now = 4_999;
  expect(await cache.get('a')).toBe('a 1');
  of.version += 1;
  expect(await cache.get('a')).toBe('a 3');
  cache.forget('a');
  expect(await cache.get('a')).toBe('a 4');
  of.now += 5_000;
  expect(await cache.get('a')).toBe('a 5');
});

test('a look-up that failed is made again at once', async () => {
  const { of, cache } = open();
  await cache.get('a');
  of.now = 5_000;
  of.fails = true;
  await expect(cache.get('a')).rejects.toThrow('the database is away');
  of.fails = false;
  expect(await cache.get('a')).toBe('a 3');
});
