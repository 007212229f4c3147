// Tables that commands print: as wide as what is in them, or, on a terminal that is narrower, as that.
import { plain } from './output.ts';

/** What gives way on a terminal that is too narrow. */
export interface Narrowing {
  /** Headings of columns that are shortened, in this order. Others stay whole. */
  shorten: readonly string[];
  /** The last column has lines of its own before any is shortened. Default: it stays where it is. */
  lastBelow?: boolean;
}

type Cells = readonly (readonly string[])[];

const GAP = '  ';
/** Characters that are left of a column that is shortened. */
const LEAST = 9;

/**
 * Rows under a heading, each a line, each column as wide as its widest cell.
 * @param narrowing Default: no column is shortened.
 */
export function table(heading: readonly string[], rows: Cells, narrowing: Narrowing = { shorten: [] }): string[] {
  const all = [heading, ...rows].map((row) =>
    heading.map((_, column) => plain((row[column] ?? '').replaceAll(/\s/g, ' '))),
  );
  // Not by Math.max of a spread: a call has fewer arguments than an installation may have sites.
  const widths = heading.map((_, column) => all.reduce((most, row) => Math.max(most, widthOf(row[column]!)), 0));
  if (narrowing.lastBelow !== true || excess(widths) <= 0) return toLines(all, narrowed(heading, widths, narrowing));
  const lines = toLines(all, narrowed(heading, widths.slice(0, -1), narrowing));
  return all.flatMap((row, at) => [lines[at]!, GAP + row.at(-1)]);
}

/** Characters of a line that a terminal has no room for. */
const excess = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP.length) - terminalColumns();

function narrowed(heading: readonly string[], whole: readonly number[], { shorten }: Narrowing): number[] {
  const widths = [...whole];
  for (const name of shorten) {
    const column = heading.indexOf(name);
    const fewer = Math.min(excess(widths), (widths[column] ?? 0) - LEAST);
    if (fewer > 0) widths[column]! -= fewer;
  }
  return widths;
}

/** What is written to a file or a program has no width. */
const terminalColumns = (): number => (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;

const toLines = (all: Cells, widths: readonly number[]): string[] =>
  all.map((row) =>
    widths
      .map((width, column) => {
        const shown = shortened(row[column]!, width);
        return shown + ' '.repeat(width - widthOf(shown));
      })
      .join(GAP)
      .trimEnd(),
  );

function shortened(text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let start = '';
  for (const { segment } of characters.segment(text)) {
    if (widthOf(start + segment) >= most) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What takes two columns of a terminal: letters and signs of East Asia, and emoji. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
/** What takes none: marks above and below a letter, joiners. */
const UNSEEN = /[\p{Mn}\p{Me}\p{Cf}]/gu;

/** Columns of a terminal. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of characters.segment(text))
    width += WIDE.test(segment) ? 2 : [...segment.replaceAll(UNSEEN, '')].length;
  return width;
}
