// Mounts the routes of app.ts: guard, parameters, body, answer.
import { type Context, type Handler, Hono } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from './auth.ts';
import type { Ask, Door, Endpoint, Parts, Route } from './endpoint.ts';
import { BadParameters } from './errors.ts';
import type { OfSite } from './guards.ts';
import { readFields, readJsonBody } from './jsonBody.ts';
import { parseParams } from './params.ts';
import { type Query, readQuery } from './query.ts';
import { send } from './send.ts';

/** Admits in place of the guards. */
export type Admit = (asked: { c: Context }) => object | undefined;

/**
 * The routes, to be mounted at the root of an application.
 * @param admit Replaces all guards. Default: each route has its own.
 */
export function mount(routes: readonly Route[], parts: Parts, admit?: Admit): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const route of routes) {
    const { method, endpoint } = route;
    const pattern = patternOf(route);
    const preflight = 'handle' in endpoint ? endpoint.preflight : undefined;
    if (preflight) app.options(pattern, (c) => c.body(null, 204, preflight));
    const handler = 'handle' in endpoint ? doorOf(route, endpoint, parts) : handlerOf(route, endpoint, parts, admit);
    app.on(method, pattern, handler);
  }
  return app;
}

/**
 * A path in the syntax of the framework: parameters with a closed list match its words only, and `:value/detail`
 * matches everything up to the last `/detail`, line breaks included. The plural, `/details`, is accepted.
 */
export function patternOf({ path, endpoint }: Pick<Route, 'path' | 'endpoint'>): string {
  const { shape } = endpoint.params;
  return path
    .replace(/:value\/detail$/, ':value{[^]+/details?}')
    .replace(/(?<=\/)detail$/, ':detail{details?}')
    .replace(/:(\w+)(?!\w|\{)/g, (whole, name: string) => {
      const type = shape[name];
      return type instanceof z.ZodEnum ? `:${name}{(?:${type.options.join('|')})}` : whole;
    });
}

const takesDryRun = (schema: z.ZodType) => schema instanceof z.ZodObject && 'dry_run' in schema.shape;

function doorOf({ guard }: Route, { handle }: Door, parts: Parts): Handler<HttpEnv> {
  return (c) => {
    const who = guard.admit(
      {
        c,
        // Most guards of event endpoints require no parameters.
        get query() {
          return readQuery(c.req.url);
        },
      },
      parts,
    );
    return who === undefined ? c.notFound() : handle(c, parts, who);
  };
}

function handlerOf(route: Route, endpoint: Endpoint, parts: Parts, instead?: Admit): Handler<HttpEnv> {
  const { method, guard } = route;
  const { params, body, record, isLive } = endpoint;

  const answer = async (c: Context<HttpEnv>, query: Query, caller: object, read: unknown): Promise<Response> => {
    c.set('query', query);
    const asked = { ...caller, params: parseParams(params, query, c.req.param()), body: read, c };
    const make = () => endpoint.answer({ ...asked, now: parts.now() } as Ask<never>, parts);
    // Lists of a site's traffic remain available while the database is unavailable.
    if (guard.keepsLists && record !== undefined && isLive !== true)
      return await parts.lastGood.answer({ c, site: (caller as OfSite).site.id }, make);
    const made = await make();
    return made instanceof Response ? made : send(c, made);
  };

  return async (c) => {
    // The framework answers HEAD as GET.
    if (c.req.method === 'HEAD' && endpoint.changes) return c.body(null, 405, { Allow: method });
    const query = method === 'POST' && body === 'fields' ? await readFields(c, parts.bodies) : readQuery(c.req.url);
    const admit = (text?: string) =>
      instead ? instead({ c }) : guard.admit({ c, query, ...(text !== undefined && { body: text }) }, parts);
    if (method === 'GET' || body === undefined || body === 'fields') {
      const who = admit();
      return who === undefined ? c.notFound() : await answer(c, query, who, undefined);
    }
    let who = guard.readsBody ? undefined : admit();
    const verify = (text: string): void => {
      if (guard.readsBody) who = admit(text);
    };
    const reading = { c, bodies: parts.bodies };
    return await readJsonBody(reading, body, verify, async (read) => {
      if (who === undefined) return c.notFound();
      // The keys may be in the address, so a sender may write this there, too: ignored, the change would be made.
      if (query.has('dry_run') && takesDryRun(body.schema))
        throw new BadParameters({ dry_run: ['Give it in the body, as true or false.'] });
      return await answer(c, query, who, read);
    });
  };
}
