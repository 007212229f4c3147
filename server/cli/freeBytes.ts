// Room on the disk of a folder.
import { statfs } from 'node:fs/promises';

/** Bytes that a program without rights of its own may still write. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
