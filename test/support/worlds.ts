// Seeded worlds: small sites with everything that can happen on one, the same for the same seed.
import type { ReferrerCategory } from '../../server/contract/referrers.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import type { Post } from '../../server/posts/post.ts';
import { parseSiteId, type SiteId } from '../../server/sites/site.ts';
import { dayAfter, dayBegins, localDay } from './agreement/localTime.ts';

export const WORLD_NOW = Date.parse('2040-03-20T15:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface World {
  site: SiteId;
  zone: string;
  /** Epoch milliseconds: when this world is asked. */
  now: number;
  posts: Post[];
  /** Alias → canonical URL. */
  aliases: Map<string, string>;
  /** Every address that has traffic: canonical URLs, described or not, and aliases. */
  pages: string[];
  events: EventRow[];
  excluded: Set<string>;
}

/** Whole hours, quarters of an hour, changes of clocks at midnight and by half an hour. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Santiago',
  'Africa/Cairo',
  'Europe/Paris',
];
/** Minutes, days and weeks after clocks changed somewhere, on the hour and off it, and just after a new year. */
const NOWS = [
  WORLD_NOW,
  Date.parse('2040-03-12T04:20:00Z'),
  Date.parse('2040-04-09T03:10:07.500Z'),
  Date.parse('2040-09-12T00:00:00Z'),
  Date.parse('2040-11-06T23:59:59.999Z'),
  Date.parse('2041-01-02T10:20:30Z'),
];
export const AUTHORS = ['Ann', 'Bob', 'ann', 'Zoë Ω', "O'Neil"];
export const SECTIONS = ['World', 'world', 'Sport & Spiel', '政治', ''];
export const TAGS = ['x', 'y', 'a/b', 'x"', '\\', '🎈'];
export const SEGMENTS = ['members', 'daily'];
export const CAMPAIGNS = ['spring', 'Spring', 'q&a'];
export const CHANNELS = ['website', 'amp', 'apln-rta', 'fbia'] as const;
export const DEVICES = ['desktop', 'mobile', 'tablet'] as const;
/** Category, name and host as they are stored; rows of an earlier version have no host. */
const REFERRERS: readonly [ReferrerCategory, string, string][] = [
  ['direct', '', ''],
  ['search', 'google', 'google.com'],
  ['search', 'google', 'google.de'],
  ['search', 'google', ''],
  ['search', 'bing', 'bing.com'],
  ['social', 'facebook', 'l.facebook.com'],
  ['social', 'facebook', 'facebook.com'],
  ['social', 'twitter', 't.co'],
  ['social', 'linkedin', 'lnkd.in'],
  ['social', 'pinterest', 'pinterest.com'],
  ['social', 'reddit', 'reddit.com'],
  ['other', 'blog.example', 'blog.example'],
  ['other', 'world.example', 'world.example'],
  ['aggregator', 'flipboard', 'flipboard.com'],
  ['ai', 'chatgpt', 'com.openai.chatgpt'],
  ['ai', 'chatgpt', 'chatgpt.com'],
  ['internal', 'world.example', 'world.example'],
];
export const CONVERSIONS = ['subscription', 'newsletter_signup', 'purchase'];
export const LABELS = ['a', 'b'];

/** VarintReader from 0 to 1, the same for the same seed. */
function createDice(seed: number) {
  let state = (seed * 2654435761) >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (most: number): number => Math.floor(roll() * (most + 1));
  return {
    upTo,
    chance: (of: number): boolean => roll() < of,
    pick: <T>(from: readonly T[]): T => from[upTo(from.length - 1)]!,
    some: <T>(from: readonly T[]): T[] => from.filter(() => roll() < 0.4),
  };
}

type Dice = ReturnType<typeof createDice>;

/** @param at Epoch milliseconds: when it is asked, and nothing happens any more. Default: one of the moments that are hard to count at. */
export function makeWorld(seed: number, at?: number): World {
  const dice = createDice(seed);
  const site = parseSiteId(`world-${seed}.example`)!;
  const zone = dice.pick(ZONES);
  const hard = dice.pick(NOWS);
  const now = at ?? hard;
  const urls = Array.from({ length: 3 + dice.upTo(11) }, (_, n) => `https://${site}/p${n}`);
  // One in five is a page without metadata.
  const posts = urls.filter(() => dice.chance(0.8)).map((url) => makePost(url, now, dice));
  const aliases = new Map<string, string>();
  for (const post of posts) if (dice.chance(0.4)) aliases.set(`${post.url}-old`, post.url);
  const pages = [...urls, ...aliases.keys()];
  const visitors = ['0', ...Array.from({ length: 1 + dice.upTo(15) }, (_, n) => String(n + 1))];
  const ground = { site, zone, now, pages, visitors, taken: new Set<string>() };
  const events = Array.from({ length: dice.upTo(300) }, () => makeEvent(ground, dice));
  const excluded = new Set(dice.chance(0.4) ? dice.some(pages).slice(0, 3) : []);
  return { site, zone, now, posts, aliases, pages, events, excluded };
}

