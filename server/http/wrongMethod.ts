// A path that is there, asked with a method it does not take: 405 that names those it takes.
import type { Context, Hono } from 'hono';
import { answerNotFound } from './errors.ts';
import { noteOutcome } from './outcome.ts';
import { sendError } from './send.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/**
 * Hono's `notFound`. Looked for only where nothing answers a request, so that no other request waits for it.
 * @param app Has the routes.
 */
export function answerUnmatched(app: Hono): (c: Context) => Response {
  return (c) => {
    const allowed = METHODS.filter((method) =>
      // Middleware is there for all methods.
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method),
    ).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    // A guard may hide a route from a method it takes.
    if (allowed.length === 0 || allowed.includes(c.req.method)) return answerNotFound(c);
    noteOutcome(c, 405);
    c.header('Allow', allowed.join(', '));
    const message = `Method Not Allowed: send ${allowed.join(' or ')}.`;
    return sendError(c, { code: 405, message, success: false }, c.req.path.startsWith('/v2/') ? 200 : 405);
  };
}
