// The engine mark: a file in the data folder that says which database the folder belongs to. Events that wait in the
// folder's write-ahead log are of that database, and a start that forgot a setting would insert them into another one.
//
// The database is recognised by an installation id that it keeps itself (table installation_keys), not by its URL: a
// server may move, and URLs may be spelt in many ways. The URLs in the file are for messages only.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { StorageSettings } from '../config.ts';
import { writeDurably } from '../durableFile.ts';
import { hasCode } from '../errors.ts';
import { CommandError } from './commandError.ts';

const FILE = 'engine.json';

const markSchema = z.object({
  version: z.literal(1),
  /** `embedded`: the engine in this process, in the folder `engine` beside the file. */
  kind: z.enum(['embedded', 'remote']),
  /** Id that the database has, too. */
  installation: z.string().min(1),
  /** Host and database of each server when the mark was written, without user and password. */
  servers: z.array(z.string()),
});

export type EngineMark = z.infer<typeof markSchema>;
type EngineKind = EngineMark['kind'];

/** The way to change the engine on purpose. It ends each refusal that follows from a mark that can be read. */
const ON_PURPOSE = 'To give this folder another database on purpose: afterword serve --change-engine.';

/**
 * Compares the settings with the engine that the data folder belongs to. Reads files only; makes and changes nothing.
 * @param change The engine is to be another one from now on.
 * @returns The mark to compare with the database; undefined where there is none, or it is to be written anew.
 * @throws {CommandError} when the folder belongs to the other kind of engine, or its embedded database is missing.
 */
export async function requireEngine(settings: StorageSettings, change: boolean): Promise<EngineMark | undefined> {
  if (change) return undefined;
  const mark = await readMark(settings.data);
  const kind = mark?.kind ?? (await kindOfUnmarked(settings.data));
  const configured = kindOf(settings);
  if (kind !== undefined && kind !== configured) throw new CommandError(otherKind(settings, kind, mark));
  if (mark?.kind === 'embedded' && !(await hasDatabase(settings.data)))
    throw new CommandError(missingDatabase(settings));
  return mark;
}

/** Writes the mark, where it says anything else. */
export const keepMark = (settings: StorageSettings, installation: string): Promise<void> =>
  writeMark(settings.data, {
    version: 1,
    kind: kindOf(settings),
    installation,
    servers: settings.clickhouseUrl.map(withoutSecrets),
  });

/** The database of a folder was moved: from now on the folder belongs to the servers at these URLs. */
export async function moveMark(data: string, urls: readonly string[]): Promise<void> {
  const mark = await readMark(data);
  if (mark === undefined)
    throw new CommandError(`There is no ${join(data, FILE)}: the server writes it when it starts.`);
  await writeMark(data, { ...mark, kind: 'remote', servers: urls.map(withoutSecrets) });
}

async function writeMark(data: string, mark: EngineMark): Promise<void> {
  const text = `${JSON.stringify(mark, null, 2)}\n`;
  const path = join(data, FILE);
  if ((await readFile(path, 'utf8').catch(orMissing)) !== text) await writeDurably(path, [Buffer.from(text)]);
}

/**
 * Before a backup is restored into a data folder.
 * @throws {CommandError} when the folder belongs to a ClickHouse server: events that wait in it are not of the backup's
 * database.
 */
export async function requireRestorable(settings: StorageSettings): Promise<void> {
  const mark = await readMark(settings.data);
  if (mark?.kind === 'remote') throw new CommandError(otherKind(settings, 'remote', mark));
}

/**
 * After a database was restored: it may be that of another installation, on purpose. The next start writes the mark
 * anew.
 */
export const removeMark = (data: string): Promise<void> => rm(join(data, FILE), { force: true });

/** Whether a database of the embedded engine is in a data folder, or one that is being restored. */
export const hasDatabase = async (data: string): Promise<boolean> =>
  !(await isEmpty(engineFolder(data))) || (await namesIn(data)).includes('engine.restoring');

/** The sentence for a database that has another installation id than the folder's. */
export function otherInstallation(
  { data, clickhouseUrl }: StorageSettings,
  mark: EngineMark,
  found: string | undefined,
) {
  const here = clickhouseUrl.length === 0 ? engineFolder(data) : clickhouseUrl.map(withoutSecrets).join(', ');
  const what = found === undefined ? 'is an empty or a new one' : 'is that of another installation';
  const was = mark.servers.length > 0 ? ` It belonged to ${mark.servers.join(', ')}.` : '';
  return `The database ${here} ${what}, not the one that the data folder ${data} belongs to.${was} Name the right database or another folder with --data. ${ON_PURPOSE}`;
}

const userId = () => (process.getuid === undefined ? '' : ` (${process.getuid()})`);
const engineFolder = (data: string) => join(data, 'engine');
const kindOf = ({ clickhouseUrl }: StorageSettings): EngineKind => (clickhouseUrl.length > 0 ? 'remote' : 'embedded');

/** @throws {CommandError} for a file that this user may not read, and for one that this version cannot. */
async function readMark(data: string): Promise<EngineMark | undefined> {
  const path = join(data, FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (!hasCode(error, 'EACCES')) return orMissing(error);
    throw new CommandError(
      `This user${userId()} may not read ${path}: run this as the user to whom the data folder belongs, or name another folder with --data.`,
    );
  });
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandError(
      `${path} cannot be read: it is damaged, or a later version of Afterword wrote it, which is to be started then. It says which database the folder belongs to: where the settings name that one, afterword serve --change-engine writes the file anew.`,
    );
  }
}

/**
 * Of a folder that a version without marks has used: with a database in it, the engine inside. A server without one has
 * left a salt or events, and its engine was a ClickHouse server. An empty folder belongs to none yet.
 */
async function kindOfUnmarked(data: string): Promise<EngineKind | undefined> {
  if (await hasDatabase(data)) return 'embedded';
  const ingest = join(data, 'ingest');
  const isUsed = !(await isEmpty(join(ingest, 'spool'))) || (await namesIn(ingest)).includes('salt');
  return isUsed ? 'remote' : undefined;
}

function otherKind({ data, clickhouseUrl }: StorageSettings, kind: EngineKind, mark: EngineMark | undefined): string {
  if (kind === 'remote') {
    const why = mark === undefined ? 'a server has used it, and there is no database in it' : mark.servers.join(', ');
    return `The data folder ${data} belongs to a ClickHouse server (${why}), and none is named: set AFTERWORD_CLICKHOUSE_URL or --clickhouse-url. ${ON_PURPOSE}`;
  }
  const named = clickhouseUrl.map(withoutSecrets).join(', ');
  return `The data folder ${data} belongs to the engine inside, with the database in ${engineFolder(data)}, and AFTERWORD_CLICKHOUSE_URL or --clickhouse-url names a server (${named}): leave it out, or name another folder with --data. ${ON_PURPOSE}`;
}

const missingDatabase = ({ data }: StorageSettings) =>
  `The database of the data folder ${data} is missing: there is nothing in ${engineFolder(data)}. Is its disk mounted? Bring a backup back with afterword restore. ${ON_PURPOSE}`;

/** Host and database of a URL, for messages. */
export function withoutSecrets(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname}`;
}

const isEmpty = async (folder: string) => (await namesIn(folder)).length === 0;

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(orMissing)) ?? [];
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
