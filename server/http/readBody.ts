// Reads a request's body up to a bound: the size is checked from its announced length and again while reading.

/**
 * @param max Bytes.
 * @returns The body as UTF-8 text (broken bytes become U+FFFD); undefined when it is larger than `max`.
 */
export async function readBody(request: Request, max: number): Promise<string | undefined> {
  if (Number(request.headers.get('Content-Length') ?? 0) > max) return undefined;
  if (request.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body) {
    size += part.byteLength;
    if (size > max) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
