// What a backup says about itself, in a file beside the engine's: written last, so that a backup without one is unfinished.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError } from '../commandError.ts';
import { makeFolder } from '../makeFolder.ts';

const counts = z.object({
  sites: z.number(),
  posts: z.number(),
  aliases: z.number(),
  events: z.number(),
  views: z.number(),
  visitors: z.number(),
});

const manifest = z.object({
  afterword: z.literal('backup'),
  schema: z.number().int(),
  /** ISO 8601, UTC. */
  made: z.string(),
  counts,
  /** Set where the engine's part is on the ClickHouse servers: each has `path`/server-N on a disk of that name. */
  disk: z.object({ name: z.string(), path: z.string(), servers: z.number().int() }).optional(),
  /** Counted at the end, where others may have written meanwhile. */
  after: counts.optional(),
});

export type Manifest = z.infer<typeof manifest>;

const fileIn = (folder: string) => join(folder, 'backup.json');
/** Where the engine puts its part. */
export const engineIn = (folder: string) => join(folder, 'engine');

/**
 * Makes the folder: a backup holds what the database holds, so only its owner may read it.
 * @throws {CommandError} when there is something in it already.
 */
export async function makeBackupFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    throw new CommandError(`${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
  throw new CommandError(`${folder} is not empty. Name a new folder for each backup.`);
}

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await writeFile(fileIn(folder), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** @throws {CommandError} when the folder holds no finished backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(fileIn(folder), 'utf8').catch((error: unknown) => {
    throw new CommandError(
      `${folder} holds no finished backup (${error instanceof Error ? error.message : String(error)}).`,
    );
  });
  try {
    return manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandError(`${fileIn(folder)} is damaged (${error instanceof Error ? error.name : String(error)}).`);
  }
}
