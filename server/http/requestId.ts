// Request ids, which link an answer with the log lines about it: the id that a proxy sent in `X-Request-Id`, else a
// generated one. A proxy's id is on every answer to its request; a generated one only where a log line was written.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Context } from 'hono';

const HEADER = 'X-Request-Id';
/** UUIDs, ULIDs, trace ids, base64: no character that could end a line, a header or a quotation. */
const WELL_FORMED = /^[\w.:@=+/-]{1,128}$/;

/** Whether a header is an id that is safe in a log line and on an answer. */
export function isRequestId(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && WELL_FORMED.test(header);
}

const ours = new WeakMap<Request, string>();

/** Wraps a listener: the proxy's id is on every answer; a malformed id is ignored. */
export function echoRequestIds(listener: RequestListener): RequestListener {
  return (request, response) => {
    const id = request.headers['x-request-id'];
    if (isRequestId(id)) response.setHeader(HEADER, id);
    listener(request, response);
  };
}

/** The id of a request, stable across calls. */
export function requestIdOf(c: Context): string {
  const id = c.req.header(HEADER);
  if (isRequestId(id)) return id;
  const known = ours.get(c.req.raw) ?? randomUUID();
  ours.set(c.req.raw, known);
  return known;
}

/** As `requestIdOf`, for a request of node:http; a generated id differs with each call. */
export function requestIdIn({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return isRequestId(id) ? id : randomUUID();
}

/** Sets the id on the answer of `c`, and returns it for the log. */
export function markAnswer(c: Context): string {
  const id = requestIdOf(c);
  c.header(HEADER, id);
  return id;
}
