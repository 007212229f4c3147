// The access log: one line per request. It contains no queries and no addresses, since queries carry secrets and ids of
// readers.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { outcomeOf } from './outcome.ts';
import { isRequestId } from './requestId.ts';

export interface AccessLogOptions {
  log: Logger;
  /** Monotonic milliseconds. */
  clock: () => number;
  /**
   * Maximum number of lines per second; requests beyond it are counted in one line. Default: 500, since each line waits
   * for the disk.
   */
  most?: number;
}

/** Longer paths are truncated, so that long URLs cannot fill the disk. */
const MAX_PATH = 200;
/** Polled by machines every few seconds: logged at the level debug. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Wraps a listener: one line per answer. A request without an id is assigned one, which its answer carries. */
export function logAccess(listener: RequestListener, { log, clock, most = 500 }: AccessLogOptions): RequestListener {
  let second = 0;
  let lines = 0;

  /** @returns Whether one more line fits in this second. */
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
  // The framework reads the headers from this list.
  request.rawHeaders.push('X-Request-Id', ours);
  return ours;
}

function pathOf({ url = '' }: IncomingMessage): string {
  // The path of the absolute form `http://user:password@host/path`, which a proxy's client may send.
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH)}…`;
}

/** The code of an error body; `aborted`: the client closed the connection before the answer. */
function statusOf(response: ServerResponse): number | 'aborted' {
  if (!response.writableFinished) return 'aborted';
  return outcomeOf(response) ?? response.statusCode;
}
