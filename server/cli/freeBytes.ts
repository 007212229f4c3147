// Room on the disk of a folder.
import { statfs } from 'node:fs/promises';

/** Bytes that a program without rights of its own may still write. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Files that may still be made (free inodes); Infinity where the file system does not bound their number. */
export async function freeFiles(folder: string): Promise<number> {
  const { files, ffree } = await statfs(folder);
  return files === 0 ? Number.POSITIVE_INFINITY : ffree;
}

/** The database makes some dozens for each insert, and removes them when it merges. */
export const FEW_FILES = 2_000;
