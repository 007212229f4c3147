// The rows of a report are those the plain writer of rows would make of it, whatever stood in the line meanwhile.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ITEM_SOURCES, LEDGER_LIMITS } from '../../server/contract/ledger.ts';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { UnwritableRowsError } from '../../server/ingest/queue/unwritable.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { EVENT_COLUMNS, toEventLines } from '../../server/storage/eventLine.ts';
import { toListRows } from '../../server/storage/listLines.ts';
import { toTabSeparated } from '../../server/storage/tabSeparated.ts';

const site = parseSiteId('line.example')!;
const aText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ unit: fc.constantFrom('\\', '\t', '\n', "'", '"', '[', ']', ',', '\0', 'n', 't', 'é', '😀') }),
);
const anItem = fc.record({
  position: fc.integer({ min: 1, max: LEDGER_LIMITS.position }),
  post: aText,
  source: fc.constantFrom(...ITEM_SOURCES),
  seen: fc.boolean(),
  clicks: fc.integer({ min: 0, max: LEDGER_LIMITS.items }),
  alternative: fc.integer({ min: 0, max: LEDGER_LIMITS.alternative }),
});
const aList = fc.record({
  list: aText,
  slot: aText,
  layout: aText,
  experiment: aText,
  variant: aText,
  shown: fc.boolean(),
  shift: fc.constantFrom(undefined, 0, 0.0125, 1),
  errors: fc.constantFrom(undefined, 0, 3),
  items: fc.array(anItem, { maxLength: 3 }),
});
const aReport = fc.record({ url: aText, campaignId: aText, lists: fc.array(aList, { minLength: 1, maxLength: 3 }) });

const toRows = (reports: readonly object[]) =>
  toListRows({
    columns: EVENT_COLUMNS,
    text: toEventLines(reports.map((report) => ({ ...blankRow(site), action: 'list', day: '2026-11-20', ...report }))),
  });

test('whatever reports say, a row of the ledger is made of each list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aReport, { maxLength: 3 }), async (reports) => {
      const { columns, text } = await toRows(reports);
      const rows = reports.flatMap(({ url, campaignId, lists }) =>
        lists.map(({ items, shown, shift, errors, ...names }) => ({
          ...{ site, day: '2026-11-20', time: 0, url, visitor: '0', campaign_id: campaignId, campaign_medium: '' },
          ...{ campaign_source: '', campaign_content: '', campaign_term: '', channel: 'website', device: 'desktop' },
          ...{ segments: [], key: 0 },
          ...{ ...names, shown: Number(shown), shift: shift === undefined ? -1 : Math.round(shift * 1000) },
          errors: errors ?? -1,
          positions: items.map(({ position }) => position),
          urls: items.map(({ post }) => post),
          sources: items.map(({ source }) => source),
          seen: items.map(({ seen }) => Number(seen)),
          clicks: items.map(({ clicks }) => clicks),
          alternatives: items.map(({ alternative }) => alternative),
        })),
      );
      expect(text).toEqual(Buffer.from(toTabSeparated(rows, columns)));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('a line that is no report is refused', async () => {
  for (const video of ['', 'a video', '["related"]'])
    await expect(toRows([{ action: 'list', video }])).rejects.toThrow(UnwritableRowsError);
});
