// Reads a request's body up to a limit: the size is checked by its announced length and again while reading. A
// semaphore over the bytes of all bodies under way bounds the memory of concurrent large ones.
import { isUtf8 } from 'node:buffer';
import { OverloadedError } from '../errors.ts';
import { BadParameters } from './errors.ts';

/** Maximum of bytes of all bodies that are read or processed concurrently. */
const MAX_BYTES_UNDER_WAY = 64 * 1024 * 1024;

export interface BodyLimits {
  /** Maximum of bytes of the whole body. */
  max: number;
  /** Maximum of bytes that are read of any request. Default: `max`. */
  first?: number;
  /**
   * Whether a body longer than `first` is read up to `max`; called once, with its beginning as text.
   * @throws the error by which the request is refused.
   */
  requireMore?(beginning: string): void;
}

export interface Bodies {
  /**
   * Reads a body as UTF-8 text and processes it; its bytes count as under way until `use` has ended.
   * @throws {OverloadedError} before any byte is read, when too many bytes are under way.
   * @throws {BadParameters} when the body is too large, incomplete, or no UTF-8: replaced characters would be stored.
   */
  read<T>(request: Request, limits: BodyLimits, use: (text: string) => Promise<T>): Promise<T>;
}

/** @param bytes Limit of all bodies under way. Default: 64 MiB. */
export function createBodies({ bytes: most = MAX_BYTES_UNDER_WAY }: { bytes?: number } = {}): Bodies {
  let underWay = 0;

  function reserve(bytes: number): void {
    if (underWay + bytes > most) throw new OverloadedError('Too many large bodies are under way.');
    underWay += bytes;
  }

  return {
    async read(request, { max, first = max, requireMore }, use) {
      const whole = Math.min(announcedLength(request) ?? max, max);
      let reserved = Math.min(whole, first);
      reserve(reserved);
      try {
        const bytes = await readWhole(request, max, (size, beginning) => {
          if (size <= reserved) return;
          requireMore?.(beginning());
          reserve(whole - reserved);
          reserved = whole;
        });
        if (bytes === undefined) throw new BadParameters({ body: [`Send at most ${max} bytes.`] });
        if (!isUtf8(bytes)) throw new BadParameters({ body: ['Send the body as UTF-8.'] });
        return await use(toText(bytes));
      } finally {
        underWay -= reserved;
      }
    },
  };
}

/** @returns undefined where no length is announced: the body is sent in chunks. */
function announcedLength(request: Request): number | undefined {
  const length = Number(request.headers.get('Content-Length') ?? Number.NaN);
  return Number.isNaN(length) ? undefined : length;
}

/** Called as a body grows, with its size so far and its text so far; an exception ends the reading. */
type Grown = (size: number, beginning: () => string) => void;

/**
 * @param max Bytes.
 * @returns The body as UTF-8 text (invalid bytes become U+FFFD); undefined when it is larger than `max`.
 * @throws {BadParameters} when the sender closes the connection before the end of the body: no internal error.
 */
export async function readBody(request: Request, max: number): Promise<string | undefined> {
  const bytes = await readWhole(request, max);
  return bytes && toText(bytes);
}

async function readWhole(request: Request, max: number, grown?: Grown): Promise<Buffer | undefined> {
  if ((announcedLength(request) ?? 0) > max) return undefined;
  const { bytes, beyond } = await readBytes(request, max, grown);
  return beyond > 0 ? undefined : bytes;
}

/** The beginning of a body. */
export interface Beginning {
  /** As UTF-8 (invalid bytes become U+FFFD). */
  text: string;
  /** Number of unread bytes, as announced, at least 1; 0 for a complete body. */
  beyond: number;
}

/**
 * As `readBody`, for a body of any size: bytes beyond the limit are omitted.
 * @throws {BadParameters} when the sender closes the connection before the end of the body.
 */
export async function readUpTo(request: Request, max: number): Promise<Beginning> {
  const { bytes, beyond } = await readBytes(request, max);
  return { text: toText(bytes), beyond };
}

async function readBytes(
  request: Request,
  max: number,
  grown: Grown = () => {},
): Promise<{ bytes: Buffer; beyond: number }> {
  if (request.body === null) return { bytes: Buffer.alloc(0), beyond: 0 };
  const parts: Uint8Array[] = [];
  const bytes = () => Buffer.concat(parts);
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const part = await reader.read().catch(brokenOff);
      if (part.done) return { bytes: bytes(), beyond: 0 };
      const room = max - size;
      size += part.value.byteLength;
      parts.push(size > max ? part.value.subarray(0, room) : part.value);
      if (size > max) return { bytes: bytes(), beyond: Math.max(1, (announcedLength(request) ?? 0) - max) };
      grown(size, () => toText(bytes()));
    }
  } finally {
    // After the end of the body there is nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

/** Programs of Windows write a byte order mark before JSON; parsers may leave it out (RFC 8259, section 8.1). */
export const toText = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\uFEFF/, '');

function brokenOff(): never {
  throw new BadParameters({ body: ['The body broke off before its end.'] });
}
