// Errors of a request, and their conversion to answers.
//
//   throw new BadParameters({ url: ['Give an absolute http or https URL.'] });   → 422, names in alphabetical order
//   throw new Forbidden();                                                       → 403
//
// Every expected error has HTTP status 200 and its code in the body; only an internal error has a status of its own.
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { ErrorBody } from '../contract/wire.ts';
import { OverloadedError, StoreUnavailableError, UnknownSiteError } from '../errors.ts';
import { createFailureLog } from '../failureLog.ts';
import { createLogThrottle } from '../logThrottle.ts';
import { noteOutcome } from './outcome.ts';
import { markAnswer } from './requestId.ts';
import { sendError } from './send.ts';

/** Parameter name → sentences that state the accepted values. */
export type Complaints = Record<string, string[]>;

/** Answered with code 422. */
export class BadParameters extends Error {
  override name = 'BadParameters';
  readonly complaints: Complaints;

  constructor(complaints: Complaints) {
    super(`Bad parameters: ${Object.keys(complaints).sort().join(', ')}`);
    this.complaints = complaints;
  }
}

/** Answered with code 403: an unknown site, a wrong secret and a disabled feature are indistinguishable. */
export class Forbidden extends Error {
  override name = 'Forbidden';
}

/** Answered with code 404. */
class NotFound extends Error {
  override name = 'NotFound';
}

/** Answered with code 429. */
export class TooManyRequests extends Error {
  override name = 'TooManyRequests';
  /** Seconds until the next request is admitted. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('Too Many Requests');
    this.retryAfter = retryAfter;
  }
}

/** Body of an error that the caller can correct; undefined for an internal error. */
export function toErrorBody(error: unknown): ErrorBody | undefined {
  if (error instanceof BadParameters) {
    const names = Object.keys(error.complaints).sort();
    const errors = Object.fromEntries(names.map((name) => [name, error.complaints[name] ?? []]));
    return { code: 422, errors, message: error.message, success: false };
  }
  if (error instanceof Forbidden || error instanceof UnknownSiteError)
    return { code: 403, message: 'Forbidden', success: false };
  if (error instanceof NotFound) return { code: 404, message: 'Not Found', success: false };
  return undefined;
}

/** Milliseconds between two log lines about an unavailable database, since every query fails. */
const LOG_PAUSE_MS = 5_000;
/** Retry-After, in seconds: a database that is available again is detected within that time. */
const RETRY_AFTER = '5';

/** Logs the unavailable service, at most once per pause. */
function createComplaint(
  log: Logger,
  clock: () => number,
): (error: StoreUnavailableError, about: { path: string; requestId: string }) => void {
  const throttle = createLogThrottle(LOG_PAUSE_MS, clock);
  return (error, about) => {
    if (throttle.pass('unavailable') === undefined) return;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    log.error({ ...about, away: error.away, cause }, error.message);
  };
}

/** Hono's `onError`: runs inside the chain, so the JSON-P and CORS layers process errors like any other answer. */
export function answerErrors(log: Logger, clock: () => number): (error: unknown, c: Context) => Response {
  const complain = createComplaint(log, clock);
  const failures = createFailureLog(log, clock);
  return (error, c) => {
    const body = toErrorBody(error);
    if (body) {
      noteOutcome(c, body.code);
      return sendError(c, body);
    }
    if (error instanceof OverloadedError) {
      c.header('Retry-After', '1');
      return sendError(c, { code: 503, message: 'Service Unavailable', success: false }, 503);
    }
    if (error instanceof TooManyRequests) {
      c.header('Retry-After', String(error.retryAfter));
      noteOutcome(c, 429);
      // An HTML fragment is included in pages unchanged: its errors have a status of their own.
      const status = c.req.path.startsWith('/v2/fragment/') ? 429 : 200;
      return sendError(c, { code: 429, message: error.message, success: false }, status);
    }
    if (error instanceof StoreUnavailableError) {
      complain(error, { path: c.req.path, requestId: markAnswer(c) });
      c.header('Retry-After', RETRY_AFTER);
      const message = `Service Unavailable: ${error.message}`;
      return sendError(c, { code: 503, message, success: false }, 503);
    }
    // Only the path is logged: a query string may carry a secret.
    const about = { requestId: markAnswer(c), method: c.req.method, path: c.req.path };
    failures.add(`${about.method} ${routePath(c)}`, error, 'request failed', about);
    return sendError(c, { code: 500, message: 'Internal Server Error', success: false }, 500);
  };
}

/** Hono's `notFound`: below /v2 an error of the interface, elsewhere a plain 404. */
export function answerNotFound(c: Context): Response {
  noteOutcome(c, 404);
  const status = c.req.path === '/v2' || c.req.path.startsWith('/v2/') ? 200 : 404;
  return sendError(c, { code: 404, message: 'Not Found', success: false }, status);
}
