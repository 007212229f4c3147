// Checksums of the files of a backup, so that a restore verifies each of them, and names the one that is not as it was
// written.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../../durableFile.ts';
import { messageOf } from '../../errors.ts';
import { CommandError } from '../commandError.ts';

/** By path below the backup's folder, with `/` between. */
export type Checksums = Record<string, { bytes: number; sha256: string }>;

/** Read at once: the server answers readers between two of them. */
const CHUNK_BYTES = 1024 * 1024;

/** Reads every file below a folder. */
export async function checksumsBelow(folder: string): Promise<Checksums> {
  const found: Checksums = {};
  for (const path of await filesBelow(folder)) found[path] = await checksumOf(join(folder, path));
  return found;
}

/** @throws {CommandError} naming the first file that is missing, or not what was written. */
export async function requireChecksums(folder: string, expected: Checksums): Promise<void> {
  for (const [path, { bytes, sha256 }] of Object.entries(expected)) {
    const file = join(folder, path);
    const found = await checksumOf(file).catch((error: unknown) => {
      throw damaged(`${file} cannot be read (${messageOf(error)})`);
    });
    if (found.bytes !== bytes) throw damaged(`${file} has ${found.bytes} bytes, and had ${bytes}`);
    if (found.sha256 !== sha256) throw damaged(`${file} does not have the checksum it had`);
  }
}

const damaged = (reason: string) => new CommandError(`The backup is damaged: ${reason}. Use another one.`);

async function filesBelow(folder: string, within = ''): Promise<string[]> {
  const entries = await readdir(join(folder, within), { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = within === '' ? entry.name : `${within}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, path) : [path];
    }),
  );
  return found.flat().sort();
}

/** A link is not followed: what a backup holds is in its folder. */
async function checksumOf(path: string): Promise<Checksums[string]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (let read = await readInto(file, chunk); read > 0; read = await readInto(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

const readInto = async (file: FileHandle, chunk: Buffer) => (await file.read(chunk, 0, chunk.length)).bytesRead;

/** Has the disk take all files and folders below one, so that a power cut after a rename finds them whole. */
export async function syncBelow(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncBelow(path);
    else if (entry.isFile()) await syncPath(path);
  }
  await syncPath(folder);
}

/** Whether a name stands for anything, a link that leads nowhere included. */
export async function isTaken(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
