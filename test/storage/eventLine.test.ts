// The line an event becomes is the one the plain writer of rows would make of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEventKey } from '../../server/ingest/dedupe/eventKey.ts';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { Lines } from '../../server/ingest/lines.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { createLineWriter, EVENT_COLUMNS, toEventLines } from '../../server/storage/eventLine.ts';
import { toTabSeparated } from '../../server/storage/tabSeparated.ts';

const site = parseSiteId('line.example')!;
const aText = fc.oneof(
  fc.constant(''),
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('\\', '\t', '\n', "'", '\0', 'é', '😀') }),
);
const aRow: fc.Arbitrary<EventRow> = fc
  .record({
    url: aText,
    video: aText,
    referrer: aText,
    referrerUrl: aText,
    campaignId: aText,
    campaignSource: aText,
    campaignTerm: aText,
    conversionType: aText,
    conversionLabel: aText,
    segments: fc.array(aText, { maxLength: 3 }),
    time: fc.oneof(fc.integer({ min: 0, max: 2_000_000_000 }), fc.maxSafeNat()),
    seconds: fc.integer({ min: 0, max: 3600 }),
    visitor: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
  })
  .map((said) => ({ ...blankRow(site), day: '2026-11-20', ...said }));
const aKey = fc.oneof(
  fc.bigInt(1n, 2n ** 64n - 1n),
  fc.constantFrom(10n ** 9n, 10n ** 18n, 10n ** 18n - 1n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n),
);

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('whatever events say, their lines have the cells of their rows', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(aRow, fc.option(aKey)), { maxLength: 4 }), (events) => {
      const rows = events.map(([row, key]) => ({ ...row, key: key === null ? undefined : parseEventKey(String(key)) }));
      const columns = events.map(([row, key]) =>
        Object.fromEntries(Object.entries({ ...row, key: key ?? 0 }).map(([name, value]) => [toSnake(name), value])),
      );
      // Half a surrogate pair is written as what the engine would make of it.
      expect(toEventLines(rows)).toEqual(Buffer.from(toTabSeparated(columns, EVENT_COLUMNS)));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('what is remembered of a page, and of the row before, changes nothing in a line', () => {
  const aLabel = fc.constantFrom('', 'autumn', 'a\tb');
  const aSmallRow = fc.record({
    url: fc.constantFrom('https://line.example/', 'https://line.example/a\\b', '(other)'),
    day: fc.constantFrom('2026-11-20', '2026-11-21'),
    campaignId: aLabel,
    campaignTerm: aLabel,
    device: fc.constantFrom<EventRow['device']>('desktop', 'mobile'),
    segments: fc.constantFrom<string[]>([], ['a'], ["'"]),
    conversionLabel: aLabel,
  });
  fc.assert(
    fc.property(fc.array(aSmallRow, { maxLength: 12 }), (said) => {
      const rows = said.map((each) => ({ ...blankRow(site), time: 1_795_000_000_000, ...each }));
      const pages = new Map(rows.map(({ url }) => [url, { url: 'https://line.example/' }]));
      const lines = new Lines();
      const write = createLineWriter();
      for (const row of rows) write(row, lines, pages.get(row.url));
      expect(lines.take().toString()).toBe(rows.map((row) => toEventLines([row]).toString()).join(''));
      const columns = rows.map((row) =>
        Object.fromEntries(Object.entries({ ...row, key: 0 }).map(([name, value]) => [toSnake(name), value])),
      );
      expect(toEventLines(rows).toString()).toBe(toTabSeparated(columns, EVENT_COLUMNS));
    }),
    { seed: 1, numRuns: 300 },
  );
});
