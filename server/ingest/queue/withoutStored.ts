// Removes rows that are stored already: of events that were stored before a start, and came again before the server had
// read the keys of stored events.
import type { EncodedRows } from '../../storage/engine.ts';

const TAB = 0x09;
const NEWLINE = 0x0a;
/** Key of events that have none. */
const NO_KEY = '0';

/**
 * @param stored Keys of stored events, as decimal text.
 * @returns The same rows where none of them is stored.
 */
export function withoutStored(
  { columns, text }: EncodedRows,
  stored: ReadonlySet<string>,
): EncodedRows & { left: number } {
  // It is the last cell of a row.
  if (columns.at(-1) !== 'key') return { columns, text, left: 0 };
  const kept: Buffer[] = [];
  let left = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(NEWLINE, at);
    const row = text.subarray(at, end + 1);
    const key = text.toString('latin1', text.lastIndexOf(TAB, end) + 1, end);
    if (key !== NO_KEY && stored.has(key)) left++;
    else kept.push(row);
    at = end + 1;
  }
  return { columns, text: left === 0 ? text : Buffer.concat(kept), left };
}
