// The routes once more, for callers that were admitted by another door: the same endpoints, parameters and limits,
// without the guards.
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Site } from '../sites/site.ts';
import type { Parts, Route } from './endpoint.ts';
import { mount } from './mount.ts';

/** The site that was admitted, among the bindings of a request, which come from this process alone. */
interface Granted {
  granted?: Site;
}

/** Whether the caller was admitted for this site by another door, which has seen a secret that reads. */
export const isGranted = ({ env }: Pick<Context, 'env'>, { id }: Site): boolean =>
  (env as Granted | undefined)?.granted?.id === id;

export interface GrantedOptions {
  /** Each of them for one site. */
  routes: readonly Route[];
  parts: Parts;
  /** Bounds that the routes have elsewhere. */
  bounds: readonly MiddlewareHandler[];
  onError: Parameters<Hono['onError']>[0];
  notFound: Parameters<Hono['notFound']>[0];
}

/** @returns Answers a request for a site. `env` has the bindings of the request that the caller sent. */
export function createGrantedRoutes({ routes, parts, bounds, onError, notFound }: GrantedOptions) {
  const app = new Hono({ strict: false });
  app.onError(onError);
  app.notFound(notFound);
  for (const bound of bounds) app.use('*', bound);
  const admit = ({ c }: { c: { env: unknown } }) => {
    const { granted } = c.env as Granted;
    return granted && { site: granted };
  };
  app.route('/', mount(routes, parts, admit));
  return async (request: Request, { site, env = {} }: { site: Site; env?: object | undefined }): Promise<Response> =>
    await app.fetch(request, { ...env, granted: site } satisfies Granted);
}
