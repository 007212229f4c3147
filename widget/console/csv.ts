// Tables as files for spreadsheets. A text that a spreadsheet would take for a formula begins with an apostrophe, as
// OWASP advises: titles, referrers and campaigns come from outside.

export type Cell = string | number;

/** What begins a formula or hides its beginning: the signs, their full-width forms, tab, line breaks. */
const FORMULA = /^\s*[=+\-@＝＋－＠|%]|^[\t\r\n]/u;

/** The same after what other spreadsheets take for the end of a cell, where their separator is not the comma. */
const FORMULA_INSIDE = /([;\t]\s*)(?=[=+\-@＝＋－＠|%])/gu;

/** RFC 4180, with a byte order mark, without which a spreadsheet reads it in its own encoding. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(toField).join(',')).join('\r\n')}\r\n`;

function toField(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const safe = (FORMULA.test(cell) ? `'${cell}` : cell).replaceAll(FORMULA_INSIDE, "$1'");
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Has the browser save a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(address);
}
