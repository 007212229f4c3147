// What a backup says about itself, in a file beside the engine's: written last, so that a backup without one is
// unfinished.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import { COUNTS } from '../../storage/schema/table.ts';
import { CommandError } from '../commandError.ts';

const counts = z.record(z.enum(COUNTS), z.number());

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
  /**
   * Of each server: SHA-256 of the definition of each table. Earlier versions wrote none, nor `files`, nor a checksum
   * of the manifest.
   */
  definitions: z.array(z.record(z.string(), z.string())).optional(),
  /** Every file in this folder but this one. */
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })).optional(),
});

export type Manifest = z.infer<typeof manifest>;

/** Name of its file. */
export const MANIFEST = 'backup.json';
const fileIn = (folder: string) => join(folder, MANIFEST);
/** Where the engine puts its part. */
export const engineIn = (folder: string) => join(folder, 'engine');

/** The text of a manifest, with a checksum of all it says. */
export function sealManifest(content: Manifest): string {
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) }, null, 2)}\n`;
}

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await writeFile(fileIn(folder), sealManifest(content), { mode: 0o600, flag: 'wx', flush: true });
}

/** @throws {CommandError} when the folder holds no finished backup, or its manifest is not as it was written. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(fileIn(folder), 'utf8').catch((error: unknown) => {
    throw new CommandError(`${folder} holds no finished backup (${messageOf(error)}).`);
  });
  try {
    const { checksum, ...content } = JSON.parse(text);
    const isEarlier = ![checksum, content.files, content.definitions].some((part) => part !== undefined);
    if (isEarlier || checksum === checksumOf(content)) return manifest.parse(content);
  } catch (error) {
    throw new CommandError(`${fileIn(folder)} is damaged (${error instanceof Error ? error.name : String(error)}).`);
  }
  throw new CommandError(`${fileIn(folder)} is damaged (its checksum does not match).`);
}

const checksumOf = (content: object): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');
