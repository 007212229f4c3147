// The API below /console: the endpoints that answer a site's read secret, for the site of the session.
import type { Route } from '../http/endpoint.ts';
import { secret } from '../http/guards.ts';
import { ofSession } from './guards.ts';

export const CONSOLE_API = '/console/api';

/** The same endpoints under a path of the console, behind its guard; but for those that change something. */
export const withSession = (routes: readonly Route[]): Route[] =>
  routes
    .filter(({ method, guard, endpoint }) => method === 'GET' && guard === secret && endpoint.tool !== false)
    .map((route) => ({
      ...route,
      path: CONSOLE_API + route.path,
      guard: ofSession,
      endpoint: { ...route.endpoint, script: false, tool: false, unlisted: true },
      first: undefined,
    }));
