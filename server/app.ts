// The routes of the server, each with the guard that admits its requests.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { analytics, realtime } from './api/analytics.ts';
import { annotations } from './api/annotations.ts';
import { appHost } from './api/appHost.ts';
import { conversions } from './api/conversions.ts';
import { crawl } from './api/crawl.ts';
import { details } from './api/details.ts';
import { batchesFirst, events, mobileproxy, pixelSender, plogger, px, sender } from './api/doors.ts';
import { exclude } from './api/exclude.ts';
import { experiments } from './api/experiments.ts';
import { relatedFragment, topFragment, withStatus } from './api/fragment.ts';
import { frontier } from './api/frontier.ts';
import { headlines } from './api/headlines.ts';
import { lists } from './api/ledger.ts';
import { byProtocol, mcp } from './api/mcp.ts';
import { metadata } from './api/metadata.ts';
import { now } from './api/now.ts';
import { onePost } from './api/onePost.ts';
import { partners } from './api/partners.ts';
import { recommendations } from './api/recommendations.ts';
import { referrers } from './api/referrers.ts';
import { rules } from './api/rules.ts';
import { search } from './api/search.ts';
import { series } from './api/series.ts';
import { settings } from './api/settings.ts';
import { setUp } from './api/setUp.ts';
import { shares } from './api/shares.ts';
import { storedPost } from './api/storedPost.ts';
import { thumbnail } from './api/thumbnails.ts';
import { memoryFirst, top } from './api/top.ts';
import { unsubscribe } from './api/unsubscribe.ts';
import { validate } from './api/validate.ts';
import { CONSOLE_API, noStore, withSession, withShare } from './console/api.ts';
import { authenticate, CONSOLE_ROUTES } from './console/routes.ts';
import { SHARE_API, SHARE_PATH } from './console/shareGuards.ts';
import type { Deps } from './context.ts';
import { compression } from './http/compression.ts';
import { get, type Parts, post, type Route } from './http/endpoint.ts';
import { answerErrors, answerNotFound } from './http/errors.ts';
import { createGrantedRoutes } from './http/grantedRoutes.ts';
import {
  anyone,
  eitherSecret,
  inHeader,
  ofPartner,
  ofPreviewedSite,
  ofSite,
  secret,
  signed,
  writeSecret,
} from './http/guards.ts';
import { cors } from './http/headers.ts';
import type { HotLists } from './http/hotLists.ts';
import { jsonp } from './http/jsonp.ts';
import { createLongLists } from './http/longLists.ts';
import { mount } from './http/mount.ts';
import { everyone, type ProcessRoute } from './http/processRoutes.ts';
import { limitReads } from './http/readRate.ts';
import { widgetFiles } from './http/widgetFiles.ts';
import { answerUnmatched } from './http/wrongMethod.ts';
import { UNSUBSCRIBE_PATH } from './mail/unsubscribe.ts';
import type { Assistant } from './mcp/assistant.ts';
import { operator } from './metrics/door.ts';
import { once } from './once.ts';
import { createParts, openLists } from './parts.ts';
import { ownPages } from './preview/ownPages.ts';
import { preview } from './preview/preview.ts';
import { reference } from './reference/reference.ts';

/** Routes answered by the process itself, without the application. */
export const PROCESS_ROUTES = [
  { path: '/healthz', guard: everyone },
  { path: '/readyz', guard: everyone },
  { path: '/metrics', guard: operator },
] as const satisfies readonly ProcessRoute[];

