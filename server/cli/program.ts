// The `afterword` command: its subcommands, and its exit codes and messages for errors.
import { Command, CommanderError, Option } from 'commander';
import { completeSwitches, knownVariables, secretSettings, serverOptions } from '../config.ts';
import { hasCode, StoreUnavailableError } from '../errors.ts';
import { addDigestCommand, alarmCommand } from './alarmCommand.ts';
import { annotationCommand } from './annotationCommand.ts';
import { awayInWords } from './awayInWords.ts';
import { addBackupCommands } from './backupCommand.ts';
import { clusterCommand } from './clusterCommand.ts';
import { CommandError } from './commandError.ts';
import { crawlCommand } from './crawlCommand.ts';
import { addDoctorCommand } from './doctorCommand.ts';
import { evaluateCommand } from './evaluateCommand.ts';
import { experimentCommand } from './experimentCommand.ts';
import { exportCommand } from './exportCommand.ts';
import { addForgetCommand } from './forgetCommand.ts';
import { refuseEmptyArguments, refuseEmptyValues } from './givenEmpty.ts';
import { refuseSecondValues } from './givenOnce.ts';
import { headlineCommand } from './headlineCommand.ts';
import { addHealthCommand } from './healthCommand.ts';
import { importCommand } from './importCommand.ts';
import type { Installation } from './installation.ts';
import { addListsCommand } from './listsCommand.ts';
import { mailCommand } from './mailCommand.ts';
import { addMcpCommand } from './mcpCommand.ts';
import { migrateCommand } from './migrateCommand.ts';
import { addMoveCommand } from './moveCommand.ts';
import { operatorCommand } from './operatorCommand.ts';
import { isClosedPipe, watchOutput } from './output.ts';
import { partnerCommand } from './partnerCommand.ts';
import { postsCommand } from './postsCommand.ts';
import { rulesCommand } from './rulesCommand.ts';
import { seriesCommand } from './seriesCommand.ts';
import { readSecretFiles } from './settings/secretFile.ts';
import { unsetEmpty } from './settings/setting.ts';
import { unknownVariables, unsetServiceAddress } from './settings/unknownVariables.ts';
import { shareCommand } from './shareCommand.ts';
import { siteCommand } from './siteCommand.ts';
import { spoolCommand } from './spoolCommand.ts';

/**
 * Runs one command line.
 * @param args The words after the program's name.
 * @returns The exit code: 0 done, 1 failed, 2 asked wrongly.
 */
export async function runCommandLine(args: readonly string[], program: Command): Promise<number> {
  // Data, backups and exports are their owner's alone, also those that the engine writes, whatever the shell allows
  // others.
  process.umask(0o077);
  const outputWritten = watchOutput();
  unsetServiceAddress(process.env);
  try {
    requireNode(process.versions.node);
    await program.parseAsync(completeSwitches(toHelpOption(args)), { from: 'user' });
    await outputWritten();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (isClosedPipe(error)) return 0;
    // Of a command that opened the data itself.
    if (error instanceof StoreUnavailableError) {
      process.stderr.write(`error: ${awayInWords(error)}\n`);
      return 1;
    }
    if (isOfSystem(error)) {
      process.stderr.write(`error: ${inWords(error)}\n`);
      return 1;
    }
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return error.exitCode;
  }
}

function inWords(error: Error): string {
  if (['ENOSPC', 'EDQUOT'].some((code) => hasCode(error, code)))
    return `A disk is full (${error.message}): make room on it, then run the command again.`;
  return `${error.message}. afterword doctor looks for the cause.`;
}

/** `help site add` as `site add --help`: Commander looks for the first word alone, and prints the help of `site`. */
const toHelpOption = ([first, ...words]: readonly string[]): readonly string[] =>
  first === 'help' && words.length > 1 ? [...words, '--help'] : first === undefined ? [] : [first, ...words];

