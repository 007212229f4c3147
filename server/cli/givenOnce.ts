// Options of one value that are given twice are refused: the last value would take effect without a word.
import type { Command } from 'commander';
import { CommandError } from './commandError.ts';

/** The help of an option that takes several values says to repeat it. */
const REPEATABLE = /\brepeat/;

/** Makes a command refuse a second value of an option, as it parses its words. */
export function refuseSecondValues(command: Command): void {
  const given = new Set<string>();
  for (const option of command.options) {
    if (!(option.required || option.optional) || REPEATABLE.test(option.description)) continue;
    const name = option.name();
    command.on(`option:${name}`, () => {
      if (given.has(name)) throw new CommandError(`--${name} takes one value, and is given twice: give it once.`, 2);
      given.add(name);
    });
  }
}
