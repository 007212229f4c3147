// What the folder of imports tells of one that is under way: quicker than the server could be asked, so that it is caught at work.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';

export interface ImportUnderWay {
  /** Its lock, which has the number of its process in it. */
  lock: string;
  /** Whether some of its lines are noted as stored, and others are still to come. */
  hasBegun(): boolean;
}

const locksIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.lock')) : [];

/** Begins an import, and resolves when no other process may bring the same file. */
export async function importUnderWay(dataDir: string, begin: () => Promise<unknown>): Promise<ImportUnderWay> {
  const folder = join(dataDir, 'imports');
  // A process that was killed left its own.
  const before = new Set(locksIn(folder));
  await begin();
  const name = await until('the import is at it', () => locksIn(folder).find((lock) => !before.has(lock)));
  const lock = join(folder, name);
  return { lock, hasBegun: () => existsSync(lock.replace(/\.lock$/, '')) };
}
