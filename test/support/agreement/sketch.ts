// A random question as plain data: everything any endpoint may be asked, of which each takes what it knows. So a counterexample
// can be read, and is made again from its seed and this.
import fc from 'fast-check';
import { AUTHORS, CAMPAIGNS, CHANNELS, CONVERSIONS, DEVICES, LABELS, SECTIONS, SEGMENTS, TAGS } from '../worlds.ts';
import { ATTRIBUTIONS } from './naiveConversions.ts';
import { SORTS } from './naiveMetrics.ts';
import { VIDEO_SORTS } from './naiveVideos.ts';
import { DOMAINS } from './namedReferrers.ts';
import { stretch } from './periods.ts';

export const NAIVE_INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type NaiveInterval = (typeof NAIVE_INTERVALS)[number];

export const CAMPAIGN_PARTS = ['id', 'medium', 'source', 'content', 'term'] as const;
const REFERRER_TYPES = ['social', 'search', 'aggregator', 'ai', 'other', 'internal'] as const;

const few = (values: readonly string[]) =>
  fc.oneof(
    { arbitrary: fc.constant<string[]>([]), weight: 4 },
    fc.subarray([...values], { minLength: 1, maxLength: 2 }),
  );
const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 4) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight }, arbitrary);
const sections = SECTIONS.filter((name) => name !== '');

export const sketch = fc.record({
  stretch,
  /** Of /realtime. */
  time: maybe(fc.constantFrom('5m', '90min', '24h', '3d', '2w'), 1),
  sort: fc.constantFrom(...SORTS),
  /** Other metrics in the same answer. */
  beside: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, fc.subarray([...SORTS], { maxLength: 4 })),
  videoSort: fc.constantFrom(...VIDEO_SORTS),
  /** Publication dates. */
  published: maybe(stretch, 2),
  publishedDays: maybe(fc.integer({ min: 1, max: 12 }), 3),
  author: few(AUTHORS),
  tag: few(TAGS),
  section: few(sections),
  segment: maybe(fc.constantFrom(...SEGMENTS)),
  channel: maybe(fc.constantFrom(...CHANNELS)),
  campaigns: fc.record(
    Object.fromEntries(CAMPAIGN_PARTS.map((part) => [part, maybe(fc.constantFrom(...CAMPAIGNS), 9)])) as Record<
      (typeof CAMPAIGN_PARTS)[number],
      fc.Arbitrary<string | undefined>
    >,
  ),
  campaignPart: maybe(fc.constantFrom(...CAMPAIGN_PARTS), 1),
  facet: fc.constantFrom('channel', 'segment', 'campaign', 'referrer'),
  list: fc.constantFrom('author', 'section', 'tag'),
  /** One of the names under a list, or none there is. */
  named: fc.record({
    author: fc.constantFrom(...AUTHORS, 'Nobody'),
    section: fc.constantFrom(...sections, 'Nothing'),
    tag: fc.constantFrom(...TAGS, 'nothing'),
  }),
  referrerType: fc.constantFrom(...REFERRER_TYPES),
  domain: maybe(fc.constantFrom(...DOMAINS)),
  /** Which page of the world, and how its address is written. */
  page: fc.nat({ max: 30 }),
  address: fc.constantFrom('', '#top', '?a=1'),
  attribution: maybe(fc.constantFrom(...ATTRIBUTIONS), 1),
  conversionTypes: few(CONVERSIONS),
  conversionLabels: few(LABELS),
  onlyPage: fc.constantFrom(false, false, false, true),
  pageType: maybe(fc.constantFrom('post', 'index'), 2),
  topDays: maybe(fc.constantFrom(1, 2, 3, 7, 31), 1),
  interval: fc.constantFrom(...NAIVE_INTERVALS, 'hour', 'day'),
  /** Beside the period before. */
  compare: fc.boolean(),
  totals: fc.boolean(),
  topLength: maybe(fc.constantFrom(3, 10, 11, 25), 2),
  device: maybe(fc.constantFrom(...DEVICES), 3),
});

export type Sketch = typeof sketch extends fc.Arbitrary<infer T> ? T : never;
