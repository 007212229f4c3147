// What an answer and the lines of the log about it have in common, so that one is found by the other: the id a proxy gave the request
// in `X-Request-Id`, else one of ours. A proxy's id is on every answer to it; one of ours only where the log says something.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Context } from 'hono';

const HEADER = 'X-Request-Id';
/** UUIDs, ULIDs, trace ids, base64: nothing that could end a line, a header or a quotation. */
const WELL_FORMED = /^[\w.:@=+/-]{1,128}$/;

/** Whether a header is an id that may stand in a line of the log and on an answer. */
export function isRequestId(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && WELL_FORMED.test(header);
}

const ours = new WeakMap<Request, string>();

/** The same listener, with the proxy's id on every answer; an id that is not well-formed is as good as none. */
export function echoRequestIds(listener: RequestListener): RequestListener {
  return (request, response) => {
    const id = request.headers['x-request-id'];
    if (isRequestId(id)) response.setHeader(HEADER, id);
    listener(request, response);
  };
}

/** The id of a request, the same however often it is asked. */
export function requestIdOf(c: Context): string {
  const id = c.req.header(HEADER);
  if (isRequestId(id)) return id;
  const known = ours.get(c.req.raw) ?? randomUUID();
  ours.set(c.req.raw, known);
  return known;
}

/** As `requestIdOf`, of a request of node:http; another one of ours each time it is asked. */
export function requestIdIn({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return isRequestId(id) ? id : randomUUID();
}

/** Puts the id on the answer that `c` makes, and returns it for the log. */
export function markAnswer(c: Context): string {
  const id = requestIdOf(c);
  c.header(HEADER, id);
  return id;
}
