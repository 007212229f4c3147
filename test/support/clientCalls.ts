// What published clients ask, call by call, as they write it, and what each of them reads in the answer. SITE and SECRET stand for
// the site's own.
import { expect } from 'vitest';

const at = (name: string) => `https://paper.example/${name}`;
export const PIER = at('pier');
const READER = 'pid=0123456789abcdef0123456789abcdef';

const record = (fields: object) => expect.objectContaining(fields);
const post = record({
  url: PIER,
  title: 'The pier',
  author: 'Ada Lovelace',
  section: 'Technology Lab',
  tags: ['r&b'],
});
const first = (fields: unknown) => ({ success: true, data: expect.arrayContaining([fields]) });

const KEYS = 'apikey=SITE&secret=SECRET&';

/** Client → call → what is asked, and what is read of the answer. */
export const CALLS: Record<string, Record<string, [target: string, reads: object]>> = {
  'python-parsely': {
    authenticated: [`/v2/analytics/posts?${KEYS}`, { success: true }],
    'analytics("posts")': [
      `/v2/analytics/posts?${KEYS}days=14&sort=_hits&limit=10&page=1&`,
      first(record({ url: PIER, _hits: 4, metrics: { views: 4 } })),
    ],
    'analytics("authors")': [
      `/v2/analytics/authors?${KEYS}days=14&sort=_hits&limit=10&page=1&`,
      first(record({ author: 'Ada Lovelace', _hits: 6 })),
    ],
    'analytics("sections")': [
      `/v2/analytics/sections?${KEYS}days=14&limit=10&`,
      first(record({ section: 'Technology Lab', _hits: 6 })),
    ],
    'analytics("tags")': [`/v2/analytics/tags?${KEYS}days=14&limit=10&`, first(record({ tag: 'r&b', _hits: 6 }))],
    'analytics with dates': [`/v2/analytics/posts?${KEYS}period_start=2040-03-18&period_end=2040-03-20&`, first(post)],
    post_detail: [
      `/v2/analytics/post/detail?${KEYS}url=${PIER}&`,
      { success: true, data: [record({ url: PIER, _hits: 4 })] },
    ],
    'meta_detail("author")': [`/v2/analytics/author/Ada%20Lovelace/detail?${KEYS}days=14&`, first(post)],
    'referrers("social")': [
      `/v2/referrers/social?${KEYS}days=3&`,
      first(record({ name: 'facebook.com', type: 'social', _hits: 3 })),
    ],
    'referrers("search", domain)': [
      `/v2/referrers/search?${KEYS}domain=google&days=3&`,
      first(record({ name: 'google', _hits: 2 })),
    ],
    'referrers_meta("social", "posts")': [
      `/v2/referrers/social/posts?${KEYS}days=3&`,
      first(record({ url: PIER, metrics: { referrers_views: 3 } })),
    ],
    'referrers_meta("social", "authors")': [
      `/v2/referrers/social/authors?${KEYS}days=3&`,
      first(record({ author: 'Ada Lovelace' })),
    ],
    'referrers_meta_detail("author")': [
      `/v2/referrers/social/author/Ada%20Lovelace/detail?${KEYS}days=3&`,
      first(post),
    ],
    referrers_post_detail: [
      `/v2/referrers/post/detail?${KEYS}days=3&url=${PIER}&`,
      first(record({ name: 'facebook.com', _hits: 3 })),
    ],
    'shares("posts")': [
      `/v2/shares/posts?${KEYS}pub_days=14&limit=10&page=1&`,
      first(record({ url: PIER, _shares: 1 })),
    ],
    'shares("authors")': [
      `/v2/shares/authors?${KEYS}pub_days=14&limit=10&page=1&`,
      first(record({ author: 'Ada Lovelace' })),
    ],
    'shares(post)': [
      `/v2/shares/post/detail?${KEYS}url=${PIER}&`,
      { data: [{ tw: 1, fb: 0, li: 0, pi: 0, total: 1 }] },
    ],
    'realtime(per=5 minutes)': [
      `/v2/realtime/posts?${KEYS}limit=100&page=1&time=5m&`,
      first(record({ url: PIER, _hits: 3 })),
    ],
    'realtime("authors", per=1 hour)': [
      `/v2/realtime/authors?${KEYS}limit=10&page=1&time=1h&`,
      first(record({ author: 'Ada Lovelace', _hits: 5 })),
    ],
    'realtime("referrers")': [
      `/v2/realtime/referrers?${KEYS}limit=50&page=1&time=1h&`,
      first(record({ name: 'facebook.com', type: 'social' })),
    ],
    'analytics("posts", time), as older versions ask': [
      `/v2/analytics/posts?${KEYS}time=5m&`,
      first(record({ url: PIER, _hits: 3 })),
    ],
    related: [`/v2/related?${KEYS}url=${PIER}&days=14&limit=10&page=1&`, first(record({ url: at('rope') }))],
    search: [`/v2/search?${KEYS}q=lantern&limit=10&page=1&`, first(record({ url: at('lantern') }))],
    'User.train': [`/v2/profile?${KEYS}uuid=${READER}&url=${PIER}&`, { success: true }],
    'User.history': [`/v2/history?${KEYS}uuid=${READER}&`, { data: record({ uuid: READER }) }],
    'User.related': [
      `/v2/related?${KEYS}uuid=${READER}&days=14&limit=10&page=1&`,
      { success: true, data: expect.any(Array) },
    ],
  },
  'js-parsely, by JSON-P': {
    authenticate: [`/v2/analytics/posts?${KEYS}callback=_parsely_callback&`, { success: true }],
    analytics: [
      `/v2/analytics/posts?${KEYS}days=14&limit=10&page=1&sort=_hits&callback=_parsely_callback&`,
      first(post),
    ],
    'analytics with a Date': [
      `/v2/analytics/posts?${KEYS}period_start=2040-3-1&period_end=2040-3-20&callback=_parsely_callback&`,
      first(post),
    ],
    related: [
      `/v2/related?${KEYS}url=${PIER}&days=14&limit=10&page=1&sort=_hits&callback=_parsely_callback&`,
      first(record({ url: at('rope') })),
    ],
    search: [`/v2/search?${KEYS}q=pier&days=14&limit=10&page=1&sort=_hits&callback=_parsely_callback&`, first(post)],
    'a wrong secret': [
      '/v2/analytics/posts?apikey=SITE&secret=wrong&callback=_parsely_callback&',
      { code: 403, message: 'Forbidden', success: false },
    ],
  },
  'java-parsely': {
    'metaDetail, with + for a space': [
      `/v2/analytics/section/Technology+Lab/detail?${KEYS}days=14&limit=10&page=1&sort=_hits`,
      first(post),
    ],
    'referrersMetaDetail, with + for a space': [
      `/v2/referrers/social/author/Ada+Lovelace/detail?${KEYS}days=14`,
      first(post),
    ],
    'related with its default sort': [
      `/v2/related?${KEYS}sort=_hits&limit=10&url=https%3A%2F%2Fpaper.example%2Fpier`,
      first(record({ url: at('rope') })),
    ],
  },
  'node-parsely': {
    search: [`/v2/search?apikey=SITE&q=pier&limit=10&page=1&secret=SECRET`, first(post)],
    'analytics.authorDetail': [
      `/v2/analytics/author/Ada%20Lovelace/detail?apikey=SITE&days=3&secret=SECRET`,
      first(post),
    ],
    track: [
      `/plogger?idsite=SITE&action=pageview&url=${encodeURIComponent(at('rope'))}&date=2040-03-20T11%3A59%3A00.000Z&ip_address=198.51.100.7&rand=1`,
      {},
    ],
  },
  'R, parsely': {
    ly_posts: [
      `/v2/analytics/posts?apikey=SITE&secret=SECRET&limit=100&page=1`,
      { ...first(post), links: record({ next: null }) },
    ],
    ly_referrers: [
      `/v2/referrers/search?apikey=SITE&secret=SECRET&limit=100&page=1&start=2040-03-18`,
      { ...first(record({ name: 'google' })), links: record({ next: null }) },
    ],
  },
  'parsely-mcp': {
    getAnalytics: [`/v2/analytics/tags?${KEYS}days=7&limit=10`, first(record({ name: 'r&b' }))],
    search: [`/v2/search?${KEYS}q=pier&limit=10`, first(post)],
    getShares: [`/v2/shares/posts?${KEYS}days=7&limit=10`, first(record({ url: PIER, metrics: { shares: 1 } }))],
  },
  'Slack bots': {
    'trending in five minutes': [
      `/v2/realtime/posts?${KEYS}limit=100&page=1&time=5m&`,
      first(record({ metrics: { views: 3 } })),
    ],
    'most social posts': [
      `/v2/analytics/posts?${KEYS}sort=social_referrals&limit=5`,
      first(record({ metrics: record({ social_referrals: 3 }) })),
    ],
    'shares of a post': [`/v2/shares/post/detail?${KEYS}url=${PIER}`, first(record({ tw: 1, fb: 0 }))],
  },
  'wp-parsely': {
    'check of credentials': [`/v2/validate/secret?${KEYS}`, { success: true }],
    'check of a wrong secret': [
      '/v2/validate/secret?apikey=SITE&secret=wrong',
      { code: 403, message: 'Forbidden', success: false },
    ],
    'posts of the dashboard': [
      `/v2/analytics/posts?${KEYS}limit=5&period_start=7d&sort=avg_engaged`,
      first(record({ metrics: record({ avg_engaged: expect.any(Number) }) })),
    ],
    'views of the list of posts': [
      `/v2/analytics/posts?${KEYS}limit=2000&period_start=2040-03-14T00%3A00&pub_date_start=2040-03-18&pub_date_end=2040-03-18`,
      first(post),
    ],
    'statistics of the posts of a screen': [
      `/v2/analytics/posts?${KEYS}period_start=30d&limit=2&sort=views&page=1&url=${encodeURIComponent(at('lantern'))}&url=${encodeURIComponent(PIER)}`,
      {
        data: [
          record({
            url: PIER,
            metrics: { views: 4, visitors: 4, avg_engaged: 0.25, recirculation_rate: 0 },
          }),
          record({ url: at('lantern'), metrics: record({ views: 1, visitors: 1 }) }),
        ],
      },
    ],
    'posts of an author, beside the editor': [
      `/v2/analytics/posts?limit=5&period_start=7d&sort=views&page=1&author%5B0%5D=Grace%20Hopper&${KEYS}`,
      { data: [] },
    ],
    'posts by readers from search engines': [
      `/v2/analytics/posts?${KEYS}limit=5&page=1&period_start=7d&sort=search_refs`,
      {
        data: [
          record({ url: at('lantern'), _hits: 1, metrics: { search_refs: 1 } }),
          record({ url: PIER, _hits: 4, metrics: { search_refs: 1 } }),
          record({ url: at('rope'), metrics: { search_refs: 0 } }),
        ],
        meta: { metrics: ['search_refs'], sort: 'search_refs' },
      },
    ],
    'statistics of a post': [
      `/v2/analytics/post/detail?${KEYS}period_end=2040-03-20T23%3A59&period_start=2040-03-13&url=${PIER}`,
      { data: [record({ avg_engaged: 0.25, metrics: record({ views: 4 }) })] },
    ],
    'referrers of a post': [
      `/v2/referrers/post/detail?${KEYS}period_start=7d&url=${PIER}`,
      first(record({ type: 'social', name: 'facebook.com', metrics: { referrers_views: 3 } })),
    ],
    'recommendations block': [
      `/v2/related?apikey=SITE&boost=views&limit=3&sort=score&url=${PIER}&itm_source=wp-parsely-recommendations-block`,
      first(record({ url: at('rope'), thumb_url_medium: at('rope.jpg'), image_url: at('rope.jpg') })),
    ],
    'the widget, personalised by the cookie': [
      `/v2/related?apikey=SITE&sort=score&limit=5&boost=views&uuid=${encodeURIComponent(READER)}`,
      { success: true, data: expect.any(Array) },
    ],
    'conversions of a post': [
      `/v2/conversions/url?${KEYS}url=${PIER}`,
      first(
        record({
          conversion_metrics: expect.arrayContaining([
            record({ conversion_type: 'purchase', conversion_label: 'year', conversions: 1, converting_visitors: 1 }),
          ]),
        }),
      ),
    ],
  },
  'the older widget’s script': {
    'top list': ['/v2/top/posts?apikey=SITE&limit=10&callback=jQuery321_1690&_=1690', first(post)],
  },
  'the AMP component': {
    pixel: [
      `/plogger/?rand=1&idsite=SITE&url=${encodeURIComponent(at('rope/amp'))}&urlref=&screen=390x844%7C390x844%7C24&title=Rope&date=2040-03-20T11%3A59%3A30Z&ampid=amp-1&action=pageview&metadata={%22canonical_url%22:%22${encodeURIComponent(at('rope'))}%22}`,
      {},
    ],
  },
};
