// Reads a request's body up to a bound: the size is checked from its announced length and again while reading.
import { BadParameters } from './errors.ts';

/**
 * @param max Bytes.
 * @returns The body as UTF-8 text (broken bytes become U+FFFD); undefined when it is larger than `max`.
 * @throws {BadParameters} when the sender goes away in the middle: nobody reads the answer, and it is no fault of ours.
 */
export async function readBody(request: Request, max: number): Promise<string | undefined> {
  if (Number(request.headers.get('Content-Length') ?? 0) > max) return undefined;
  if (request.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const part = await reader.read().catch(brokenOff);
    if (part.done) return Buffer.concat(parts).toString('utf8');
    size += part.value.byteLength;
    if (size > max) {
      await reader.cancel();
      return undefined;
    }
    parts.push(part.value);
  }
}

function brokenOff(): never {
  throw new BadParameters({ body: ['The body broke off before its end.'] });
}
