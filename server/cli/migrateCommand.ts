// `afterword migrate`: brings the schema up to date without serving; starting the server does the same.
import { Command } from 'commander';
import { type StorageSettings, storageOptions } from '../config.ts';
import { CommandError } from './commandError.ts';
import { print } from './output.ts';
import { findSocket } from './socket.ts';

type MigrateFlags = StorageSettings & { plan?: boolean; json?: boolean };

export function migrateCommand(): Command {
  const command = new Command('migrate')
    .summary('bring the database up to date')
    .description(
      'Brings the database up to date and says what was done. `afterword serve` does the same when it starts.',
    )
    .option('--plan', 'print what would be done, and do nothing')
    .option(
      '--json',
      'print JSON: with --plan the steps, else the version of the schema; the log goes to standard error',
    )
    .action(async (settings: MigrateFlags) => {
      if ((await findSocket(settings.data)) !== undefined) {
        throw new CommandError('A server is running on this data: it brought the database up to date when it started.');
      }
      if (settings.plan === true) return await printPlan(settings);
      const [{ createLog }, { openData }, { VERSION }] = await Promise.all([
        import('./log.ts'),
        import('./openData.ts'),
        import('../storage/schema/schema.ts'),
      ]);
      const to = settings.json === true ? 'stderr' : 'stdout';
      const log = createLog({ level: settings.logLevel, format: settings.logFormat, to });
      const store = await openData(settings, { log, now: () => Date.now(), purpose: 'make' });
      await store.close();
      log.info('the database is up to date');
      if (settings.json === true) print(settings, { schema: VERSION }, () => []);
    });
  for (const option of storageOptions('make')) command.addOption(option);
  return command;
}

async function printPlan(settings: MigrateFlags): Promise<void> {
  const [{ toEngineOptions, inWords, makeDataFolder, requireDatabase }, { requireEngine }, { planMigrations }] =
    await Promise.all([import('./openData.ts'), import('./engineMark.ts'), import('../storage/openStore.ts')]);
  const mark = await requireEngine(settings, false);
  await requireDatabase(settings);
  // The folder exists by now. It must be writable and of this user: the engine writes into it even to read.
  if (settings.clickhouseUrl.length === 0) await makeDataFolder(settings.data);
  const planned = planMigrations(toEngineOptions(settings), mark?.installation);
  const steps = await planned.catch((error: unknown) => inWords(error, { settings, mark }));
  const lines = steps.map(({ version, name, statements }) => `${version}  ${name} (${statements} statements)`);
  const text = () => (lines.length === 0 ? ['Nothing: the database is up to date.'] : ['To be done:', ...lines]);
  print(settings, steps, text);
}
