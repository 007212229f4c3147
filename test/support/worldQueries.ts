// Random questions about worlds: as a request to the interface, and as the same question to the naive counter.
import fc from 'fast-check';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import type { Post } from '../../server/posts/post.ts';
import { METRIC_NAMES } from '../../server/traffic/metrics.ts';
import type { NaiveQuestion } from './naiveCounter.ts';
import { AUTHORS, CAMPAIGNS, CHANNELS, SECTIONS, SEGMENTS, TAGS, WORLD_NOW } from './worlds.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface WorldQuery {
  path: string;
  params: Record<string, string | readonly string[]>;
  naive: NaiveQuestion;
}

interface Time {
  params: Record<string, string>;
  within(event: EventRow): boolean;
}

const since =
  (start: number, end = WORLD_NOW) =>
  ({ time }: EventRow) =>
    time >= start && time <= end;
const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
const day = (ago: number) => new Date(WORLD_NOW - ago * DAY).toISOString().slice(0, 10);

const time: fc.Arbitrary<Time> = fc.oneof(
  fc.constant({ params: {}, within: since(WORLD_NOW - 3 * DAY) }),
  fc
    .integer({ min: 1, max: 90 })
    .map((days) => ({ params: { days: String(days) }, within: since(WORLD_NOW - days * DAY) })),
  fc
    .record({ from: fc.integer({ min: 1, max: 400 }), length: fc.integer({ min: 0, max: 400 }) })
    .map(({ from, length }) => {
      const [start, end] = [WORLD_NOW - from * HOUR, WORLD_NOW - Math.max(from - length, 0) * HOUR];
      return { params: { period_start: iso(start), period_end: iso(end) }, within: since(start, end) };
    }),
  fc
    .record({ from: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 0, max: 40 }) })
    .map(({ from, length }) => {
      const [first, last] = [day(from), day(Math.max(from - length, 0))];
      const within = (event: EventRow) => event.day >= first && event.day <= last;
      return { params: { period_start: first, period_end: last }, within };
    }),
);

const few = (values: readonly string[]) =>
  fc.oneof(
    { arbitrary: fc.constant<string[]>([]), weight: 4 },
    fc.subarray([...values], { minLength: 1, maxLength: 2 }),
  );
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, arbitrary);

const postFilters = fc
  .record({
    author: few(AUTHORS),
    tag: few(TAGS),
    section: few(SECTIONS.filter((name) => name !== '')),
    publishedSince: maybe(fc.integer({ min: 0, max: 12 })),
  })
  .map(({ author, tag, section, publishedSince }) => {
    const start = publishedSince === undefined ? undefined : WORLD_NOW - publishedSince * DAY;
    const isPublished = ({ pubDate }: Post) =>
      pubDate === null ? start === undefined : pubDate <= WORLD_NOW && (start === undefined || pubDate >= start);
    const params = { author, tag, section, ...(start !== undefined && { pub_date_start: iso(start) }) };
    const passes = (post: Post) =>
      author.every((name) => post.authors.includes(name)) &&
      tag.every((name) => post.tags.includes(name)) &&
      (section.length === 0 || section.includes(post.section)) &&
      isPublished(post);
    return { params, passes };
  });

