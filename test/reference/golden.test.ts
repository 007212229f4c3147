// One whole answer of every operation, letter by letter: status, headers and body stand in `golden.txt`, reviewed by
// hand against the interface. An operation without a line there fails. `npx vitest run test/reference/golden.test.ts
// -u` writes the file anew.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import { toOpenApi } from '../../server/reference/openapi.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { openSmallPaper } from '../support/smallPaper.ts';

const PARTNER_SECRET = 'of-the-agency';

let room: Newsroom;

beforeEach(async () => {
  room = await openSmallPaper();
  await room.deps.partners.add({
    name: 'agency',
    secretHash: hashSecret(PARTNER_SECRET),
    createdAt: room.site.createdAt,
  });
});

afterEach(() => room.close());

const SITE = 'apikey=paper.example';
const KEYS = `${SITE}&secret=SECRET`;
const A = 'url=https%3A%2F%2Fpaper.example%2Fa';

interface Asked {
  /** As it stands in the reference document. */
  operation: string;
  target: string;
  body?: object | string;
  /** Sent as `Authorization: Bearer`. */
  bearer?: string;
}

const get = (path: string, query: string, more = ''): Asked => ({
  operation: `GET ${path}`,
  target: `${path}?${query}${more && `&${more}`}`,
});

/** An operation whose path has parts. */
const at = (operation: string, target: string): Asked => ({ operation, target });

const event = {
  idsite: 'paper.example',
  action: 'pageview',
  url: 'https://paper.example/b',
  data: { parsely_site_uuid: 'r' },
};

const EXPERIMENT = {
  name: 'grid-or-list',
  slot: 'after-article',
  variants: [
    { name: 'control', share: 50 },
    { name: 'grid', share: 50, layout: 'grid', heading: 'Read on' },
  ],
};

