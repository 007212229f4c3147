// A sub-command that works on the data: takes --json, and the settings that say where the data is.
import { type Command, Option } from 'commander';
import { type MissingFolder, type StorageSettings, storageOptions } from '../config.ts';

/** What the action of such a command is handed. */
export type DataFlags = StorageSettings & { json?: boolean };

/**
 * Adds a sub-command.
 * @param about What it does, in the imperative, without a full stop: "list the sites".
 * @param missing What it does with a data folder that is not there. Default: it refuses.
 */
export function dataCommand(parent: Command, name: string, about: string, missing: MissingFolder = 'refuse'): Command {
  const command = parent
    .command(name)
    .summary(about)
    .description(`${about[0]?.toUpperCase()}${about.slice(1)}.`);
  command.addOption(new Option('--json', 'print JSON'));
  for (const option of storageOptions(missing)) command.addOption(option);
  return command;
}
