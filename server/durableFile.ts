// Files that exist completely or not at all, also after a power cut.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ends the name of a file that is being written. */
export const PART = '.part';

/**
 * Writes a file for its owner only, and replaces one of that name.
 * @throws the error of the disk; the former file is unchanged then.
 */
export async function writeDurably(path: string, parts: readonly Buffer[]): Promise<void> {
  const part = `${path}${PART}`;
  try {
    const file = await open(part, 'w', 0o600);
    try {
      for (const bytes of parts) await file.appendFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncPath(dirname(path));
}

/** Syncs a file, or a folder: what was created, renamed or removed in it then survives a power cut. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
