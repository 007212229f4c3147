// Reads a request's body up to a bound: the size is checked from its announced length and again while reading. A semaphore over the
// bytes of all bodies under way keeps a crowd of large ones out of memory.
import { OverloadedError } from '../errors.ts';
import { BadParameters } from './errors.ts';

/** Bytes of all bodies that are read or worked on at once. */
const MAX_BYTES_UNDER_WAY = 64 * 1024 * 1024;

export interface BodyLimits {
  /** Bytes of the whole body. */
  max: number;
  /** Bytes that are read of any request. Default: `max`. */
  first?: number;
  /**
   * Whether a body that goes on beyond `first` is read up to `max`; asked once, with its beginning as text.
   * @throws what the request is refused with.
   */
  requireMore?(beginning: string): void;
}

export interface Bodies {
  /**
   * Reads a body as UTF-8 text and works on it; its bytes count as under way until `use` has ended.
   * @throws {OverloadedError} before anything is read, when too many bytes are under way.
   * @throws {BadParameters} when the body is too large, or breaks off.
   */
  read<T>(request: Request, limits: BodyLimits, use: (text: string) => Promise<T>): Promise<T>;
}

/** @param bytes Bound of all bodies under way together. Default: 64 MiB. */
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
        const text = await readBody(request, max, (size, beginning) => {
          if (size <= reserved) return;
          requireMore?.(beginning());
          reserve(whole - reserved);
          reserved = whole;
        });
        if (text === undefined) throw new BadParameters({ body: [`Send at most ${max} bytes.`] });
        return await use(text);
      } finally {
        underWay -= reserved;
      }
    },
  };
}

/** @returns undefined where no length is announced: the body comes in chunks. */
function announcedLength(request: Request): number | undefined {
  const length = Number(request.headers.get('Content-Length') ?? Number.NaN);
  return Number.isNaN(length) ? undefined : length;
}

/**
 * @param max Bytes.
 * @param grown Called as the body grows, with its size so far and its text so far; what it throws ends the reading.
 * @returns The body as UTF-8 text (broken bytes become U+FFFD); undefined when it is larger than `max`.
 * @throws {BadParameters} when the sender goes away in the middle: nobody reads the answer, and it is no fault of ours.
 */
export async function readBody(
  request: Request,
  max: number,
  grown: (size: number, beginning: () => string) => void = () => {},
): Promise<string | undefined> {
  if ((announcedLength(request) ?? 0) > max) return undefined;
  const { text, beyond } = await readUpTo(request, max, grown);
  return beyond > 0 ? undefined : text;
}

/** The beginning of a body. */
export interface Beginning {
  /** As UTF-8 (broken bytes become U+FFFD). */
  text: string;
  /** Bytes that were not read, as announced, at least 1; 0 of a body that is all there. */
  beyond: number;
}

/**
 * As `readBody`, of a body of any size: what goes beyond the bound is left out.
 * @throws {BadParameters} when the sender goes away in the middle.
 */
export async function readUpTo(
  request: Request,
  max: number,
  grown: (size: number, beginning: () => string) => void = () => {},
): Promise<Beginning> {
  if (request.body === null) return { text: '', beyond: 0 };
  const parts: Uint8Array[] = [];
  const text = () => Buffer.concat(parts).toString('utf8');
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const part = await reader.read().catch(brokenOff);
      if (part.done) return { text: text(), beyond: 0 };
      const room = max - size;
      size += part.value.byteLength;
      parts.push(size > max ? part.value.subarray(0, room) : part.value);
      if (size > max) return { text: text(), beyond: Math.max(1, (announcedLength(request) ?? 0) - max) };
      grown(size, text);
    }
  } finally {
    // Of a body that was read to its end nothing is left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

function brokenOff(): never {
  throw new BadParameters({ body: ['The body broke off before its end.'] });
}
