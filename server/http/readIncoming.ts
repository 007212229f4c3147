// Reads a body straight from the connection, for the doors that most requests come by: a web stream costs as much as all the rest.
import { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { BadParameters } from './errors.ts';
import { readBody } from './readBody.ts';

/**
 * As `readBody`, whatever serves the request.
 * @param max Bytes.
 * @returns undefined when the body is larger than `max`; the rest of it is read and thrown away.
 * @throws {BadParameters} when the sender goes away in the middle.
 */
export function readRequestBody(c: Context, max: number): Promise<string | undefined> {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming instanceof IncomingMessage ? readIncoming(incoming, max) : readBody(c.req.raw, max);
}

/** As `readRequestBody`, of a request of node:http. */
function readIncoming(incoming: IncomingMessage, max: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    whenRead(incoming, max, resolve, () => reject(new BadParameters({ body: ['The body broke off before its end.'] })));
  });
}

/**
 * As `readRequestBody`, for whoever has a thousand of them at once: a promise is one thing more to keep and to take turns.
 * @param read Called once, with undefined for a body that is larger than `max`.
 * @param broken Called instead when the sender goes away in the middle. Default: nobody is told.
 */
export function whenRead(
  incoming: IncomingMessage,
  max: number,
  read: (body: string | undefined) => void,
  broken: () => void = () => {},
): void {
  let parts: Buffer[] = [];
  let size = 0;
  let told = false;

  function tell(body: string | undefined): void {
    if (told) return;
    told = true;
    // The request is kept until its answer has gone; its bytes need not be.
    parts = [];
    read(body);
  }

  if (Number(incoming.headers['content-length'] ?? 0) > max) {
    incoming.resume();
    tell(undefined);
    return;
  }
  incoming.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= max) parts.push(part);
    else tell(undefined);
  });
  incoming.on('end', () => tell((parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8')));
  const gone = () => {
    if (told) return;
    told = true;
    broken();
  };
  incoming.on('error', gone);
  incoming.on('close', gone);
}