const OWN_ROUTES: readonly Route[] = [
  get('/v2/analytics/posts', secret, analytics.posts),
  get('/v2/analytics/authors', secret, analytics.authors),
  get('/v2/analytics/sections', secret, analytics.sections),
  get('/v2/analytics/tags', secret, analytics.tags),
  get('/v2/analytics/referrers', secret, analytics.referrers),
  get('/v2/realtime/posts', secret, realtime.posts),
  get('/v2/realtime/authors', secret, realtime.authors),
  get('/v2/realtime/sections', secret, realtime.sections),
  get('/v2/realtime/tags', secret, realtime.tags),
  get('/v2/realtime/referrers', secret, realtime.referrers),
  get('/v2/analytics/channels', secret, analytics.channels),
  get('/v2/analytics/segments', secret, analytics.segments),
  get('/v2/analytics/campaigns', secret, analytics.campaigns),
  get('/v2/analytics/series', secret, series),
  get('/v2/analytics/now', secret, now),
  get('/v2/analytics/annotations', secret, annotations.list),
  post('/v2/annotations', writeSecret, annotations.change),
  get('/v2/analytics/setup', secret, setUp.tag),
  get('/v2/analytics/setup/posts', secret, setUp.posts),
  get('/v2/analytics/post/detail', secret, details.post),
  get('/v2/analytics/post/growth', secret, onePost.growth),
  get('/v2/analytics/post/previous', secret, onePost.previous),
  get('/v2/analytics/post/next', secret, onePost.next),
  get('/v2/analytics/videos', secret, details.videos),
  get('/v2/analytics/:meta/:value/detail', secret, details.named),
  get('/v2/referrers/post/detail', secret, referrers.post),
  get('/v2/referrers/:type', secret, referrers.ofType),
  // Clients list referrers in the same way as posts and authors.
  get('/v2/referrers/:type/referrers', secret, referrers.ofType),
  get('/v2/referrers/:type/:meta', secret, referrers.posts),
  get('/v2/referrers/:type/:meta/:value/detail', secret, referrers.named),
  get('/v2/shares/posts', secret, shares.posts),
  get('/v2/shares/authors', secret, shares.authors),
  get('/v2/shares/sections', secret, shares.sections),
  get('/v2/shares/tags', secret, shares.tags),
  get('/v2/shares/post/detail', secret, shares.post),
  get('/v2/shares/:meta/:value/detail', secret, shares.named),
  get('/v2/conversions/url', secret, conversions.byKind),
  get('/v2/conversions/url/top', secret, conversions.byUrl),
  get('/v2/lists', secret, lists),
  get('/v2/validate/secret', secret, validate),
  get('/v2/exclude/ignore', secret, exclude.ignore),
  get('/v2/exclude/include', secret, exclude.include),
  get('/v2/exclude/list', secret, exclude.list),
  get('/v2/experiments', secret, experiments.list),
  post('/v2/experiments', writeSecret, experiments.change),
  get('/v2/rules', secret, rules.list),
  post('/v2/rules', writeSecret, rules.change),
  get('/v2/headlines', secret, headlines),
  get('/v2/settings', secret, settings.read),
  post('/v2/settings', writeSecret, settings.change),
  get('/v2/frontier', secret, frontier.read),
  post('/v2/frontier', writeSecret, frontier.measure),

  get('/v2/metadata/post', secret, storedPost),
  post('/v2/metadata/:kind', writeSecret, metadata),
  get('/v2/crawl', eitherSecret, crawl),
  post('/v2/crawl', eitherSecret, crawl),
  get('/:apikey/ping_crawl', eitherSecret, crawl),
  post('/:apikey/ping_crawl', eitherSecret, crawl),

  // Public where the site allows it. Fragments are the same lists as HTML.
  get('/v2/related', ofSite, recommendations.related),
  get('/v2/similar', ofSite, recommendations.similar),
  get('/v2/profile', ofSite, recommendations.profile),
  get('/v2/history', ofSite, recommendations.history),
  get('/v2/search', ofSite, search),
  get('/v2/top/posts', ofSite, top.posts, memoryFirst),
  get('/v2/top/videos', ofSite, top.videos, memoryFirst),
  get('/v2/fragment/related', ofSite, relatedFragment(recommendations.related)),
  get('/v2/fragment/top', ofSite, topFragment(top.posts)),

  post('/events', sender, events, batchesFirst),
  post('/mobileproxy', sender, mobileproxy, batchesFirst),
  get('/plogger', pixelSender, plogger),
  get('/px', pixelSender, px),

  get('/api/:partner/settings/apikeys', ofPartner, partners.list),
  post('/api/:partner/settings/apikeys', ofPartner, partners.make),
  get('/api/:apikey/jess/sdk_config', anyone(), appHost),
  get('/thumb/:apikey/:signature/:size', signed, thumbnail),

  post('/mcp', inHeader, mcp),

  get(UNSUBSCRIBE_PATH, anyone(), unsubscribe.ask),
  post(UNSUBSCRIBE_PATH, anyone(), unsubscribe.end),

  get('/', anyone(), reference.root),
  get('/docs', anyone(), reference.docs),
  get('/openapi.json', anyone(), reference.openapi),
  get('/preview', anyone(), preview.form),
  get('/preview/page', ofPreviewedSite, preview.sample),
  get('/preview/check', ofPreviewedSite, preview.check),
  get('/preview/own', ofPreviewedSite, ownPages.state),
  get('/preview/own/page', ofPreviewedSite, ownPages.page),

  ...CONSOLE_ROUTES,
];

