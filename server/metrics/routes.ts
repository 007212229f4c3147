// The name a request's path is counted under: from a closed list, so that no sender can invent one.

/** First segments below /v2. A test holds them against the routes there really are. */
const INTERFACE = new Set([
  'analytics',
  'conversions',
  'crawl',
  'exclude',
  'fragment',
  'history',
  'metadata',
  'profile',
  'realtime',
  'referrers',
  'related',
  'search',
  'shares',
  'similar',
  'top',
  'validate',
]);

const EXACT = new Map([
  ['/healthz', '/healthz'],
  ['/readyz', '/readyz'],
  ['/docs', '/docs'],
  ['/', '/'],
  ['/preview', '/preview'],
  ['/preview/page', '/preview/page'],
  ['/preview/check', '/preview/check'],
  ['/preview/own', '/preview/own'],
  ['/preview/own/page', '/preview/own/page'],
  ['/openapi.json', '/openapi.json'],
  ['/events', '/events'],
  ['/mobileproxy', '/mobileproxy'],
  ['/plogger', '/plogger'],
  ['/plogger/', '/plogger'],
  ['/px', '/px'],
  ['/px/', '/px'],
]);

export const OTHER = '(other)';

/**
 * @param target The request's raw target, with or without a query.
 * @returns For example `/v2/related`, `/events`, `/:site/ping_crawl`, `(file)` or `(other)`.
 */
export function routeOf(target: string): string {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  const exact = EXACT.get(path);
  if (exact !== undefined) return exact;
  if (path.startsWith('/v2/')) {
    const end = path.indexOf('/', 4);
    const first = end < 0 ? path.slice(4) : path.slice(4, end);
    return INTERFACE.has(first) ? `/v2/${first}` : OTHER;
  }
  if (path.startsWith('/api/')) return '/api';
  if (path.startsWith('/thumb/')) return '/thumb';
  if (path.endsWith('.js') && path.lastIndexOf('/') === 0) return '(file)';
  return /^\/[^/]+\/ping_crawl\/?$/.test(path) ? '/:site/ping_crawl' : OTHER;
}
