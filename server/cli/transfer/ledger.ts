// How far a file has been imported, kept beside the data: an import that was cut off goes on where it was, and one that
// was finished is not done again.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface Ledger {
  /** Name of the file when it was first read; it is known by its content. */
  file: string;
  site: string;
  kind: 'views' | 'posts';
  /** Lines that are behind us. */
  lines: number;
  /** What became of them. */
  outcomes: Record<string, number>;
  finished: boolean;
}

export interface OpenLedger {
  /** Names this file on this site: the same whenever and wherever it is read. */
  id: string;
  ledger: Ledger;
  save(): Promise<void>;
}

/** Reads the ledger of a file, or begins one. */
export async function openLedger(dataDir: string, of: Pick<Ledger, 'file' | 'site' | 'kind'>): Promise<OpenLedger> {
  const id = await fingerprint(of);
  const folder = join(dataDir, 'imports');
  const path = join(folder, `${id}.json`);
  const ledger: Ledger = (await read(path)) ?? { ...of, lines: 0, outcomes: {}, finished: false };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { id, ledger, save: () => write(path, ledger) };
}

async function fingerprint({ file, site, kind }: Pick<Ledger, 'file' | 'site' | 'kind'>): Promise<string> {
  const hash = createHash('sha256').update(`${site}\n${kind}\n`);
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex').slice(0, 32);
}

async function read(path: string): Promise<Ledger | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** On the disk before it counts, and whole or not at all. */
async function write(path: string, ledger: Ledger): Promise<void> {
  const fresh = `${path}.part`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(ledger));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}