/** All routes of the application, with their guards. The public files of the widget are mounted as one route each. */
export const ROUTES: readonly Route[] = [...OWN_ROUTES, ...withSession(OWN_ROUTES), ...withShare(OWN_ROUTES)];

/** Paths of all routes: the labels of the request counters. Each API of the console has one. */
export const PATHS: readonly string[] = [...PROCESS_ROUTES, ...OWN_ROUTES]
  .map(({ path }) => path)
  .concat(`${CONSOLE_API}/:path`, `${SHARE_API}/:path`);

/** The whole interface as one `fetch` handler. */
export const createApp = (deps: Deps, lists: HotLists = openLists(deps)): Hono => open(deps, lists).app;

/** What a server answers with. */
export interface Front {
  listener: RequestListener;
  /** For messages that come another way than by HTTP. */
  assistant: Assistant;
}

/** The whole interface as a listener of node:http. */
export const createListener = (deps: Deps, lists: HotLists = openLists(deps)): RequestListener =>
  createFront(deps, lists).listener;

/** The whole interface. Lists held in memory and batches of events are answered before the framework. */
export function createFront(deps: Deps, lists: HotLists): Front {
  const { app, parts } = open(deps, lists);
  // A request of HTTP/1.0 may have no Host: those of monitors have none.
  const answer = getRequestListener(app.fetch, { hostname: 'localhost' });
  const openers = new Set(ROUTES.flatMap(({ first }) => first ?? []));
  const firsts = [...openers].map((opener) => {
    const routes = ROUTES.filter(({ first }) => first === opener);
    return { method: routes[0]!.method, first: opener(parts, routes) };
  });
  const listener: RequestListener = (request, response) => {
    for (const { method, first } of firsts) if (request.method === method && first(request, response)) return;
    void answer(request, response);
  };
  return { listener, assistant: parts.assistant };
}

function open(deps: Deps, lists: HotLists): { app: Hono; parts: Parts } {
  // Paths with and without a trailing slash match the same route.
  const app = new Hono({ strict: false });
  const onError = answerErrors(deps.log, deps.clock ?? deps.now);
  app.onError(onError);
  app.notFound(answerUnmatched(app));
  const rate = limitReads(deps);
  const longLists = createLongLists().middleware;
  const parts = createParts(deps, lists, {
    routes: ROUTES,
    request: async (target) => await app.request(target),
    perform: (request, caller) => (caller.mayAct ? acting : reading)()(request, caller),
  });
  // Made for the first assistant: most servers have none.
  const granted = (routes: readonly Route[]) =>
    createGrantedRoutes({ routes, parts, bounds: [rate, longLists], onError, notFound: answerNotFound });
  const acting = once(() => granted(OF_SITES));
  const reading = once(() => granted(OF_SITES.filter(readsOnly)));
  for (const path of ['/openapi.json', '/docs']) app.use(path, compression);
  app.use('/v2/*', compression, cors, jsonp, rate, longLists);
  app.use('/v2/fragment/*', withStatus);
  app.use('/mcp', compression, byProtocol(deps.settings.publicUrl), rate);
  app.use(UNSUBSCRIBE_PATH, rate);
  for (const api of [CONSOLE_API, SHARE_API]) app.use(`${api}/*`, compression, noStore, rate, longLists);
  app.use('/console/operator/*', compression, rate);
  // A session or a link that is not known is looked up in the database.
  for (const path of ['/console/session', '/console/shares/*', `${SHARE_PATH}/session`]) app.use(path, rate);
  authenticate(app, parts);
  for (const path of scriptsOutsideV2()) app.use(path, cors, jsonp);
  app.route('/', mount(ROUTES, parts));
  app.route('/', widgetFiles(deps.settings.widgetDir));
  return { app, parts };
}

/** Routes that are for one site. */
const OF_SITES: readonly Route[] = ROUTES.filter(
  ({ path, guard }) =>
    path.startsWith('/v2/') && [secret, writeSecret, eitherSecret, ofSite].some((one) => one === guard),
);

const readsOnly = ({ method, endpoint }: Route): boolean => method === 'GET' && endpoint.tool !== false;

const scriptsOutsideV2 = (): Set<string> =>
  new Set(ROUTES.flatMap(({ path, endpoint }) => (endpoint.script && !path.startsWith('/v2/') ? [path] : [])));
