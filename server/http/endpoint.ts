// One endpoint of the interface as a value: what it takes and how it answers. Where it is and who may ask stands in
// app.ts, which makes a `Route` of both. The reference document is made from the values that requests are validated
// with.
//
//   export const list = endpoint({
//     summary: 'The URLs hidden now.', params: z.object({}),
//     answer: async ({ site }, { exclusions }) => ({ data: [...(await exclusions.of(site.id))], success: true }),
//   });
//
// An answer is a body (sent as JSON, private) or a Response made with `send` where it may be kept.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../context.ts';
import type { BoundedReads } from '../preview/boundedReads.ts';
import type { KeptFrames } from '../preview/ownPage.ts';
import type { OpenApi } from '../reference/openapi.ts';
import type { RecordName } from '../reference/recordSchemas.ts';
import type { HttpEnv } from './auth.ts';
import type { Taking } from './eventSenders.ts';
import type { Guard, OfSite } from './guards.ts';
import type { HotLists } from './hotLists.ts';
import type { DescribedBody, JsonBody } from './jsonBody.ts';
import type { LastGood } from './lastGood.ts';
import type { ParamSchema } from './params.ts';
import type { Bodies } from './readBody.ts';

/** A request as an endpoint sees it, with what the guard found. */
export type Ask<P, Who extends object = OfSite, B = undefined> = Who & {
  params: P;
  body: B;
  /** Epoch milliseconds. */
  now: number;
  c: Context<HttpEnv>;
};

/** What endpoints are given: the parts of the server, and what one application makes once for all of them. */
export interface Parts extends Deps {
  lists: HotLists;
  lastGood: LastGood;
  /** One bound for the bodies of all endpoints that read large ones. */
  bodies: Bodies;
  taking: Taking;
  pageReads: BoundedReads;
  /** Pages of sites, kept for the frames of the preview. */
  frames: KeptFrames;
  /** Asks the application itself. @param target Path, or address. */
  request(target: string): Promise<Response>;
  document(): OpenApi;
}

interface Described<S extends ParamSchema> {
  /** One sentence for the reference. */
  summary: string;
  /** Parameters of the query and of the path. */
  params: S;
  /** Where the reference lists it. Default: the first part of its path below /v2. */
  tag?: string;
  /** What its list holds, for the reference; absent where there is no list. */
  record?: RecordName;
  deprecated?: boolean;
  /** Media type of a success, where it is not JSON: such an endpoint has no JSON-P. */
  answers?: 'text/html' | 'image/gif' | 'image/webp';
  /** Answers as a script where `callback` is given. Default: below /v2 only. */
  script?: boolean;
  /** Left out of the reference. */
  unlisted?: boolean;
}

export interface Endpoint<S extends ParamSchema = ParamSchema, Who extends object = OfSite, B = undefined>
  extends Described<S> {
  /** Of a POST: a JSON body, or `fields`: the parameters, as JSON or as a form. Default: none is read. */
  body?: JsonBody<B> | 'fields';
  answer(ask: Ask<z.output<S>, Who, B>, parts: Parts): Promise<object>;
}

/** An endpoint that reads its requests itself, as events are read: `params` and `body` describe what it takes. */
export interface Door<S extends ParamSchema = ParamSchema, Who extends object = object> extends Described<S> {
  body?: DescribedBody;
  /** Headers of the answer to a browser that asks before it sends. Default: there is no such answer. */
  preflight?: Readonly<Record<string, string>>;
  handle(c: Context<HttpEnv>, parts: Parts, who: Who): Promise<Response> | Response;
}

/** Answers a request before the framework looks at it. @returns false when it does not. */
export type FirstAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Opens what answers some requests of its routes without the framework. */
export type OpenFirst = (parts: Parts, routes: readonly Route[]) => FirstAnswer;

/** An endpoint in its place. */
export interface Route {
  method: 'GET' | 'POST';
  /** Parameters as `:name`; which words one takes, `params` says. `/:value/detail` takes names with slashes. */
  path: string;
  guard: Guard;
  endpoint: Endpoint | Door;
  /** Answers some of its requests first. */
  first: OpenFirst | undefined;
}

/** Infers the types of an endpoint from its schemas. */
export const endpoint = <S extends ParamSchema, Who extends object = OfSite, B = undefined>(
  value: Endpoint<S, Who, B>,
): Endpoint<S, Who, B> => value;

export const door = <S extends ParamSchema, Who extends object = object>(value: Door<S, Who>): Door<S, Who> => value;

/** A route for GET; the guard has to find what the endpoint needs. */
export const get = <S extends ParamSchema, Who extends object>(
  path: string,
  guard: Guard<Who>,
  behind: Endpoint<S, NoInfer<Who>> | Door<S, NoInfer<Who>>,
  first?: OpenFirst,
): Route => routeOf('GET', path, guard, behind, first);

/** As `get`, for POST. */
export const post = <S extends ParamSchema, Who extends object, B>(
  path: string,
  guard: Guard<Who>,
  behind: Endpoint<S, NoInfer<Who>, B> | Door<S, NoInfer<Who>>,
  first?: OpenFirst,
): Route => routeOf('POST', path, guard, behind, first);

/** The types of guard and endpoint fit each other here, and are forgotten from here on. */
const routeOf = (method: Route['method'], path: string, guard: Guard, behind: object, first?: OpenFirst): Route => ({
  method,
  path,
  guard,
  endpoint: behind as Route['endpoint'],
  first,
});
