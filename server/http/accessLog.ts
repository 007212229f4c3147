// The access log: a line for each request. Queries stay out of it, since secrets and ids of readers travel in them, and so do
// addresses.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { outcomeOf } from './outcome.ts';
import { isRequestId } from './requestId.ts';

export interface AccessLogOptions {
  log: Logger;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Lines a second; the requests beyond them are counted in one line. Default: 500, since each line waits for the disk. */
  most?: number;
}

/** A longer path is cut: no sender fills the disk by the length of its addresses. */
const MAX_PATH = 200;
/** Asked by machines every few seconds: logged at the level debug. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** The same listener, with a line for each answer. A request without an id is given one, which its answer carries. */
export function logAccess(listener: RequestListener, { log, clock, most = 500 }: AccessLogOptions): RequestListener {
  let second = 0;
  let lines = 0;

  /** @returns Whether there is room for one more line in this second. */
  function isRoom(): boolean {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      if (lines > most)
        log.warn({ requests: lines - most }, 'requests beyond the bound of the access log were left out');
      second = now;
      lines = 0;
    }
    return ++lines <= most;
  }

  return (request, response) => {
    const start = clock();
    const id = identify(request);
    const { method, socket } = request;
    const path = pathOf(request);
    const before = socket.bytesWritten;
    response.once('close', () => {
      const level = PROBES.has(path) ? 'debug' : 'info';
      if (!log.isLevelEnabled(level) || !isRoom()) return;
      const line = {
        method,
        path,
        status: statusOf(response),
        bytes: socket.bytesWritten - before,
        ms: Math.round((clock() - start) * 10) / 10,
        requestId: id,
      };
      log[level](line, 'request');
    });
    listener(request, response);
  };
}

function identify(request: IncomingMessage): string {
  const id = request.headers['x-request-id'];
  if (isRequestId(id)) return id;
  const ours = randomUUID();
  request.headers['x-request-id'] = ours;
  // What the router reads.
  request.rawHeaders.push('X-Request-Id', ours);
  return ours;
}

function pathOf({ url = '' }: IncomingMessage): string {
  // Of `http://user:password@host/path`, which a proxy's client may send, the path too.
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH)}…`;
}

/** The code in the body, where that is an error; `aborted`: the client went first. */
function statusOf(response: ServerResponse): number | 'aborted' {
  if (!response.writableFinished) return 'aborted';
  return outcomeOf(response) ?? response.statusCode;
}
