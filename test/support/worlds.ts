// Seeded worlds: small sites with everything that can happen on one, the same for the same seed.
import type { EventRow, ReferrerType } from '../../server/ingest/eventRow.ts';
import type { Post } from '../../server/posts/post.ts';
import { parseSiteId, type SiteId } from '../../server/sites/site.ts';
import { dayOf } from '../../server/traffic/zone.ts';

export const WORLD_NOW = Date.parse('2040-03-20T15:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface World {
  site: SiteId;
  zone: string;
  posts: Post[];
  /** Alias → canonical URL. */
  aliases: Map<string, string>;
  events: EventRow[];
  excluded: Set<string>;
}

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'];
export const AUTHORS = ['Ann', 'Bob', 'ann', 'Zoë Ω', "O'Neil"];
export const SECTIONS = ['World', 'world', 'Sport & Spiel', '政治', ''];
export const TAGS = ['x', 'y', 'a/b', 'x"', '\\', '🎈'];
export const SEGMENTS = ['members', 'daily'];
export const CAMPAIGNS = ['spring', 'Spring', 'q&a'];
export const CHANNELS = ['website', 'amp', 'apln-rta', 'fbia'] as const;
const REFERRERS: [ReferrerType, string][] = [
  ['direct', ''],
  ['search', 'google'],
  ['search', 'bing'],
  ['social', 'facebook'],
  ['social', 'twitter'],
  ['social', 'linkedin'],
  ['social', 'pinterest'],
  ['social', 'reddit'],
  ['other', 'blog.example'],
  ['internal', 'world.example'],
];
export const CONVERSIONS = ['subscription', 'newsletter_signup', 'purchase'];

/** Numbers from 0 to 1, the same for the same seed. */
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

export function makeWorld(seed: number): World {
  const dice = createDice(seed);
  const site = parseSiteId(`world-${seed}.example`)!;
  const zone = dice.pick(ZONES);
  const url = (n: number) => `https://${site}/p${n}`;
  const urls = Array.from({ length: 3 + dice.upTo(9) }, (_, n) => url(n));
  // One in five is a page nobody described.
  const posts = urls.filter(() => dice.chance(0.8)).map((address) => makePost(address, dice));
  const aliases = new Map<string, string>();
  for (const post of posts) if (dice.chance(0.4)) aliases.set(`${post.url}-old`, post.url);
  const pages = [...urls, ...aliases.keys()];
  const visitors = ['0', ...Array.from({ length: 1 + dice.upTo(15) }, (_, n) => String(n + 1))];
  const events = Array.from({ length: dice.upTo(300) }, () => makeEvent({ site, zone, pages, visitors }, dice));
  return {
    site,
    zone,
    posts,
    aliases,
    events,
    excluded: new Set(dice.chance(0.4) ? dice.some(pages).slice(0, 3) : []),
  };
}

function makePost(url: string, dice: Dice): Post {
  return {
    url,
    pageType: dice.pick(['post', 'post', 'post', 'post', 'post', 'video', 'index', 'other'] as const),
    title: `Title of ${url}`,
    imageUrl: '',
    thumbUrl: '',
    pubDate: dice.chance(0.8) ? WORLD_NOW - dice.upTo(12 * DAY) + DAY : null,
    section: dice.pick(SECTIONS),
    authors: dice.some(AUTHORS),
    tags: dice.some(TAGS),
    fullContent: '',
    wordCount: 0,
    language: '',
    duration: 0,
    postId: '',
    videoPlatform: '',
    metadata: '',
    updatedAt: WORLD_NOW,
  };
}

interface Ground {
  site: SiteId;
  zone: string;
  pages: readonly string[];
  visitors: readonly string[];
}

function makeEvent({ site, zone, pages, visitors }: Ground, dice: Dice): EventRow {
  const action = dice.pick([
    'pageview',
    'pageview',
    'pageview',
    'heartbeat',
    'share',
    'videostart',
    'vheartbeat',
    'conversion',
  ] as const);
  // Most within the last days, some on the hour, so that edges are met exactly.
  const time = dice.chance(0.2)
    ? WORLD_NOW - 30 * 60_000 - dice.upTo(80) * HOUR
    : WORLD_NOW - dice.upTo((dice.chance(0.8) ? 6 : 45) * DAY);
  const [referrerType, referrer] = dice.pick(REFERRERS);
  const campaign = () => (dice.chance(0.2) ? dice.pick(CAMPAIGNS) : '');
  const isVideo = action === 'videostart' || action === 'vheartbeat';
  return {
    site,
    action,
    time,
    day: dayOf(time, zone),
    url: dice.pick(pages),
    visitor: dice.pick(visitors),
    seconds: action === 'heartbeat' || action === 'vheartbeat' ? 1 + dice.upTo(40) : 0,
    video: isVideo ? dice.pick(pages) : '',
    referrerType,
    referrer,
    referrerUrl: referrerType === 'internal' ? dice.pick(pages) : '',
    campaignId: campaign(),
    campaignMedium: campaign(),
    campaignSource: campaign(),
    campaignContent: campaign(),
    campaignTerm: campaign(),
    channel: dice.pick(CHANNELS),
    device: dice.pick(['desktop', 'mobile', 'tablet'] as const),
    segments: dice.some(SEGMENTS),
    network: action === 'share' ? dice.pick(['fb', 'tw', 'li', 'pi']) : '',
    conversionType: action === 'conversion' ? dice.pick(CONVERSIONS) : '',
    conversionLabel: action === 'conversion' ? dice.pick(['', 'a', 'b']) : '',
  };
}
