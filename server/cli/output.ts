// What commands print: plain lines for people, JSON for programs.
import { CommandError } from './commandError.ts';

/** Titles come from outside: what would move the cursor or colour the terminal is shown as a dot. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function plain(text: string): string {
  return text.replaceAll(CONTROL, '·');
}

/** One JSON document, or lines for a reader. */
export function print(flags: { json?: boolean }, value: unknown, lines: () => readonly string[]): void {
  const text = flags.json ? JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0) : plain(lines().join('\n'));
  process.stdout.write(`${text}\n`);
}

/** Rows under a heading, each column as wide as its widest cell. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A number of things: `1 file`, `2 files`. */
export const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** 1,234 B; 56.7 MiB. */
export function inBytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  return `${power === 0 ? value.toLocaleString('en-US') : (value / 1024 ** power).toFixed(1)} ${units[power]}`;
}

/** `afterword export … | head` closes the pipe when it has seen enough. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

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
