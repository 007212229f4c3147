// A file of text as it lies on the disk, or gzipped: the content decides, not the name.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandError } from '../commandError.ts';

/** A file of text that is being read. */
export interface OpenText {
  /** The text, unpacked. Fails with a CommandError where a gzipped file is damaged. */
  bytes: Readable;
  /** Bytes of a gzipped file that lie behind; undefined of any other file. */
  packed: (() => number) | undefined;
}

const CHUNK_BYTES = 256 * 1024;

export async function openText(file: string): Promise<OpenText> {
  const from = createReadStream(file);
  if (!(await isGzip(file))) return { bytes: from, packed: undefined };
  return { bytes: Readable.from(unpacked(file, from), { objectMode: false }), packed: () => from.bytesRead };
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
}

async function* unpacked(file: string, from: Readable): AsyncIterable<Buffer> {
  const text = createGunzip({ chunkSize: CHUNK_BYTES });
  // `pipe` forwards no errors.
  from.once('error', (error) => text.destroy(error));
  try {
    yield* from.pipe(text) as AsyncIterable<Buffer>;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    throw new CommandError(`${file} is gzipped, and damaged or cut off: ${error.message}.`);
  } finally {
    from.destroy();
  }
}
