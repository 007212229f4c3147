// One endpoint of the interface as a value: its parameters and its answer. Its path and its guard are in app.ts, which
// makes a `Route` of both. The reference document is generated from the schemas that validate requests.
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
import type { Provider } from '../console/oidc/provider.ts';
import type { Sessions } from '../console/sessions.ts';
import type { Shares } from '../console/shares.ts';
import type { SiteOverview } from '../console/siteOverview.ts';
import type { Deps } from '../context.ts';
import type { RateLimit } from '../ingest/rateLimit.ts';
import type { Assistant } from '../mcp/assistant.ts';
import type { Now } from '../now/now.ts';
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

/** A request as an endpoint receives it, with the result of the guard. */
export type Ask<P, Who extends object = OfSite, B = undefined> = Who & {
  params: P;
  body: B;
  /** Epoch milliseconds. */
  now: number;
  c: Context<HttpEnv>;
};

/** The parts available to endpoints: those of the server, and those shared by all endpoints of an application. */
export interface Parts extends Deps {
  lists: HotLists;
  lastGood: LastGood;
  /** One limit for the bodies of all endpoints that read large ones. */
  bodies: Bodies;
  taking: Taking;
  pageReads: BoundedReads;
  /** Pages of sites, cached for the frames of the preview. */
  frames: KeptFrames;
  /** What sites look like now. */
  looks: Now;
  /** Of the console. */
  sessions: Sessions;
  /** Links to views of the console. */
  shares: Shares;
  /** All sites, for the operator. */
  overview: SiteOverview;
  /** Where one can sign in to the console by OpenID Connect. */
  provider?: Provider;
  /** Attempts to sign in to the console. */
  signIns: RateLimit;
  /**
   * Sends a request to the application itself.
   * @param target Path, or absolute URL.
   */
  request(target: string): Promise<Response>;
  document(): OpenApi;
  /** Answers assistants with the endpoints of the application. */
  assistant: Assistant;
}

interface Described<S extends ParamSchema> {
  /** One sentence for the reference. */
  summary: string;
  /** Parameters of the query and of the path. */
  params: S;
  /** Its group in the reference. Default: the first part of its path below /v2. */
  tag?: string;
  /** The records of its list, for the reference; absent where there is no list. */
  record?: RecordName;
  deprecated?: boolean;
  /** Media type of a success, where it is not JSON: such an endpoint does not support JSON-P. */
  answers?: 'text/html' | 'image/gif' | 'image/webp';
  /**
   * Further HTTP statuses of its answers, with what each means, beside 200 and those of faults. Default: none, since an
   * error has HTTP status 200.
   */
  statuses?: Readonly<Record<number, string>>;
  /** Answers with one of `statuses` alone, never with 200. */
  redirects?: true;
  /** Answers as a script where `callback` is given. Default: below /v2 only. */
  script?: boolean;
  /** Omitted from the reference. */
  unlisted?: boolean;
  /** false: no tool that assistants read with, and no question of the console. Default: a GET is one. */
  tool?: false;
  /** A GET that changes something: the console sends it as a POST, and HEAD, a safe method, is refused. */
  changes?: true;
}

export interface Endpoint<S extends ParamSchema = ParamSchema, Who extends object = OfSite, B = undefined>
  extends Described<S> {
  /** Of a POST: a JSON body, or `fields`: the parameters, as JSON or as a form. Default: no body is read. */
  body?: JsonBody<B> | 'fields';
  /** About this moment: an older answer is none. Default: the last good list is given while the store is away. */
  isLive?: true;
  answer(ask: Ask<z.output<S>, Who, B>, parts: Parts): Promise<object>;
}

/** An endpoint that parses its requests itself, such as those with events: `params` and `body` only document them. */
export interface Door<S extends ParamSchema = ParamSchema, Who extends object = object> extends Described<S> {
  body?: DescribedBody;
  /** Headers of the answer to a preflight. Default: preflights are not answered. */
  preflight?: Readonly<Record<string, string>>;
  handle(c: Context<HttpEnv>, parts: Parts, caller: Who): Promise<Response> | Response;
}

/**
 * Answers a request before the framework; called for requests of its routes' method only.
 * @returns false when the request is left to the framework.
 */
export type FirstAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Creates the handler that answers some requests of its routes, which have one method, without the framework. */
export type OpenFirst = (parts: Parts, routes: readonly Route[]) => FirstAnswer;

/** An endpoint at its path, with its guard. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Parameters as `:name`; `params` lists the words that one takes. `/:value/detail` takes names with slashes. */
  path: string;
  guard: Guard;
  endpoint: Endpoint | Door;
  /** Answers some of its requests before the framework. */
  first: OpenFirst | undefined;
}

/** Infers the types of an endpoint from its schemas. */
export const endpoint = <S extends ParamSchema, Who extends object = OfSite, B = undefined>(
  value: Endpoint<S, Who, B>,
): Endpoint<S, Who, B> => value;

export const door = <S extends ParamSchema, Who extends object = object>(value: Door<S, Who>): Door<S, Who> => value;

/** A route for GET; the guard must provide what the endpoint requires. */
export const get = <S extends ParamSchema, Who extends object>(
  path: string,
  guard: Guard<Who>,
  behind: Endpoint<S, NoInfer<Who>> | Door<S, NoInfer<Who>>,
  first?: OpenFirst,
): Route => erased({ method: 'GET', path, guard, behind, first });

/** As `get`, for POST. */
export const post = <S extends ParamSchema, Who extends object, B>(
  path: string,
  guard: Guard<Who>,
  behind: Endpoint<S, NoInfer<Who>, B> | Door<S, NoInfer<Who>>,
  first?: OpenFirst,
): Route => erased({ method: 'POST', path, guard, behind, first });

/** As `get`, for DELETE. */
export const remove = <S extends ParamSchema, Who extends object>(
  path: string,
  guard: Guard<Who>,
  behind: Endpoint<S, NoInfer<Who>>,
): Route => erased({ method: 'DELETE', path, guard, behind, first: undefined });

/** Erases the types of guard and endpoint, which the caller has checked against each other. */
const erased = ({ behind, ...route }: Omit<Route, 'endpoint'> & { behind: object }): Route => ({
  ...route,
  endpoint: behind as Route['endpoint'],
});
