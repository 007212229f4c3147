// JSON-P: one layer around all routes below /v2, so that a page reads errors in the same way as successes.
import type { MiddlewareHandler } from 'hono';
import { MAX_CALLBACK_LENGTH } from '../contract/limits.ts';
import { BadParameters, toErrorBody } from './errors.ts';
import { noteOutcome } from './outcome.ts';
import { last, readQuery } from './query.ts';
import { sendError } from './send.ts';

const CALLBACK = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

const JSONP_TYPE = 'application/javascript; charset=utf-8';

/** Whether a text is a valid callback name in a script: dotted identifiers only. */
export function isCallbackName(text: string): boolean {
  return text.length <= MAX_CALLBACK_LENGTH && CALLBACK.test(text);
}

/**
 * Wraps JSON text in a call. The leading comment prevents the caller from controlling the first bytes of the file; the
 * escapes keep the script valid where text of a record would end it.
 */
export function wrapJson(json: string, callback: string): string {
  const safe = json
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('</', '<\\/')
    // In a script, this name would set the object's prototype; in brackets it is an ordinary key.
    .replaceAll(/([{,])"__proto__":/g, '$1["__proto__"]:');
  return `/**/${callback}(${safe});`;
}

/** Answers GET and HEAD requests that have a `callback` with a script. An invalid name is refused, as plain JSON. */
export const jsonp: MiddlewareHandler = async (c, next) => {
  if (!['GET', 'HEAD'].includes(c.req.method) || !c.req.url.includes('callback')) return next();
  const callback = last(readQuery(c.req.url), 'callback');
  if (callback === undefined) return next();
  if (!isCallbackName(callback)) {
    const refusal = new BadParameters({
      callback: [`Give a JavaScript name such as "show" or "app.show", at most ${MAX_CALLBACK_LENGTH} characters.`],
    });
    noteOutcome(c, 422);
    return sendError(c, toErrorBody(refusal)!);
  }
  await next();
  if (!c.res.headers.get('Content-Type')?.startsWith('application/json')) return;
  const { status } = c.res;
  const headers = new Headers(c.res.headers);
  headers.delete('Content-Length');
  headers.set('Content-Type', JSONP_TYPE);
  headers.set('X-Content-Type-Options', 'nosniff');
  const script = wrapJson(await c.res.text(), callback);
  // Hono merges the previous headers into a replaced response unless it is cleared first.
  c.res = undefined;
  c.res = new Response(script, { status, headers });
};
