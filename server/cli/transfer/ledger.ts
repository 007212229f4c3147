// How far a file has been imported, kept beside the data: an import that was cut off continues where it was, and one
// that was finished is not done again.
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeDurably } from '../../durableFile.ts';
import { hasCode, undefinedIfMissing } from '../../errors.ts';
import { parseJson } from '../../posts/parseJson.ts';
import { CommandError } from '../commandError.ts';
import { withImportLock } from './importLock.ts';
import { importsIn, recordsIn } from './importRecords.ts';
import { openText } from './openText.ts';
import { forgetStored } from './storedBatch.ts';

export interface Ledger {
  /** Name of the file when it was first read; it is known by its content. */
  file: string;
  site: string;
  kind: 'views' | 'posts' | 'vectors';
  /** Lines that are behind us. */
  lines: number;
  /** What became of them. */
  outcomes: Record<string, number>;
  /** The first line of each outcome but `stored`, to look at. */
  firsts: Record<string, number>;
  finished: boolean;
  /** What was there before it has been removed. */
  replaces?: boolean;
}

/** What a ledger is of. */
export interface OfLedger extends Pick<Ledger, 'file' | 'site' | 'kind'> {
  /** When the site was made: one that was removed and made again has nothing of the file. */
  made: string;
}

export interface OpenLedger {
  /** Names this file on this site: the same whenever and wherever it is read. */
  id: string;
  ledger: Ledger;
  save(): Promise<void>;
  /** As if the file had never been read. */
  forget(): Promise<void>;
  /** The same of all other files of this kind on this site: what they brought is removed. */
  forgetOthers(): Promise<void>;
}

/**
 * Reads the ledger of a file, or begins one, and locks it against other processes meanwhile.
 * @throws {CommandError} when the same file is being brought already, or the ledger cannot be read.
 */
export async function withLedger<T>(
  dataDir: string,
  { made, ...of }: OfLedger,
  work: (ledger: OpenLedger) => Promise<T>,
): Promise<T> {
  const id = await fingerprint({ made, ...of });
  const path = pathOf(dataDir, id);
  return await withImportLock(`${path}.lock`, async () => {
    const ledger: Ledger = { ...of, lines: 0, outcomes: {}, firsts: {}, finished: false, ...(await read(path)) };
    return await work({
      id,
      ledger,
      save: () => writeDurably(path, [Buffer.from(JSON.stringify(ledger))]),
      forget: () => rm(path, { force: true }),
      forgetOthers: () =>
        forgetLedgers(dataDir, (other, otherId) => otherId !== id && other.site === of.site && other.kind === of.kind),
    });
  });
}

/** Forgets all imports into a site that is removed: their ledgers hold its name and those of files. */
export const forgetImportsOf = (dataDir: string, site: string): Promise<void> =>
  forgetLedgers(dataDir, (ledger) => ledger.site === site);

/** Removes some ledgers with the last batches of their imports. A damaged one stays: whose it is cannot be known. */
async function forgetLedgers(
  dataDir: string,
  isForgotten: (ledger: Partial<Ledger>, id: string) => boolean,
): Promise<void> {
  for (const name of (await recordsIn(dataDir)) ?? []) {
    const id = /^(.+)\.json$/.exec(name)?.[1];
    if (id === undefined) continue;
    const text = await readFile(pathOf(dataDir, id), 'utf8').catch(undefinedIfMissing);
    const ledger = text === undefined ? undefined : (parseJson(text) as Partial<Ledger> | null | undefined);
    if (!ledger || !isForgotten(ledger, id)) continue;
    await rm(pathOf(dataDir, id), { force: true });
    await forgetStored(dataDir, id);
  }
}

const pathOf = (dataDir: string, id: string): string => join(importsIn(dataDir), `${id}.json`);

/** By the text: the same text gzipped is the same file. */
async function fingerprint({ file, site, made, kind }: OfLedger): Promise<string> {
  const hash = createHash('sha256').update(`${site}\n${made}\n${kind}\n`);
  await pipeline((await openText(file)).bytes, hash);
  return hash.digest('hex').slice(0, 32);
}

async function read(path: string): Promise<Partial<Ledger> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CommandError(`${path} is damaged; without it the file is brought from its start.`);
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