/** In this order: reading, writing, hiding. */
const ASKED: Asked[] = [
  get('/v2/analytics/posts', KEYS),
  get('/v2/analytics/posts', KEYS, 'sort=avg_engaged&limit=1&page=2'),
  get('/v2/analytics/posts', KEYS, 'limit=1&callback=show'),
  get('/v2/analytics/posts', KEYS, 'limit=1&time=24h'),
  get('/v2/analytics/posts', KEYS, 'period_start=2040-03-20T14:30:00Z&period_end=2040-03-20T16:00%2B01'),
  get('/v2/analytics/posts', KEYS, 'limit=1&page=9'),
  get('/v2/analytics/posts', KEYS, 'limit=1&sort=hits&metrics=visitors,avg_engaged_time'),
  get('/v2/analytics/authors', KEYS, 'sort=visitors'),
  get('/v2/analytics/sections', KEYS),
  get('/v2/analytics/tags', KEYS),
  get('/v2/analytics/referrers', KEYS),
  get('/v2/analytics/channels', KEYS),
  get('/v2/analytics/campaigns', KEYS),
  get('/v2/analytics/segments', KEYS),
  get('/v2/analytics/videos', KEYS),
  get('/v2/analytics/post/detail', KEYS, A),
  get('/v2/analytics/post/detail', KEYS, `${A}&sort=engaged_minutes&segment=members`),
  at('GET /v2/analytics/{meta}/{value}/detail', `/v2/analytics/tag/a%2Fb/detail?${KEYS}`),
  get('/v2/analytics/posts', KEYS, 'sort=social_referrals'),
  get('/v2/analytics/series', KEYS, 'days=2&metrics=views,visitors&compare=previous'),
  get('/v2/analytics/series', KEYS, 'interval=minute&days=5'),
  get('/v2/analytics/now', KEYS, 'posts=2'),
  get('/v2/analytics/setup', KEYS),
  get('/v2/analytics/setup/posts', KEYS),
  get('/v2/realtime/posts', KEYS),
  get('/v2/realtime/authors', KEYS),
  get('/v2/realtime/sections', KEYS),
  get('/v2/realtime/tags', KEYS),
  get('/v2/realtime/referrers', KEYS),
  at('GET /v2/referrers/{type}', `/v2/referrers/search?${KEYS}`),
  at('GET /v2/referrers/{type}/referrers', `/v2/referrers/social/referrers?${KEYS}`),
  at('GET /v2/referrers/{type}/{meta}', `/v2/referrers/search/posts?${KEYS}`),
  at('GET /v2/referrers/{type}/{meta}', `/v2/referrers/search/authors?${KEYS}`),
  at('GET /v2/referrers/{type}/{meta}/{value}/detail', `/v2/referrers/search/section/World/detail?${KEYS}`),
  get('/v2/analytics/post/growth', KEYS, A),
  get('/v2/analytics/post/previous', KEYS, A),
  get('/v2/analytics/post/next', KEYS, A),
  get('/v2/metadata/post', KEYS, A),
  get('/v2/referrers/post/detail', KEYS, A),
  get('/v2/shares/posts', KEYS),
  get('/v2/shares/authors', KEYS),
  get('/v2/shares/sections', KEYS),
  get('/v2/shares/tags', KEYS),
  get('/v2/shares/post/detail', KEYS, A),
  at('GET /v2/shares/{meta}/{value}/detail', `/v2/shares/author/Bob/detail?${KEYS}`),
  get('/v2/conversions/url', KEYS),
  get('/v2/conversions/url', KEYS, `${A}&attribution_type=linear`),
  get('/v2/conversions/url/top', KEYS, 'page_type=index'),
  get('/v2/conversions/url/top', KEYS),
  get('/v2/lists', KEYS),
  get('/v2/lists', KEYS, 'group=post&sort=seen'),
  get('/v2/top/posts', SITE),
  get('/v2/top/videos', SITE, 'days=3'),
  get('/v2/related', SITE, A),
  get('/v2/related', SITE, `${A}&sort=_hits`),
  get('/v2/similar', SITE, A),
  get('/v2/search', SITE, 'q=a'),
  get('/v2/profile', SITE, `uuid=reader&${A}-old`),
  get('/v2/history', SITE, 'uuid=reader'),
  get('/v2/validate/secret', KEYS),
  { ...get('/v2/analytics/posts', SITE, 'limit=1'), bearer: 'SECRET' },
  // Refusals.
  get('/v2/validate/secret', SITE, 'secret=wrong'),
  at('GET /v2/{unknown}', `/v2/nothing?${KEYS}`),
  get('/v2/analytics/posts', KEYS, 'page=x&limit=0'),
  get('/v2/analytics/posts', KEYS, 'limit=2000&page=2'),
  get('/v2/related', SITE, 'sort=views'),
  get('/v2/analytics/posts', KEYS, 'time=0m&period_start=0d'),
  get('/v2/analytics/posts', KEYS, 'period_start=2040-01-01&period_end=2040-03-31'),
  // Writing.
  {
    operation: 'POST /v2/metadata/{kind}',
    target: '/v2/metadata/posts',
    body: {
      apikey: 'paper.example',
      secret: 'WRITE',
      metadata: { canonical_url: 'https://paper.example/b', title: 'B' },
    },
  },
  {
    operation: 'POST /v2/metadata/{kind}',
    target: '/v2/metadata/posts',
    body: { apikey: 'paper.example', secret: 'WRITE', metadata: { canonical_url: '/b', tags: 7 } },
  },
  {
    operation: 'POST /v2/metadata/{kind}',
    target: '/v2/metadata/posts',
    body: {
      apikey: 'paper.example',
      secret: 'WRITE',
      metadata: { canonical_url: 'https://paper.example/b', title: 'Don&#8217;t &amp;amp;' },
    },
  },
  get('/v2/analytics/post/detail', KEYS, 'url=https%3A%2F%2Fpaper.example%2Fb'),
  at('GET /v2/crawl', `/v2/crawl?${KEYS}&${A}`),
  {
    operation: 'POST /v2/crawl',
    target: '/v2/crawl',
    body: { apikey: 'paper.example', secret: 'SECRET', url: 'https://paper.example/a' },
  },
  at(
    'GET /thumb/{apikey}/{signature}/{size}',
    '/thumb/paper.example/AAAAAAAAAAAAAAAAAAAAAA/480?of=https%3A%2F%2Fa.example%2Fb.jpg',
  ),
  at('GET /{apikey}/ping_crawl', `/paper.example/ping_crawl?secret=WRITE&${A}`),
  { operation: 'POST /{apikey}/ping_crawl', target: `/paper.example/ping_crawl?secret=WRITE&${A}`, body: '' },
  {
    operation: 'POST /api/{partner}/settings/apikeys',
    target: `/api/agency/settings/apikeys?secret=${PARTNER_SECRET}`,
    body: { apikey: 'customer.example', timezone: 'Europe/Madrid' },
  },
  at('GET /api/{partner}/settings/apikeys', `/api/agency/settings/apikeys?secret=${PARTNER_SECRET}`),
  at('GET /api/{apikey}/jess/sdk_config', '/api/paper.example/jess/sdk_config/'),
  at('GET /api/{apikey}/jess/sdk_config', '/api/other.example/jess/sdk_config/'),
  { operation: 'POST /events', target: '/events', body: { events: [event] } },
  { operation: 'POST /mobileproxy', target: '/mobileproxy', body: { events: [event] } },
  at('GET /plogger', '/plogger/?idsite=paper.example&action=pageview&url=https%3A%2F%2Fpaper.example%2Fb'),
  at('GET /px', '/px/'),
  ...([{ add: EXPERIMENT }, { add: { ...EXPERIMENT, name: 'again' } }, { stop: EXPERIMENT.name }] as const).map(
    (change) => ({
      operation: 'POST /v2/experiments',
      target: '/v2/experiments',
      body: { apikey: 'paper.example', secret: 'WRITE', ...change },
    }),
  ),
  get('/v2/experiments', KEYS),
  ...[
    { set: { name: 'opinion', rules: [{ hide: { section: 'Opinion' }, until: '2040-04-01' }] } },
    { set: { name: 'none', rules: [] } },
    { remove: 'gone' },
  ].map((change) => ({
    operation: 'POST /v2/rules',
    target: '/v2/rules',
    body: { apikey: 'paper.example', secret: 'WRITE', ...change },
  })),
  get('/v2/rules', KEYS),
  get('/v2/headlines', KEYS),
  {
    operation: 'POST /v2/settings',
    target: '/v2/settings',
    body: { apikey: 'paper.example', secret: 'WRITE', dials: { mix: 0.5, freshness: null } },
  },
  get('/v2/settings', KEYS),
  get('/v2/frontier', KEYS),
  {
    operation: 'POST /v2/frontier',
    target: '/v2/frontier',
    body: { apikey: 'paper.example', secret: 'WRITE' },
  },
  ...[
    { kind: 'deploy', label: '<b>New front page</b>', date: '2040-03-20T09:30' },
    { label: 'Two\nlines', kind: 'published' },
  ].map((annotation) => ({
    operation: 'POST /v2/annotations',
    target: '/v2/annotations',
    body: { apikey: 'paper.example', secret: 'WRITE', ...annotation },
  })),
  get('/v2/analytics/annotations', KEYS, 'limit=2'),
  // Hiding.
  get('/v2/exclude/ignore', KEYS, A),
  get('/v2/exclude/list', KEYS),
  get('/v2/exclude/include', KEYS, A),
];

