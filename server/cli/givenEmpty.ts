// Empty values on the command line are refused: mostly a variable of the shell is not set, and the command would do
// something else without a word. `afterword forget --site "$SITE"` would forget the visitor on every site.
import type { Command } from 'commander';
import { CommandError } from './commandError.ts';

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Makes a command refuse an empty value of an option, as it parses its words. An empty variable says nothing. */
export function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    const name = option.name();
    command.on(`option:${name}`, (value: unknown) => {
      if (isEmpty(value))
        throw new CommandError(`--${name} is given with an empty value: give it one, or leave --${name} out.`, 2);
    });
  }
}

/** @throws {CommandError} for an empty argument of a command whose words are parsed. */
export function refuseEmptyArguments(command: Command): void {
  const at = command.args.findIndex(isEmpty);
  if (at < 0) return;
  const argument = command.registeredArguments.at(Math.min(at, command.registeredArguments.length - 1));
  throw new CommandError(`<${argument?.name() ?? 'argument'}> is given with an empty value: give it one.`, 2);
}
