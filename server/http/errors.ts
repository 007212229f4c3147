// What can go wrong with a request, and the one place that turns it into an answer.
//
//   throw new BadParameters({ url: ['Give an absolute http or https URL.'] });   → 422, names in alphabetical order
//   throw new Forbidden();                                                       → 403
//
// Every normal error travels with HTTP 200 and says so in its body; only a fault of ours has a status of its own.
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { ErrorBody } from '../contract/wire.ts';
import { OverloadedError } from '../deps.ts';
import { noteOutcome } from './outcome.ts';

/** Parameter name → sentences that say what is accepted. */
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

/** Answered with code 403: an unknown site, a wrong secret and a feature switched off all look the same. */
export class Forbidden extends Error {
  override name = 'Forbidden';
}

/** Answered with code 404. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/** Body of an error the caller can do something about; undefined for a fault of ours. */
export function toErrorBody(error: unknown): ErrorBody | undefined {
  if (error instanceof BadParameters) {
    const names = Object.keys(error.complaints).sort();
    const errors = Object.fromEntries(names.map((name) => [name, error.complaints[name] ?? []]));
    return { code: 422, errors, message: error.message, success: false };
  }
  if (error instanceof Forbidden) return { code: 403, message: 'Forbidden', success: false };
  if (error instanceof NotFound) return { code: 404, message: 'Not Found', success: false };
  return undefined;
}

/** Hono's `onError`: runs inside the chain, so the JSON-P and CORS layers see its answer like any other. */
export function answerErrors(log: Logger): (error: unknown, c: Context) => Response {
  return (error, c) => {
    c.header('Cache-Control', 'no-store');
    const body = toErrorBody(error);
    if (body) {
      noteOutcome(c, body.code);
      return c.json(body);
    }
    if (error instanceof OverloadedError) {
      c.header('Retry-After', '1');
      return c.json({ code: 503, message: 'Service Unavailable', success: false } satisfies ErrorBody, 503);
    }
    const requestId = randomUUID();
    // The path only: a query string may carry a secret.
    log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, 'request failed');
    c.header('X-Request-Id', requestId);
    return c.json({ code: 500, message: 'Internal Server Error', success: false } satisfies ErrorBody, 500);
  };
}

/** Hono's `notFound`: below /v2 an error of the interface, elsewhere a plain 404. */
export function answerNotFound(c: Context): Response {
  c.header('Cache-Control', 'no-store');
  noteOutcome(c, 404);
  const body = { code: 404, message: 'Not Found', success: false } satisfies ErrorBody;
  return c.json(body, c.req.path === '/v2' || c.req.path.startsWith('/v2/') ? 200 : 404);
}
