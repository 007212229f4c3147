// Files that exist completely or not at all, also after a power cut.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ends the name of a file that is being written. */
export const PART = '.part';

/**
 * Writes a file for its owner only, and replaces one of that name. Two writes of one file must not overlap: they have
 * the same unfinished file.
 * @param parts Written one by one: each is asked for when those before it are written.
 * @throws the error of the disk; the former file is unchanged then.
 */
export async function writeDurably(path: string, parts: Iterable<Uint8Array>): Promise<void> {
  const part = `${path}${PART}`;
  try {
    // What an interrupted write left; a link in its place is not followed.
    await rm(part, { force: true });
    const file = await open(part, 'wx', 0o600);
    try {
      // As `write`, which may write a part of the bytes only, until all are written.
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
