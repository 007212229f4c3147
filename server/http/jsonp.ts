// JSON-P: one layer around everything below /v2, so that a page reads an error the same way as a success.
import type { MiddlewareHandler } from 'hono';
import { MAX_CALLBACK_LENGTH } from '../contract/limits.ts';
import { BadParameters, toErrorBody } from './errors.ts';
import { noteOutcome } from './outcome.ts';
import { last, readQuery } from './query.ts';
import { sendError } from './send.ts';

const CALLBACK = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

const JSONP_TYPE = 'application/javascript; charset=utf-8';

/** Whether a text may stand as the callback's name in a script: dotted identifiers, nothing else. */
export function isCallbackName(text: string): boolean {
  return text.length <= MAX_CALLBACK_LENGTH && CALLBACK.test(text);
}

/**
 * Wraps JSON text in a call. The comment in front keeps the first bytes of the file out of the caller's hands;
 * the escapes keep the text a valid script even where the record's own text would end it.
 */
export function wrapJson(json: string, callback: string): string {
  const safe = json
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('</', '<\\/')
    // In a script this name would set the object's prototype; in brackets it is a key like any other.
    .replaceAll(/([{,])"__proto__":/g, '$1["__proto__"]:');
  return `/**/${callback}(${safe});`;
}

/** Answers GET requests that name a `callback` with a script. A name that is none is refused, as plain JSON. */
export const jsonp: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'GET' || !c.req.url.includes('callback')) return next();
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
  // Hono merges the old headers into a replaced response unless it is emptied first.
  c.res = undefined;
  c.res = new Response(script, { status, headers });
};
