// Files that are there whole or not at all, also when the power goes.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ends the name of a file that is being written. */
export const PART = '.part';

/** Writes a file for its owner only, in place of one of that name. @throws what the disk says; the file is then as it was. */
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

/** Fsyncs a file, or a folder: then what was created, renamed or removed in it survives a power cut. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
