// Names requests are counted under: every route has one, and no request can make another.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATHS } from '../../server/app.ts';
import { createRouteNames, OTHER } from '../../server/metrics/routes.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const routeOf = createRouteNames(PATHS);

let newsroom: Newsroom;
beforeAll(async () => {
  newsroom = await openNewsroom({ now: Date.UTC(2030, 0, 1) });
});
afterAll(() => newsroom.close());

/**
 * Paths that fit the patterns of the routes, without the files: the newsroom serves its data folder as if it were the
 * widget's.
 */
function paths(): string[] {
  const patterns = newsroom.app.routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path);
  return [...new Set(patterns)]
    .filter((pattern) => !pattern.endsWith('*') && !pattern.startsWith('/store/'))
    .map((pattern) => pattern.replaceAll(/:\w+(?:\{[^/]*\})?/g, 'example'));
}

test('every route of the application has a name', () => {
  const named = paths();
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => routeOf(path) === OTHER)).toEqual([]);
});

test.each([
  ['/v2/related?apikey=a&url=https://a.example/x', '/v2/related'],
  ['/v2/top/posts', '/v2/top'],
  ['/v2/analytics/author/Ada/detail', '/v2/analytics'],
  ['/plogger/?idsite=a', '/plogger'],
  ['/example.com/ping_crawl?secret=x', '/:site/ping_crawl'],
  ['/afterword.js', '(file)'],
  ['/readyz', '/readyz'],
  ['/preview/own/page/?apikey=a', '/preview/own/page'],
  ['/thumb/example.com/x/480?of=y', '/thumb'],
  ['/api/acme/settings/apikeys', '/api'],
  ['/events/', '/events'],
  ['/v2/nothing', OTHER],
  ['/v2/', OTHER],
  ['/wp-login.php', OTHER],
  ['*', OTHER],
  ['', OTHER],
])('%s is counted as %s', (target, route) => {
  expect(routeOf(target)).toBe(route);
});

test('whatever is asked, the names are few', () => {
  const names = new Set(
    ['/v2/related', ...paths()].map(routeOf).concat(OTHER, '(file)', '/api', '/healthz', '/readyz'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webPath(),
        fc.webPath().map((path) => `/v2${path}`),
      ),
      (target) => {
        expect(names).toContain(routeOf(target));
      },
    ),
    { numRuns: 2000 },
  );
});
