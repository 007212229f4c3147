// A set of keys in flat memory: it must be a set of keys.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEventKey } from '../../server/ingest/dedupe/eventKey.ts';
import { createKeyTable } from '../../server/ingest/dedupe/keyTable.ts';

/** Few, so that they meet; some that differ in their first digits only, or in one half. */
const aKey = fc.oneof(
  fc.bigInt(1n, 20n),
  fc.bigInt(1n, 18_446n).map((head) => head * 10n ** 15n),
  fc.bigInt(1n, 4n).map((head) => head * 2n ** 32n + 7n),
  fc.bigInt(2n ** 64n - 5n, 2n ** 64n - 1n),
);
const aStep = fc.tuple(
  fc.constantFrom('set', 'delete', 'get', 'delete batch'),
  aKey.map(String),
  fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(2 ** 31 - 1)),
);

test('whatever is put in, taken out and looked up, a table knows what a map would know', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const table = createKeyTable(64);
      const map = new Map<string, number>();
      for (const [what, key, batch] of steps) {
        if (what === 'set') {
          table.set(parseEventKey(key), batch);
          map.set(key, batch);
        }
        if (what === 'delete') {
          table.delete(parseEventKey(key));
          map.delete(key);
        }
        if (what === 'delete batch') {
          table.deleteBatch(batch);
          for (const [each, of] of map) if (of === batch) map.delete(each);
        }
        expect(table.get(parseEventKey(key))).toBe(map.get(key));
      }
      for (const [key, batch] of map) expect(table.get(parseEventKey(key))).toBe(batch);
    }),
    { seed: 1, numRuns: 300 },
  );
});