/** HTML, with tests of its own. */
const PAGES = [
  'GET /',
  'GET /docs',
  'GET /preview',
  'GET /preview/page',
  'GET /preview/check',
  'GET /preview/own',
  'GET /preview/own/page',
  'GET /v2/fragment/related',
  'GET /v2/fragment/top',
];

const HEADERS = ['content-type', 'cache-control', 'access-control-allow-origin', 'deprecation', 'link', 'etag', 'vary'];

async function answerOf({ operation, target, body, bearer }: Asked): Promise<string> {
  const fill = (text: string) => text.replaceAll('SECRET', room.secret).replaceAll('WRITE', room.writeSecret);
  const response = await room.app.request(`http://stats.example${fill(target)}`, {
    method: operation.split(' ')[0]!,
    ...(body !== undefined && { body: fill(typeof body === 'string' ? body : JSON.stringify(body)) }),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(bearer !== undefined && { Authorization: `Bearer ${fill(bearer)}` }),
    },
  });
  const type = response.headers.get('Content-Type') ?? '';
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = type.startsWith('image/') ? `${bytes.length} bytes` : bytes.toString();
  const headers = HEADERS.flatMap((name) =>
    response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
  );
  const masked = [...headers, '', text]
    .join('\n')
    .replaceAll(room.secret, 'SECRET')
    .replace(/"(secret|write_secret)":"\w+"/g, '"$1":"…"');
  const said = body === undefined ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body)}`;
  const header = bearer === undefined ? '' : `\nauthorization: Bearer ${bearer}`;
  return `> ${operation.split(' ')[0]} ${target}${header}${said}\n${response.status}\n${masked}\n`;
}

test('every operation has a golden answer', () => {
  const { paths } = toOpenApi(ROUTES);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const asked = ASKED.map(({ operation }) => operation);
  expect(operations.filter((operation) => !asked.includes(operation) && !PAGES.includes(operation))).toEqual([]);
});

test('every answer is golden', async () => {
  const answers: string[] = [];
  for (const asked of ASKED) answers.push(await answerOf(asked));
  await expect(answers.join('\n')).toMatchFileSnapshot('golden.txt');
});
