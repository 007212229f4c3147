// Tables as files for spreadsheets. A text that a spreadsheet would take for a formula begins with an apostrophe, as
// OWASP advises: titles, referrers and campaigns come from outside.

export type Cell = string | number;

/** What begins a formula or hides its beginning: the signs, their full-width forms, tab, line breaks. */
const FORMULA = /^\s*[=+\-@＝＋－＠|%]|^[\t\r\n]/u;

/** The same after what other spreadsheets take for the end of a cell, where their separator is not the comma. */
const FORMULA_INSIDE = /([;\t]\s*)(?=[=+\-@＝＋－＠|%])/gu;

/**
 * RFC 4180, with a byte order mark, without which a spreadsheet reads it in its own encoding. Where figures have a
 * decimal comma, spreadsheets separate cells by semicolons, and take 1.5 for the first of May.
 * @param language BCP 47 tag. Default: that of the browser, of which `navigator.language` may be no valid tag.
 */
export function toCsv(rows: readonly (readonly Cell[])[], language?: string): string {
  const hasComma = new Intl.NumberFormat(language).format(0.5).includes(',');
  const toLine = (row: readonly Cell[]) =>
    row.map((cell) => toField(cell, hasComma ? ',' : '.')).join(hasComma ? ';' : ',');
  return `\uFEFF${rows.map(toLine).join('\r\n')}\r\n`;
}

function toField(cell: Cell, decimal: string): string {
  // As the server rounds shares: a quotient has seventeen digits.
  if (typeof cell === 'number') return String(+cell.toFixed(5)).replace('.', decimal);
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
