// The key of an event: the same for the same event, and in practice for no other.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EventKey, eventKey, parseEventKey } from '../../server/ingest/dedupe/eventKey.ts';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { toEventLines } from '../../server/storage/eventLine.ts';

const site = parseSiteId('key.example')!;
/** As it stands in the tables. */
function stored(key: EventKey): string {
  const line = toEventLines([{ ...blankRow(site), key }])
    .toString()
    .trimEnd();
  return line.slice(line.lastIndexOf('\t') + 1);
}

test('is the same however often it is made, and after it went through the engine', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (a, b, c) => {
        expect(eventKey(a, b, c)).toEqual(eventKey(a, b, c));
        expect(parseEventKey(stored(eventKey(a, b, c)))).toEqual(eventKey(a, b, c));
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

test('stays what it is from version to version: what is in the tables must be known again', () => {
  expect(stored(eventKey('news.example', 'pageview', 'event-1'))).toMatchInlineSnapshot(`"5302992688517889045"`);
});

test('differs in whatever differs, and in where it stands', () => {
  const keys = new Set<string>();
  const all: [string, string, string][] = [
    ['ab', 'c', ''],
    ['a', 'bc', ''],
    ['a', 'b', 'c'],
    ['', 'abc', ''],
    ['', '', 'abc'],
    ['', '', 'abc\0'],
    ['', '', ''],
    ['\0', '', ''],
  ];
  for (let number = 0; number < 200_000; number++) all.push(['news.example', 'heartbeat', `event-${number}`]);
  for (const [a, b, c] of all) {
    const { high, low } = eventKey(a, b, c);
    keys.add(`${high} ${low}`);
  }
  expect(keys.size).toBe(all.length);
});

test('has each of its bits set as often as not, whatever is counted up', () => {
  const set = new Array<number>(64).fill(0);
  const many = 20_000;
  for (let number = 0; number < many; number++) {
    const { high, low } = eventKey('news.example', 'pageview', String(number));
    for (let bit = 0; bit < 32; bit++) {
      set[bit]! += (low >>> bit) & 1;
      set[bit + 32]! += (high >>> bit) & 1;
    }
  }
  for (const count of set) expect(Math.abs(count / many - 0.5)).toBeLessThan(0.02);
});
