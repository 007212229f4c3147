// Asks for confirmation before a removal that cannot be undone.
import { createInterface } from 'node:readline/promises';
import { CommandError } from './commandError.ts';

/**
 * Asks for a name on the terminal.
 * @param action What will happen, a sentence.
 * @param name What is to be typed.
 * @throws {CommandError} when the answer is another one, or there is no terminal.
 */
export async function confirm(action: string, name: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError(`Nothing is removed without --yes, or without a terminal to ask on.`, 2);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const refused = new CommandError('Nothing was removed.');
  try {
    const answer = await new Promise<string>((done, fail) => {
      // Ctrl+C and Ctrl+D close the terminal without an answer.
      terminal.once('close', () => fail(refused));
      terminal.question(`${action} Type its name to continue: `).then(done, fail);
    });
    if (answer.trim().toLowerCase() !== name) throw refused;
  } finally {
    terminal.close();
  }
}
