// One endpoint of the interface as a value: where it is, who may ask, what it takes, and how it answers. The value stays
// attached to its route, so the reference document is made from what the routes really validate with.
//
//   get(app, deps, {
//     path: '/exclude/list', guard: 'secret', summary: 'The URLs hidden now.', params: z.object({}),
//     answer: async ({ site }) => ({ data: [...], success: true }),
//   });
//
// An answer is a body (sent as JSON, private) or a Response made with `send` where it may be kept.
import type { Context, Handler, Hono } from 'hono';
import type { z } from 'zod';
import type { RecordName } from '../reference/recordSchemas.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site } from '../sites/site.ts';
import { type HttpEnv, requireSecret, requireSite } from './auth.ts';
import { type ParamSchema, parseParams } from './params.ts';
import { send } from './send.ts';

/** What an endpoint is told about a request. */
export interface Ask<P> {
  site: Site;
  params: P;
  /** Epoch milliseconds. */
  now: number;
  c: Context<HttpEnv>;
}

export interface Endpoint<S extends ParamSchema = ParamSchema> {
  /** Below /v2; path parameters are keys of `params` too. */
  path: string;
  /** `site`: public, a known Site ID is enough. `secret`: its secret too. */
  guard: 'site' | 'secret';
  /** One sentence for the reference. */
  summary: string;
  params: S;
  /** What its list holds, for the reference; absent where there is no list. */
  record?: RecordName;
  deprecated?: boolean;
  /** Media type of a success, where it is not JSON: such an endpoint has no JSON-P. */
  answers?: 'text/html';
  answer(ask: Ask<z.output<S>>): Promise<object>;
}

const described = new WeakMap<object, Endpoint>();

/** The endpoint behind a route's handler, for the reference document. */
export function endpointOf(handler: object): Endpoint | undefined {
  return described.get(handler);
}

/** Adds a GET endpoint with its guard to an application. */
export function get<S extends ParamSchema>(
  app: Hono<HttpEnv>,
  deps: { sites: SiteDirectory; now(): number },
  endpoint: Endpoint<S>,
): void {
  const handler: Handler<HttpEnv> = async (c) => {
    const params = parseParams(endpoint.params, c.get('query'), c.req.param());
    const ask = () => endpoint.answer({ site: c.get('site'), params, now: deps.now(), c });
    const lastGood = endpoint.guard === 'secret' && endpoint.record !== undefined ? c.get('lastGood') : undefined;
    if (lastGood !== undefined) return await lastGood.answer(c, ask);
    const answer = await ask();
    return answer instanceof Response ? answer : send(c, answer);
  };
  described.set(handler, endpoint as unknown as Endpoint);
  app.get(endpoint.path, endpoint.guard === 'secret' ? requireSecret(deps) : requireSite(deps), handler);
}
