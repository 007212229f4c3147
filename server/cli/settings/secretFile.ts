// Secrets from files: `--metrics-token-file`, AFTERWORD_METRICS_TOKEN_FILE. A flag is seen by every user of the machine
// (ps) and a variable by each process that inherits it; a file is read by whom its owner lets read it, as systemd,
// Docker and Kubernetes hand secrets over.
import { readFile, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { CommandError } from '../commandError.ts';
import { asWord } from '../output.ts';
import { readSetting, type Setting } from './setting.ts';

/** A larger file is another one. */
const MAX_BYTES = 64 * 1024;
const READ_BY_OTHERS = 0o004;

const fileFlag = ({ flag }: Setting<unknown>) => `${flag.split(' ')[0]}-file`;
const camel = (flag: string) => flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The option that names the file of a secret setting. */
export function fileOption(definition: Setting<unknown>): Option {
  const about = `file that holds what ${definition.flag.split(' ')[0]} takes, which ps shows otherwise`;
  return new Option(`${fileFlag(definition)} <file>`, about).env(`${definition.env}_FILE`);
}

/**
 * Gives a command the secrets that its options name files for. A flag wins over a variable, as for all settings.
 * @param warn Given one sentence for a file that other users may read.
 * @throws {CommandError} for a file that is missing, empty or holds something else, and where both ways are used alike.
 */
export async function readSecretFiles(
  command: Command,
  definitions: readonly Setting<unknown>[],
  warn: (sentence: string) => void,
): Promise<void> {
  for (const definition of definitions) {
    const [name, fileName] = [camel(definition.flag.split(' ')[0]!), camel(fileFlag(definition))];
    const file: unknown = command.getOptionValue(fileName);
    if (typeof file !== 'string' || file.trim() === '') continue;
    const [direct, ofFile] = [command.getOptionValueSource(name), command.getOptionValueSource(fileName)];
    const isSet = (direct === 'cli' || direct === 'env') && isSaid(command.getOptionValue(name));
    if (isSet && direct === ofFile)
      throw new CommandError(direct === 'cli' ? both(definition) : bothVariables(definition), 2);
    if (isSet && direct === 'cli') continue;
    const asked = `${fileFlag(definition)} (or ${definition.env}_FILE)`;
    const text = await readSecret(file.trim(), { asked, warn });
    command.setOptionValueWithSource(name, readSetting(ofFileSetting(definition), text), 'file');
  }
}

/** Errors then name the option of the file. */
const ofFileSetting = (definition: Setting<unknown>): Setting<unknown> => ({
  ...definition,
  flag: fileFlag(definition),
  env: `${definition.env}_FILE`,
  accepts: `a file that holds ${definition.accepts}`,
});

const isSaid = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
const both = (definition: Setting<unknown>) =>
  `${definition.flag.split(' ')[0]} and ${fileFlag(definition)} are both there: give one of them.`;
const bothVariables = ({ env }: Setting<unknown>) => `${env} and ${env}_FILE are both set: set one of them.`;

/**
 * Reads a secret.
 * @param of.asked What names the file, for errors.
 * @param of.warn Given one sentence for a file that other users may read.
 * @returns Without the line's end, which editors and `echo` write.
 * @throws {CommandError} for a file that is missing, empty or too large.
 */
export async function readSecret(
  file: string,
  { asked, warn }: { asked: string; warn: (sentence: string) => void },
): Promise<string> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${asked} names ${file}, which ${reasonOf(error)}.`, 2);
  });
  if (stats.isDirectory()) throw new CommandError(`${asked} names ${file}, which is a folder.`, 2);
  if (stats.size > MAX_BYTES) throw new CommandError(`${asked} names ${file}, which is too large for a secret.`, 2);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${asked} names ${file}, which ${reasonOf(error)}.`, 2);
  });
  if (text.trim() === '') throw new CommandError(`${asked} names ${file}, which is empty.`, 2);
  if ((stats.mode & READ_BY_OTHERS) !== 0)
    warn(`${file} holds a secret and can be read by every user of this machine: chmod 600 ${asWord(file)}`);
  return text.trim();
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES') return `this user (${process.getuid?.()}) may not read`;
  return `cannot be read: ${message}`;
}
