// The line an event becomes is the one the plain writer of rows would make of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { EVENT_COLUMNS, toEventLine } from '../../server/storage/eventLine.ts';
import { toTabSeparated } from '../../server/storage/tabSeparated.ts';

const site = parseSiteId('line.example')!;
const aText = fc.oneof(
  fc.constant(''),
  fc.string(),
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
    key: fc.option(fc.bigInt(1n, 2n ** 64n - 1n).map(String), { nil: undefined }),
  })
  .map((said) => ({ ...blankRow(site), day: '2026-11-20', time: 1_795_000_000_000, ...said }));

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('whatever an event says, its line has the cells of its row', () => {
  fc.assert(
    fc.property(aRow, (row) => {
      const columns = Object.fromEntries(
        Object.entries({ ...row, key: row.key ?? '0' }).map(([name, value]) => [toSnake(name), value]),
      );
      expect(toEventLine(row)).toBe(toTabSeparated([columns], EVENT_COLUMNS));
    }),
    { seed: 1, numRuns: 500 },
  );
});
