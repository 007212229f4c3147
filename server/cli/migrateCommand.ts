// `afterword migrate`: brings the schema up to date without serving; starting the server does the same.
import { Command } from 'commander';
import { type StorageSettings, storageOptions } from '../config.ts';
import { CommandError } from './commandError.ts';
import { findSocket } from './socket.ts';

export function migrateCommand(): Command {
  const command = new Command('migrate')
    .summary('bring the database up to date')
    .description(
      'Brings the database up to date and says what was done. `afterword serve` does the same when it starts.',
    )
    .action(async (settings: StorageSettings) => {
      if ((await findSocket(settings.data)) !== undefined) {
        throw new CommandError('A server is running on this data: it brought the database up to date when it started.');
      }
      const [{ createLog }, { openData }] = await Promise.all([import('./log.ts'), import('./openData.ts')]);
      const log = createLog({ level: settings.logLevel, format: settings.logFormat, to: 'stdout' });
      const store = await openData(settings, { log, now: () => Date.now() });
      await store.close();
      log.info('the database is up to date');
    });
  for (const option of storageOptions()) command.addOption(option);
  return command;
}
