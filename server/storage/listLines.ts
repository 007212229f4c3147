// Reports of lists in the lines of events: they wait in the write-ahead log like any other event, and are inserted into
// a table of their own, one row a list.
import { setImmediate } from 'node:timers/promises';
import type { ListRow } from '../ingest/eventRow.ts';
import { UnwritableRowsError } from '../ingest/queue/unwritable.ts';
import type { EncodedRows } from './engine.ts';
import { toTabSeparated, unescapeText } from './tabSeparated.ts';

/** Lines that are made into rows before the event loop has its turn: some milliseconds. */
const LINES_A_TURN = 500;

/** Cells that a report shares with all events, as they are named in both. */
const OF_EVENT = [
  ...['site', 'day', 'time', 'url', 'visitor'],
  ...['campaign_id', 'campaign_medium', 'campaign_source', 'campaign_content', 'campaign_term'],
  ...['channel', 'device', 'segments', 'key'],
];
const OF_LIST = ['list', 'slot', 'layout', 'experiment', 'variant', 'shown', 'shift', 'errors'];
const OF_ITEMS = ['positions', 'urls', 'sources', 'seen', 'clicks', 'alternatives'];

/** What is inserted of a list. */
const LIST_COLUMNS: readonly string[] = [...OF_EVENT, ...OF_LIST, ...OF_ITEMS];

/**
 * Rows of the ledger, from lines of reports.
 * @throws {UnwritableRowsError} for a line whose cell is no report.
 */
export async function toListRows({ columns, text }: EncodedRows): Promise<EncodedRows> {
  const shared = OF_EVENT.map((name) => columns.indexOf(name));
  const report = columns.indexOf('video');
  const parts: Buffer[] = [];
  const lines = text.toString('utf8').split('\n').slice(0, -1);
  for (let at = 0; at < lines.length; at += LINES_A_TURN) {
    const rows = lines.slice(at, at + LINES_A_TURN).map((line) => {
      const cells = line.split('\t');
      const head = shared.map((cell) => cells[cell]).join('\t');
      return parseReport(cells[report] ?? '')
        .map((list) => `${head}\t${toTabSeparated([cellsOf(list)], [...OF_LIST, ...OF_ITEMS])}`)
        .join('');
    });
    parts.push(Buffer.from(rows.join('')));
    await setImmediate();
  }
  return { columns: LIST_COLUMNS, text: Buffer.concat(parts) };
}

function parseReport(cell: string): readonly ListRow[] {
  try {
    return JSON.parse(unescapeText(cell));
  } catch (cause) {
    throw new UnwritableRowsError('A line of the ledger holds no report of lists.', { cause });
  }
}

/** What is stored of a measure that was not taken. */
export const UNMEASURED = -1;
/** Layout shift is stored in thousandths. */
export const SHIFT_UNITS = 1000;

const cellsOf = ({ list, slot, layout, experiment, variant, shown, shift, errors, items }: ListRow) => ({
  ...{ list, slot, layout, experiment, variant, shown: Number(shown) },
  shift: shift === undefined ? UNMEASURED : Math.round(shift * SHIFT_UNITS),
  errors: errors ?? UNMEASURED,
  positions: items.map(({ position }) => position),
  urls: items.map(({ post }) => post),
  sources: items.map(({ source }) => source),
  seen: items.map(({ seen }) => Number(seen)),
  clicks: items.map(({ clicks }) => clicks),
  alternatives: items.map(({ alternative }) => alternative),
});
