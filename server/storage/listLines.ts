// Reports of lists in the lines of events: they wait in the write-ahead log like any other event, with the rows of the
// ledger as one cell, and are inserted into a table of their own, one row a list.
import { setImmediate } from 'node:timers/promises';
import type { ListRow } from '../ingest/eventRow.ts';
import { UnwritableRowsError } from '../ingest/queue/unwritable.ts';
import type { EncodedRows } from './engine.ts';
import { escapeText, quoteText, unescapeText } from './tabSeparated.ts';

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
    let rows = '';
    for (const line of lines.slice(at, at + LINES_A_TURN)) {
      const cells = line.split('\t');
      const head = shared.map((cell) => cells[cell]).join('\t');
      for (const row of rowsIn(cells[report] ?? '')) rows += `${head}\t${row}\n`;
    }
    parts.push(Buffer.from(rows));
    await setImmediate();
  }
  return { columns: LIST_COLUMNS, text: Buffer.concat(parts) };
}

function rowsIn(cell: string): string[] {
  const rows = unescapeReport(cell).split('\n');
  if (rows.some((row) => countTabs(row) !== OF_LIST.length + OF_ITEMS.length - 1))
    throw new UnwritableRowsError('A line of the ledger holds no report of lists.');
  return rows;
}

function countTabs(row: string): number {
  let tabs = 0;
  for (let at = row.indexOf('\t'); at !== -1; at = row.indexOf('\t', at + 1)) tabs++;
  return tabs;
}

/** Between cells and rows within a cell of a report: as `escapeText` writes a tab and a line end. */
const ESCAPED_TAB = '\\t';
const ESCAPED_NEWLINE = '\\n';

/** Texts of reports are escaped twice: in a cell without an escaped backslash only tabs and line ends are escaped. */
const unescapeReport = (cell: string): string =>
  cell.includes('\\\\') ? unescapeText(cell) : cell.replaceAll(ESCAPED_TAB, '\t').replaceAll(ESCAPED_NEWLINE, '\n');

/** What is stored of a measure that was not taken. */
export const UNMEASURED = -1;
/** Layout shift is stored in thousandths. */
export const SHIFT_UNITS = 1000;

/** The cell of a report, escaped: a row of the ledger for each list, without the cells of its event. */
export const toReportCell = (lists: readonly ListRow[]): string => lists.map(toRow).join(ESCAPED_NEWLINE);

function escapeTwice(text: string): string {
  const once = escapeText(text);
  return once === text ? text : escapeText(once);
}

function quoteTwice(text: string): string {
  const quoted = quoteText(text);
  return quoted.length === text.length + 2 ? quoted : escapeText(quoted);
}

/** In the order of `OF_LIST` and `OF_ITEMS`. One loop over the items: a page reports five and more at a time. */
function toRow({ list, slot, layout, experiment, variant, shown, shift, errors, items }: ListRow): string {
  const names = [list, slot, layout, experiment, variant].map(escapeTwice).join(ESCAPED_TAB);
  const shifted = shift === undefined ? UNMEASURED : Math.round(shift * SHIFT_UNITS);
  let positions = '';
  let urls = '';
  let sources = '';
  let seen = '';
  let clicks = '';
  let alternatives = '';
  let comma = '';
  for (const item of items) {
    positions += comma + item.position;
    urls += comma + quoteTwice(item.post);
    sources += `${comma}'${item.source}'`;
    seen += comma + Number(item.seen);
    clicks += comma + item.clicks;
    alternatives += comma + item.alternative;
    comma = ',';
  }
  const ofItems = `[${positions}]${ESCAPED_TAB}[${urls}]${ESCAPED_TAB}[${sources}]${ESCAPED_TAB}[${seen}]${ESCAPED_TAB}[${clicks}]${ESCAPED_TAB}[${alternatives}]`;
  return `${names}${ESCAPED_TAB}${Number(shown)}${ESCAPED_TAB}${shifted}${ESCAPED_TAB}${errors ?? UNMEASURED}${ESCAPED_TAB}${ofItems}`;
}
