// What commands print: plain lines for people, JSON for programs.
import { nounFor } from '../counted.ts';
import { hasCode } from '../errors.ts';
import { CommandError } from './commandError.ts';

/**
 * Titles come from outside: what would move the cursor, colour the terminal, or turn the direction of the rest of a
 * line is shown as a dot.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function plain(text: string): string {
  return text.replaceAll(CONTROL, '·');
}

/** JSON in which they are escaped, which means the same. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0).replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One JSON document, or lines for a reader. */
export function print(flags: { json?: boolean }, value: unknown, lines: () => readonly string[]): void {
  const text = flags.json ? toJson(value) : plain(lines().join('\n'));
  process.stdout.write(`${text}\n`);
}

/** Rows under a heading, each a line, each column as wide as its widest cell. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows].map((row) => row.map((cell) => plain(cell.replaceAll(/\s/g, ' '))));
  const widths = all.map((row) => row.map(widthOf));
  const most = heading.map((_, column) => widths.reduce((widest, row) => Math.max(widest, row[column] ?? 0), 0));
  return all.map((row, line) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (most[column] ?? 0) - widths[line]![column]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** Cells of one column, its heading among them, so that numbers end below each other. */
export function atRight(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => cell.padStart(width));
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

/** A path or address within a command that is printed to be used: quoted where a shell would take it apart. */
export const asWord = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** A number of things: `1 file`, `2 files`. */
export const count = (number: number, thing: string) => `${number} ${nounFor(number, thing)}`;

/** 1,234 B; 56.7 MiB. */
export function inBytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  return `${power === 0 ? value.toLocaleString('en-US') : (value / 1024 ** power).toFixed(1)} ${units[power]}`;
}

/** `afterword export … | head` closes the pipe when it has seen enough. */
export const isClosedPipe = (error: unknown): boolean => hasCode(error, 'EPIPE');

/**
 * Watches what is printed, from now on.
 * @returns Waits until all of it is written. It throws a CommandError where it could not be.
 */
export function watchOutput(): () => Promise<void> {
  let failure: Error | undefined;
  process.stdout.on('error', (error) => {
    if (!isClosedPipe(error)) failure ??= error;
  });
  // Warnings and progress that cannot be written are no reason to break off, and there is no other place to say so.
  process.stderr.on('error', () => undefined);
  return async () => {
    await new Promise<void>((done) => process.stdout.write('', () => done()));
    if (failure !== undefined)
      throw new CommandError(`It was done, and what it prints could not be written (${failure.message}).`);
  };
}