const eventFilters = fc
  .record({
    channel: maybe(fc.constantFrom(...CHANNELS)),
    segment: maybe(fc.constantFrom(...SEGMENTS)),
    campaign_id: maybe(fc.constantFrom(...CAMPAIGNS)),
    campaign_term: maybe(fc.constantFrom(...CAMPAIGNS)),
  })
  .map((filters) => {
    const params = Object.fromEntries(
      Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const passes = (event: EventRow) =>
      (filters.channel === undefined || event.channel === filters.channel) &&
      (filters.segment === undefined || event.segments.includes(filters.segment)) &&
      (filters.campaign_id === undefined || event.campaignId === filters.campaign_id) &&
      (filters.campaign_term === undefined || event.campaignTerm === filters.campaign_term);
    return { params, passes };
  });

const sort = fc.constantFrom(...METRIC_NAMES);

export const postsQuery: fc.Arbitrary<WorldQuery> = fc
  .record({ time, sort, posts: postFilters, events: eventFilters })
  .map(({ time, sort, posts, events }) => ({
    path: '/analytics/posts',
    params: { ...time.params, sort, ...posts.params, ...events.params },
    naive: { list: 'post', within: time.within, sort, post: posts.passes, event: events.passes },
  }));

const namesQuery: fc.Arbitrary<WorldQuery> = fc
  .record({ time, sort, list: fc.constantFrom('author', 'section', 'tag') })
  .map(({ time, sort, list }) => ({
    path: `/analytics/${list}s`,
    params: { ...time.params, sort },
    naive: { list, within: time.within, sort },
  }));

const facetsQuery: fc.Arbitrary<WorldQuery> = fc
  .record({ time, sort, list: fc.constantFrom('channel', 'segment', 'campaign', 'term', 'referrer') })
  .map(({ time, sort, list }) => ({
    path: `/analytics/${list === 'term' ? 'campaign' : list}s`,
    params: { ...time.params, sort, ...(list === 'term' && { campaign_key: 'term' }) },
    naive: { list: list === 'term' ? 'campaign' : list, within: time.within, sort, values: VALUES[list] },
  }));

const some = (value: string) => (value === '' ? [] : [value]);
const VALUES = {
  channel: (event: EventRow) => [event.channel],
  segment: (event: EventRow) => event.segments,
  campaign: (event: EventRow) => some(event.campaignId),
  term: (event: EventRow) => some(event.campaignTerm),
  referrer: (event: EventRow) => [event.referrerType === 'direct' ? 'direct' : event.referrer],
};

const referrersQuery: fc.Arbitrary<WorldQuery> = fc
  .record({
    time,
    type: fc.constantFrom('search', 'social', 'other', 'internal'),
    posts: maybe(postFilters),
    domain: maybe(fc.constantFrom('google', 'facebook')),
  })
  .map(({ time, type, posts, domain }) => {
    const { author: _, ...params } = posts?.params ?? { author: [] };
    const event = ({ referrerType, referrer }: EventRow) =>
      referrerType === type && (domain === undefined || referrer === domain);
    // Without a filter on posts, pages nobody described count too.
    const narrows = Object.values(params).some((value) => value.length > 0);
    return {
      path: `/referrers/${type}`,
      params: { ...time.params, ...params, ...(domain && { domain }) },
      naive: {
        list: 'referrer',
        within: time.within,
        sort: 'views',
        event,
        post: narrows ? (post) => posts!.passes({ ...post, authors: posts!.params.author }) : undefined,
        values: ({ referrer }) => [referrer],
      },
    };
  });

const referredQuery: fc.Arbitrary<WorldQuery> = fc
  .record({
    time,
    type: fc.constantFrom('search', 'social'),
    list: fc.constantFrom('post', 'author', 'section', 'tag'),
    section: few(['World', '政治']),
  })
  .map(({ time, type, list, section }) => ({
    path: `/referrers/${type}/${list}s`,
    params: { ...time.params, section },
    naive: {
      list,
      within: time.within,
      sort: 'views',
      event: ({ referrerType }) => referrerType === type,
      ...(section.length > 0 && {
        post: ({ section: name, pubDate }: Post) =>
          section.includes(name) && (pubDate === null || pubDate <= WORLD_NOW),
      }),
    },
  }));

const sharesQuery: fc.Arbitrary<WorldQuery> = fc.option(time, { nil: undefined }).map((time) => ({
  path: '/shares/posts',
  params: time && Object.keys(time.params).length > 0 ? time.params : {},
  naive: {
    list: 'post',
    within: time && Object.keys(time.params).length > 0 ? time.within : () => true,
    sort: 'social_interactions',
    post: ({ pubDate }) => pubDate === null || pubDate <= WORLD_NOW,
    nonZero: true,
  },
}));

const detailQuery: fc.Arbitrary<WorldQuery> = fc
  .record({ time, meta: fc.constantFrom('author', 'section', 'tag'), n: fc.nat() })
  .map(({ time, meta, n }) => {
    const names = { author: AUTHORS, section: SECTIONS.filter((name) => name !== ''), tag: TAGS }[meta];
    const name = names[n % names.length]!;
    const isPublished = ({ pubDate }: Post) => pubDate === null || pubDate <= WORLD_NOW;
    const has = (post: Post) =>
      meta === 'author'
        ? post.authors.includes(name)
        : meta === 'tag'
          ? post.tags.includes(name)
          : post.section === name;
    return {
      path: `/analytics/${meta}/${encodeURIComponent(name)}/detail`,
      params: { period_start: '40d', ...time.params },
      naive: {
        list: 'post',
        within:
          'days' in time.params || Object.keys(time.params).length === 0 ? since(WORLD_NOW - 40 * DAY) : time.within,
        sort: 'views',
        post: (post) => has(post) && isPublished(post),
      },
    };
  });

/** Any list of the interface that counts pages. */
export const anyQuery = fc.oneof(
  { arbitrary: postsQuery, weight: 4 },
  namesQuery,
  facetsQuery,
  referrersQuery,
  referredQuery,
  sharesQuery,
  detailQuery,
);
