// What commands print: plain lines for people, JSON for programs.
import { inDigits, nounFor } from '../counted.ts';
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

/** Cells of one column, its heading among them, so that numbers end below each other. */
export function atRight(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => cell.padStart(width));
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
  return `${power === 0 ? inDigits(value) : (value / 1024 ** power).toFixed(1)} ${units[power]}`;
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
