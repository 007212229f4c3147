// Reads a body directly from the connection, for the most frequent requests: a web stream costs as much as the whole
// rest of a request.
import { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { bindingsOf } from './bindings.ts';
import { BadParameters } from './errors.ts';
import { type Beginning, readBody, readUpTo, toText } from './readBody.ts';

export interface BodyBounds {
  /** Bytes. */
  max: number;
  /** Whether the beginning of a larger body is read. Default: false. */
  cuts?: boolean | undefined;
}

/**
 * As `readBody` or `readUpTo`, for any server adapter.
 * @returns undefined when the body is larger than `max` and may not be truncated; the rest of it is read and discarded.
 * @throws {BadParameters} when the sender closes the connection before the end of the body.
 */
export async function readRequestBody(c: Context, { max, cuts = false }: BodyBounds): Promise<Beginning | undefined> {
  const { incoming } = bindingsOf(c);
  if (incoming instanceof IncomingMessage) return await readIncoming(incoming, { max, cuts });
  if (cuts) return await readUpTo(c.req.raw, max);
  const text = await readBody(c.req.raw, max);
  return text === undefined ? undefined : { text, beyond: 0 };
}

/** As `readRequestBody`, for a request of node:http. */
function readIncoming(incoming: IncomingMessage, bounds: BodyBounds): Promise<Beginning | undefined> {
  return new Promise((resolve, reject) => {
    whenRead(
      incoming,
      bounds,
      (text, beyond) => resolve(text === undefined ? undefined : { text, beyond }),
      () => reject(new BadParameters({ body: ['The body broke off before its end.'] })),
    );
  });
}

/**
 * As `readRequestBody`, with callbacks instead of a promise, which would cost memory and microtasks for each of a
 * thousand concurrent bodies.
 * @param read Called once, with undefined for a body that is larger than `max` and may not be truncated; for a
 * truncated body, with the number of announced bytes beyond the limit, at least 1.
 * @param broken Called instead when the sender closes the connection before the end of the body. Default: no callback.
 */
export function whenRead(
  incoming: IncomingMessage,
  { max, cuts = false }: BodyBounds,
  read: (body: string | undefined, beyond: number) => void,
  broken?: () => void,
): void {
  const announced = Number(incoming.headers['content-length'] ?? 0);
  let parts: Buffer[] = [];
  let size = 0;
  let isSettled = false;

  function settle(body: string | undefined, beyond = 0): void {
    if (isSettled) return;
    isSettled = true;
    // The request is referenced until its answer is sent; its bytes are released here.
    parts = [];
    read(body, beyond);
  }

  const text = () => toText(parts.length === 1 ? parts[0]! : Buffer.concat(parts));

  /** Passes on the beginning of the body. The rest is read and discarded. */
  function settleWithBeginning(part: Buffer): void {
    parts.push(part.subarray(0, part.length - (size - max)));
    settle(text(), Math.max(1, announced - max));
  }

  if (announced > max && !cuts) {
    incoming.resume();
    settle(undefined);
    return;
  }
  incoming.on('data', (part: Buffer) => {
    size += part.length;
    if (isSettled) return;
    if (size <= max) parts.push(part);
    else if (cuts) settleWithBeginning(part);
    else settle(undefined);
  });
  incoming.on('end', () => {
    if (!isSettled) settle(text());
  });
  if (broken === undefined) return;
  const gone = () => {
    if (isSettled) return;
    isSettled = true;
    broken();
  };
  incoming.on('error', gone);
  incoming.on('close', gone);
}
