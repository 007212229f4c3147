// The index of a site in a file, so that a start need not read all texts again. Pieces one after another, each with a
// line of JSON before it and a checksum; the last one says that the file is whole. It replaces the one before in one
// stroke.
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { writeDurably } from '../durableFile.ts';
import { undefinedIfMissing } from '../errors.ts';
import type { SnapshotArray, SnapshotPart } from '../textindex/snapshotPart.ts';

/** Head of a file: machines differ in byte order. */
const MAGIC = new Uint8Array(new Uint32Array([0x61667764]).buffer);
/** Length of the head, length of the body, checksum of both. */
const PREFIX = 12;
const LONGEST_HEAD = 16 * 1024 * 1024;
const KINDS = { Uint8Array, Uint16Array, Uint32Array, Float32Array } as const;
type Kind = keyof typeof KINDS;
type Head = Omit<SnapshotPart, 'arrays'> & { arrays: [kind: Kind, length: number][] };

/** Writes parts one by one, and yields in between. The file has its name once it is complete. */
export async function writeSnapshot(path: string, parts: Iterable<SnapshotPart>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeDurably(path, encodedFile(parts));
}

function* encodedFile(parts: Iterable<SnapshotPart>): Generator<Uint8Array> {
  yield MAGIC;
  for (const one of parts) yield encoded(one);
  yield encoded({ name: 'end', at: 0, arrays: [], facts: null });
}

/** A copy: the arrays go on changing. */
function encoded({ arrays, ...rest }: SnapshotPart): Buffer {
  const head: Head = { ...rest, arrays: arrays.map((array) => [kindOf(array), array.length]) };
  const text = Buffer.from(JSON.stringify(head));
  const body = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = Buffer.allocUnsafe(PREFIX + text.length + body);
  bytes.writeUInt32LE(text.length, 0);
  bytes.writeUInt32LE(body, 4);
  let at = PREFIX + text.copy(bytes, PREFIX);
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(PREFIX)), 8);
  return bytes;
}

const kindOf = (array: SnapshotArray): Kind => array.constructor.name as Kind;

/** Raised for a file that is not whole or not what was written. */
class DamagedSnapshotError extends Error {
  override name = 'DamagedSnapshotError';
}

/**
 * The parts of a file in their order; none when there is no file.
 * @throws {DamagedSnapshotError} instead of the first part that is not as it was written, or is missing.
 */
export async function* readSnapshot(path: string): AsyncGenerator<SnapshotPart> {
  const file = await opened(path);
  if (!file) return;
  try {
    const magic = await take(file, MAGIC.length);
    if (!magic.equals(MAGIC)) throw new DamagedSnapshotError(`${path} does not begin like the file of an index.`);
    for (;;) {
      const one = await readPart(file, path);
      if (one.name === 'end') return;
      yield one;
    }
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

async function readPart(file: FileHandle, path: string): Promise<SnapshotPart> {
  const prefix = await take(file, PREFIX);
  const [head, body, sum] = [0, 4, 8].map((at) => prefix.readUInt32LE(at)) as [number, number, number];
  if (head > LONGEST_HEAD) throw new DamagedSnapshotError(`${path} is damaged.`);
  const bytes = await take(file, head + body);
  if (crc32(bytes) !== sum) throw new DamagedSnapshotError(`${path} is damaged.`);
  const { arrays, ...rest } = JSON.parse(bytes.toString('utf8', 0, head)) as Head;
  let at = head;
  return {
    ...rest,
    arrays: arrays.map(([kind, length]) => {
      const size = length * KINDS[kind].BYTES_PER_ELEMENT;
      const own = new Uint8Array(size);
      own.set(bytes.subarray(at, at + size));
      at += size;
      return new KINDS[kind](own.buffer);
    }),
  };
}

async function take(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read);
    if (bytesRead === 0) throw new DamagedSnapshotError('The file of an index ends too early.');
    read += bytesRead;
  }
  return bytes;
}

/** Removes what is kept of an index. */
export async function removeSnapshot(path: string): Promise<void> {
  await rm(path, { force: true });
}
