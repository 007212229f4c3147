// The body of an answer, unpacked and bounded: reading stops at the bound, whatever the server still has to say.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { CrawlError } from './failure.ts';
import { asCrawlError } from './request.ts';

export interface Received {
  bytes: Buffer;
  /** The page continues beyond the bound. */
  cut: boolean;
}

/**
 * Reads at most `max` bytes as they travel, and at most as many unpacked; then releases the connection.
 * @throws {CrawlError} `bad-encoding`, `too-slow`, `unreachable`.
 */
export async function receive(
  answer: IncomingMessage,
  { max, url, signal }: { max: number; url: URL; signal: AbortSignal },
): Promise<Received> {
  try {
    const unpack = unpacker(answer.headers['content-encoding'], url);
    const packed = await collect(answer, max);
    return unpack === undefined ? packed : await unpacked(packed, unpack(packed.bytes), { max, url });
  } catch (error) {
    throw asCrawlError(error, url, signal);
  } finally {
    answer.destroy();
  }
}

async function collect(source: AsyncIterable<Buffer>, max: number): Promise<Received> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of source) {
    parts.push(part);
    size += part.length;
    if (size > max) break;
  }
  return { bytes: Buffer.concat(parts).subarray(0, max), cut: size > max };
}

async function unpacked(
  packed: Received,
  stream: Transform,
  { max, url }: { max: number; url: URL },
): Promise<Received> {
  stream.end(packed.bytes);
  try {
    const { bytes, cut } = await collect(stream, max);
    return { bytes, cut: cut || packed.cut };
  } catch (cause) {
    throw new CrawlError('bad-encoding', `${url.href} is not packed the way it says.`, { cause });
  } finally {
    stream.destroy();
  }
}

/**
 * Unpacks a file that is gzip itself, at most to `max` bytes: beyond them the rest is not expanded.
 * @throws {CrawlError} `bad-encoding`.
 */
export function gunzip(packed: Received, bounds: { max: number; url: URL }): Promise<Received> {
  return unpacked(packed, createGunzip(TOLERANT), bounds);
}

type Unpacker = (packed: Buffer) => Transform;

/** What was cut off while it travelled is unpacked as far as it goes. */
const TOLERANT = { finishFlush: constants.Z_SYNC_FLUSH };

/** @returns undefined for a body that is not packed. */
function unpacker(header: string | undefined, url: URL): Unpacker | undefined {
  const encoding = (header ?? '').trim().toLowerCase();
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return () => createGunzip(TOLERANT);
    case 'br':
      return () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'deflate':
      // With or without the zlib wrapper that the standard asks for: the first byte distinguishes them.
      return ([first = 0]) => ((first & 0x0f) === 8 ? createInflate(TOLERANT) : createInflateRaw(TOLERANT));
    default:
      throw new CrawlError(
        'bad-encoding',
        `${url.href} comes packed as "${encoding.slice(0, 40)}", which was not requested.`,
      );
  }
}
