// Lines of the log by the table they are inserted into: reports of lists wait there as any other event does.
import type { EncodedRows } from '../../storage/engine.ts';

const TAB = 0x09;
const NEWLINE = 0x0a;
/** The action of a report, as a cell. */
const MARK = Buffer.from('\tlist\t');

/** Lines of one table, and what their insert adds to the token of the whole. */
interface LinesOfTable {
  lines: EncodedRows;
  suffix: string;
}

/**
 * Lines that may be of both tables, by table: those of events, then those of reports. Each in their order, and the same
 * whenever it is called again; none is empty.
 */
export function byTable({ columns, text }: EncodedRows): LinesOfTable[] {
  const before = columns.indexOf('action') - 1;
  const events: Buffer[] = [];
  const lists: Buffer[] = [];
  let rest = 0;
  for (let at = text.indexOf(MARK); at !== -1; ) {
    const start = text.lastIndexOf(NEWLINE, at) + 1;
    // Another cell may say the same.
    if (countTabs(text, start, at) !== before) {
      at = text.indexOf(MARK, at + 1);
      continue;
    }
    const end = text.indexOf(NEWLINE, at) + 1;
    events.push(text.subarray(rest, start));
    lists.push(text.subarray(start, end));
    rest = end;
    at = text.indexOf(MARK, end);
  }
  if (lists.length === 0) return [{ lines: { columns, text }, suffix: '' }];
  events.push(text.subarray(rest));
  return [
    { lines: { columns, text: Buffer.concat(events) }, suffix: '' },
    { lines: { columns, text: Buffer.concat(lists) }, suffix: '.lists' },
  ].filter((part) => part.lines.text.length > 0);
}

/** Whether lines of one table are reports. */
export function areReports({ columns, text }: EncodedRows): boolean {
  const at = text.subarray(0, text.indexOf(NEWLINE)).indexOf(MARK);
  return at !== -1 && countTabs(text, 0, at) === columns.indexOf('action') - 1;
}

function countTabs(text: Buffer, start: number, end: number): number {
  let tabs = 0;
  for (let at = start; at < end; at++) if (text[at] === TAB) tabs++;
  return tabs;
}
