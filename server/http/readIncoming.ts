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
export function readIncoming(incoming: IncomingMessage, max: number): Promise<string | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > max) {
    incoming.resume();
    return Promise.resolve(undefined);
  }
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    let size = 0;
    let whole = false;
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= max) parts.push(part);
      else resolve(undefined);
    });
    incoming.on('end', () => {
      whole = true;
      const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      // The request is kept until its answer has gone; its bytes need not be.
      parts = [];
      resolve(body.toString('utf8'));
    });
    // An error is dear to make, and every connection closes one day.
    const broken = () => whole || reject(new BadParameters({ body: ['The body broke off before its end.'] }));
    incoming.on('error', broken);
    incoming.on('close', broken);
  });
}