/**
 * The same world, of which only the last days happened: each month is a partition of a dozen tables, and what carries databases from one
 * server to another takes partition by partition.
 */
export const lastDays = (world: World, days: number): World => ({
  ...world,
  events: world.events.filter(({ time }) => world.now - time < days * DAY),
});

function makePost(url: string, now: number, dice: Dice): Post {
  const hasText = dice.chance(0.5);
  return {
    url,
    pageType: dice.pick(['post', 'post', 'post', 'post', 'post', 'video', 'video', 'index', 'other'] as const),
    title: `Title of ${url} </script>`,
    imageUrl: dice.chance(0.5) ? `${url}.jpg` : '',
    thumbUrl: dice.chance(0.3) ? `${url}-small.jpg` : '',
    pubDate: dice.chance(0.8) ? now - dice.upTo(12 * DAY) + DAY : null,
    section: dice.pick(SECTIONS),
    authors: dice.some(AUTHORS),
    tags: dice.some(TAGS),
    fullContent: hasText ? 'three short words' : '',
    wordCount: hasText ? 3 : 0,
    language: '',
    duration: 0,
    postId: '',
    videoPlatform: '',
    metadata: dice.chance(0.2) ? '{"of":"🎈"}' : '',
    updatedAt: now,
  };
}

interface Ground extends Pick<World, 'site' | 'zone' | 'now' | 'pages'> {
  visitors: readonly string[];
  /**
   * Moments of each visitor: a visitor never does two things at the same time, so that it is always clear which came
   * first.
   */
  taken: Set<string>;
}

function makeEvent({ site, zone, now, pages, visitors, taken }: Ground, dice: Dice): EventRow {
  const action = dice.pick([
    'pageview',
    'pageview',
    'pageview',
    'pageview',
    'heartbeat',
    'share',
    'videostart',
    'vheartbeat',
    'conversion',
  ] as const);
  const visitor = dice.pick(visitors);
  let time = drawTime({ now, zone }, dice);
  while (visitor !== '0' && taken.has(`${visitor} ${time}`)) time--;
  taken.add(`${visitor} ${time}`);
  const [referrerType, referrer, referrerHost] = dice.pick(REFERRERS);
  const campaign = () => (dice.chance(0.2) ? dice.pick(CAMPAIGNS) : '');
  const isVideo = action === 'videostart' || action === 'vheartbeat';
  return {
    site,
    action,
    time,
    day: localDay(time, zone),
    url: dice.pick(pages),
    visitor,
    seconds: action === 'heartbeat' || action === 'vheartbeat' ? 1 + dice.upTo(40) : 0,
    video: isVideo ? dice.pick(pages) : '',
    referrerType,
    referrer,
    referrerHost,
    referrerUrl: referrerType === 'internal' ? dice.pick(pages) : '',
    campaignId: campaign(),
    campaignMedium: campaign(),
    campaignSource: campaign(),
    campaignContent: campaign(),
    campaignTerm: campaign(),
    channel: dice.pick(CHANNELS),
    device: dice.pick(DEVICES),
    segments: dice.some(SEGMENTS),
    network: action === 'share' ? dice.pick(['fb', 'tw', 'li', 'pi']) : '',
    conversionType: action === 'conversion' ? dice.pick(CONVERSIONS) : '',
    conversionLabel: action === 'conversion' ? dice.pick(['', ...LABELS]) : '',
  };
}

/** Most within the last days; some exactly on an hour before now, or in the first or last millisecond of a day of the site. */
function drawTime({ now, zone }: { now: number; zone: string }, dice: Dice): number {
  if (dice.chance(0.15)) return now - dice.upTo(80) * HOUR;
  const time = now - dice.upTo(dice.pick([6, 6, 6, 45, 130]) * DAY);
  if (!dice.chance(0.15)) return time;
  const midnight = dayBegins(dice.chance(0.5) ? localDay(time, zone) : dayAfter(localDay(time, zone)), zone);
  return Math.min(midnight - dice.upTo(1), now);
}
