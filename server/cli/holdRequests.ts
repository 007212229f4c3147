// Requests that come while the server is being assembled: they wait for it, a few seconds at most, instead of being
// refused.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PUBLIC_HEADERS, RETRY_AFTER_READABLE } from '../http/headers.ts';

/** Below the ten seconds within which a whole request must arrive: a body waits with its request. */
const HOLD_MS = 8_000;

export interface Hold {
  listener: RequestListener;
  /** Requests that wait, and those that come, go to this listener; without one they are refused. */
  release(to: RequestListener | undefined): void;
}

export interface HoldOptions {
  /** Milliseconds a request waits. Default: 8,000. */
  longestMs?: number;
  /**
   * A proxy is in front: a request that has waited in vain is closed without an answer, so that it goes to another
   * copy. Default: 503.
   */
  isBehindProxy?: boolean;
}

/** How many wait is bounded by the bounds on connections, and on senders of events. */
export function createHold({ longestMs = HOLD_MS, isBehindProxy = false }: HoldOptions = {}): Hold {
  const refuse = isBehindProxy ? (response: ServerResponse) => void response.destroy() : refuseStarting;
  let target: RequestListener | undefined;
  let isOver = false;
  const waiting = new Set<(to: RequestListener | undefined) => void>();

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const go = (to: RequestListener | undefined) => {
      clearTimeout(late);
      waiting.delete(go);
      if (response.destroyed) return;
      if (to === undefined) refuse(response);
      else to(request, response);
    };
    const late = setTimeout(() => go(undefined), longestMs);
    waiting.add(go);
    response.once('close', () => {
      clearTimeout(late);
      waiting.delete(go);
    });
  }

  return {
    listener(request, response) {
      if (target !== undefined) target(request, response);
      else if (isOver) refuse(response);
      else wait(request, response);
    },
    release(to) {
      target = to;
      isOver = true;
      for (const go of waiting) go(to);
    },
  };
}

const refuseStarting = (response: ServerResponse) => sendUnavailable(response, 'The server is starting.', 1);

/** @param retryAfter Seconds. */
export function sendUnavailable(response: ServerResponse, why: string, retryAfter: number): void {
  response.writeHead(503, {
    ...PUBLIC_HEADERS,
    ...RETRY_AFTER_READABLE,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': String(retryAfter),
  });
  response.end(JSON.stringify({ code: 503, message: `Service Unavailable: ${why}`, success: false }));
}
