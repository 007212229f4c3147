// The API below /console: endpoints of a site, for the site of the session. Those that read are what they are
// elsewhere. Those that change something take a POST with the token of a session that may act.
import type { MiddlewareHandler } from 'hono';
import type { Route } from '../http/endpoint.ts';
import { eitherSecret, type Guard, ofSite, secret, writeSecret } from '../http/guards.ts';
import { cacheControl } from '../http/headers.ts';
import { ofActingSession, ofSession, ofSessionAlone } from './guards.ts';
import { SHARED_PATHS } from './scope.ts';
import { ofShare, SHARE_API } from './shareGuards.ts';

export const CONSOLE_API = '/console/api';

const isOf = ({ path, guard, endpoint }: Route, guards: readonly Guard[]): boolean =>
  path.startsWith('/v2/') && endpoint.answers === undefined && guards.includes(guard);

const reads = (route: Route): boolean =>
  route.method === 'GET' && route.endpoint.tool !== false && isOf(route, [secret, ofSite]);

const changes = (route: Route): boolean =>
  (route.method === 'POST' && isOf(route, [writeSecret, eitherSecret])) ||
  (route.endpoint.changes === true && isOf(route, [secret]));

/** What is public elsewhere is for the site of a session here, which no address says: nothing but the page keeps it. */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', cacheControl('private'));
  c.header('ETag', undefined);
};

const below = (route: Route, method: Route['method'], guard: Guard, root: string = CONSOLE_API): Route => ({
  ...route,
  method,
  path: root + route.path,
  guard,
  endpoint: { ...route.endpoint, script: false, tool: false, unlisted: true },
  first: undefined,
});

/** The endpoints of sites under a path of the console, behind its guards. */
export const withSession = (routes: readonly Route[]): Route[] => [
  ...routes.filter(reads).map((route) => below(route, 'GET', route.guard.keepsLists ? ofSession : ofSessionAlone)),
  ...routes.filter(changes).map((route) => below(route, 'POST', ofActingSession)),
];

/** The endpoints that a link to a view can need, under its own path. */
export const withShare = (routes: readonly Route[]): Route[] =>
  routes
    .filter((route) => reads(route) && SHARED_PATHS.includes(route.path))
    .map((route) => below(route, 'GET', ofShare(route.path), SHARE_API));