/** What package.json says under `engines`; older ones break somewhere in the middle. */
const OLDEST_NODE = [20, 19] as const;

/** @throws {CommandError} for a version of Node that is too old. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldest, oldestMinor] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return;
  throw new CommandError(
    `Afterword needs Node ${OLDEST_NODE.join('.')} or later; this is ${version}: https://nodejs.org/`,
  );
}

/**
 * What the operating system refused (a folder that is a file, a full disk, missing rights) is no mistake of the
 * program.
 */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function warn(sentence: string): void {
  process.stderr.write(`warning: ${sentence}\n`);
}

/**
 * Adds to a program what every one of ours has: version, help, secrets from files, and errors that are thrown, not
 * printed.
 */
export function configured(program: Command, { version }: Installation): Command {
  refuseSecondValues(program);
  refuseEmptyValues(program);
  return program
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .exitOverride()
    .showHelpAfterError('Try --help.')
    .hook('preAction', async (_, command) => {
      refuseEmptyArguments(command);
      // Options of a parent command are read by its sub-commands, too.
      for (let of: Command | null = command; of !== null; of = of.parent) {
        unsetEmpty(of);
        await readSecretFiles(of, secretSettings(), warn);
      }
    });
}

export function createProgram(installation: Installation): Command {
  const program = configured(new Command('afterword'), installation)
    .description('Top lists and related posts for your pages, from your own server.')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      `
Start with:
  afterword serve                    serve http://127.0.0.1:8080, data in ./data
  afterword site add example.com     make a site, while the server runs

Settings have environment variables, too: a command's own --help names them.`,
    );

  program.hook('preAction', (_, command) => {
    // A server says it in its log.
    if (command.name() === 'serve') return;
    for (const line of unknownVariables(process.env, knownVariables())) process.stderr.write(`warning: ${line}\n`);
  });

  const serve = program
    .command('serve')
    .summary('run the server')
    .description(
      'Runs the server until SIGTERM, Ctrl+C or the end of its terminal, then finishes what was begun and stops.',
    )
    .action(async (settings) => {
      const { serve } = await import('./serve.ts');
      await serve(settings, installation);
    });
  for (const option of serverOptions()) serve.addOption(option);
  // No variable: one that stays in an environment would allow it at every start.
  serve.addOption(
    new Option(
      '--change-engine',
      'give the data folder another database on purpose; waiting events go there',
    ).helpGroup('Data and log:'),
  );

  program.addCommand(siteCommand(installation));
  program.addCommand(partnerCommand());
  program.addCommand(experimentCommand());
  program.addCommand(rulesCommand());
  program.addCommand(postsCommand());
  program.addCommand(headlineCommand());
  program.addCommand(alarmCommand());
  program.addCommand(mailCommand());
  program.addCommand(operatorCommand());
  program.addCommand(shareCommand());
  program.addCommand(annotationCommand());
  addDigestCommand(program);
  seriesCommand(program);
  crawlCommand(program, installation);
  addListsCommand(program);
  addMcpCommand(program);
  evaluateCommand(program);
  program.addCommand(importCommand());
  program.addCommand(exportCommand());
  addForgetCommand(program);
  addDoctorCommand(program);
  addHealthCommand(program);
  addBackupCommands(program);
  program.addCommand(spoolCommand());
  program.addCommand(migrateCommand());
  program.addCommand(clusterCommand());
  addMoveCommand(program);
  for (const command of everyCommand(program)) {
    refuseSecondValues(command);
    refuseEmptyValues(command);
    command
      .exitOverride()
      .showHelpAfterError('Try --help.')
      .helpOption('-h, --help', 'print this help')
      // Beside the longest names of arguments, less than the usual 40 columns of a terminal are left.
      .configureHelp({ minWidthToWrap: 30 });
  }
  return program;
}

function everyCommand(parent: Command): Command[] {
  return parent.commands.flatMap((command) => [command as Command, ...everyCommand(command as Command)]);
}
