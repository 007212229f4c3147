// The door of assistants: the Model Context Protocol over HTTP. A request has one message and is answered with one, so
// the server keeps no session. Keys are in headers, which clients can configure and no log has.
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { SITE_HEADER } from '../contract/headers.ts';
import { door, type Parts } from '../http/endpoint.ts';
import type { OfCaller } from '../http/guards.ts';
import { cacheControl } from '../http/headers.ts';
import { readJsonBody } from '../http/jsonBody.ts';

const NONE = z.object({});

const MESSAGE = {
  schema: z.looseObject({}),
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  limits: {
    max: 64 * 1024,
    bounds: { depth: 16, values: 2_000 },
    type: 'application/json',
    sentence: 'Send one message of the protocol, as a JSON object.',
  },
} as const;

export const mcp = door({
  summary: 'Tools for assistants, by the Model Context Protocol.',
  params: NONE,
  unlisted: true,
  handle: (c: Context, { bodies, assistant }: Parts, { site, mayAct }: OfCaller) =>
    readJsonBody(
      { c, bodies },
      MESSAGE,
      () => {},
      (message) => assistant.answer(c.req.raw, message, { site, mayAct, env: c.env as object | undefined }),
    ),
});

/** Code of an error of the server's own: JSON-RPC 2.0, section 5.1. */
const SERVER_ERROR = -32_000;
const WHO = `Send either secret of the site as Authorization: Bearer, and the Site ID as ${SITE_HEADER}.`;

/** HTTP status of an error of the interface, which has its code in the body elsewhere. */
const STATUS: Readonly<Record<number, number>> = { 403: 401, 422: 400 };

/**
 * Rules of the protocol for all requests to the door: a page of another origin is refused, so that a browser cannot use
 * a name that leads to this machine; requests without a message have no answer; errors are those of JSON-RPC.
 * @param publicUrl Origin of the server's own pages.
 */
export const byProtocol = (publicUrl: string | undefined): MiddlewareHandler => {
  return async (c, next) => {
    const origin = c.req.header('Origin');
    if (origin !== undefined && origin !== publicUrl) {
      c.res = toError(403, 'Pages may not ask. Programs send no Origin header.');
      return;
    }
    if (c.req.method !== 'POST') {
      c.res = toError(405, 'Send messages with POST: the server sends none of its own.');
      c.res.headers.set('Allow', 'POST');
      return;
    }
    await next();
    if (c.error) c.res = await toProtocol(c.res);
    c.res.headers.set('Cache-Control', cacheControl('private'));
  };
};

/** An error of the interface as one of the protocol. */
async function toProtocol(response: Response): Promise<Response> {
  const { code, message, errors } = (await response.json()) as {
    code: number;
    message: string;
    errors?: Record<string, string[]>;
  };
  const status = STATUS[code] ?? code;
  const answer = toError(status, code === 403 ? WHO : [message, ...Object.values(errors ?? {}).flat()].join('. '));
  const wait = response.headers.get('Retry-After');
  if (wait !== null) answer.headers.set('Retry-After', wait);
  if (status === 401) answer.headers.set('WWW-Authenticate', 'Bearer realm="afterword"');
  return answer;
}

const toError = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: SERVER_ERROR, message } }, { status });
