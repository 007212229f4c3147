// The server's face: every route and what guards it. Parts are handed in; nothing here knows a database or a clock.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { analytics } from './api/analytics.ts';
import { appHost } from './api/appHost.ts';
import { conversions } from './api/conversions.ts';
import { crawl, pingCrawl } from './api/crawl.ts';
import { details } from './api/details.ts';
import { batchDoors, doors } from './api/doors.ts';
import { exclude } from './api/exclude.ts';
import { fragment } from './api/fragment.ts';
import { metadata } from './api/metadata.ts';
import { partners } from './api/partners.ts';
import { recommendations } from './api/recommendations.ts';
import { referrers } from './api/referrers.ts';
import { search } from './api/search.ts';
import { shares } from './api/shares.ts';
import { thumbnails } from './api/thumbnails.ts';
import { top } from './api/top.ts';
import { validate } from './api/validate.ts';
import type { Deps } from './context.ts';
import { compression } from './http/compression.ts';
import { answerErrors, answerNotFound } from './http/errors.ts';
import { cors } from './http/headers.ts';
import { createHotLists, type HotLists } from './http/hotLists.ts';
import { jsonp } from './http/jsonp.ts';
import { createLastGood } from './http/lastGood.ts';
import { createLongLists } from './http/longLists.ts';
import { createBodies } from './http/readBody.ts';
import { limitReads } from './http/readRate.ts';
import { widgetFiles } from './http/widgetFiles.ts';
import { preview } from './preview/preview.ts';
import { reference } from './reference/reference.ts';

/** The whole interface as one `fetch`. */
export function createApp(deps: Deps, lists: HotLists = openLists(deps)): Hono {
  // A trailing slash makes no difference.
  const app = new Hono({ strict: false });
  app.onError(answerErrors(deps.log, deps.clock ?? deps.now));
  app.notFound(answerNotFound);

  // One bound for the bodies of all doors that read large ones.
  const bodies = createBodies();
  const lastGood = createLastGood(deps);
  for (const path of ['/openapi.json', '/docs']) app.use(path, compression);
  app.use('/v2/*', compression, cors, jsonp, limitReads(deps), lastGood.middleware, createLongLists().middleware);
  app.route('/v2', analytics(deps)); //            site's secret
  app.route('/v2', details(deps)); //              site's secret
  app.route('/v2', referrers(deps)); //            site's secret
  app.route('/v2', shares(deps)); //               site's secret
  app.route('/v2', conversions(deps)); //          site's secret
  app.route('/v2', validate(deps)); //             site's secret
  app.route('/v2', exclude(deps, [lists, lastGood])); //       site's secret
  app.route('/v2', metadata(deps, bodies)); //     site's write secret
  app.route('/v2', crawl(deps, bodies)); //        either of the site's secrets
  app.route('/v2', recommendations(deps)); //      public, where the site allows it
  app.route('/v2', search(deps)); //               public
  app.route('/v2', top(deps, lists)); //           public, where the site allows it
  app.route('/v2', fragment(deps, app, lists)); // the same two as HTML

  app.route('/', partners(deps, bodies)); //       a partner's secret
  app.route('/', appHost(deps)); //                public: asked while an app is built
  app.route('/', pingCrawl(deps, bodies)); //      either of the site's secrets
  app.route('/', doors(deps)); //                  public: traffic comes in
  app.route('/', thumbnails(deps)); //             public, by signed addresses
  app.route('/', reference(app, deps.settings)); // public: /openapi.json, /docs
  app.route('/', preview(deps, app)); //           public: /preview
  app.route('/', widgetFiles(deps.settings.widgetDir)); // public: files
  return app;
}

/** The same for node:http: lists that are ready in memory, and batches of events, before anything else looks at the request. */
export function createListener(deps: Deps, lists: HotLists = openLists(deps)): RequestListener {
  const answer = getRequestListener(createApp(deps, lists).fetch);
  const takeBatch = batchDoors(deps);
  return (request, response) => {
    if (!lists.answer(request, response) && !takeBatch(request, response)) void answer(request, response);
  };
}

/** The lists kept in memory. One set for the whole server: hiding a post empties them. */
export const openLists = ({ now, clock = now, sites, log }: Deps): HotLists =>
  createHotLists({ clock, log, allowed: (site) => sites.find(site)?.features.top === true });
