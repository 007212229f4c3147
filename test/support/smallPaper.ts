// A small newspaper with a little of everything that can happen, known to the last view: for tests of whole answers.
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const A = 'https://paper.example/a';
export const B = 'https://paper.example/b';
export const CLIP = 'https://paper.example/clip';
export const HOME = 'https://paper.example/';

const google = { referrerType: 'search', referrer: 'google' } as const;
const facebook = { referrerType: 'social', referrer: 'facebook' } as const;
const blog = { referrerType: 'other', referrer: 'blog.example' } as const;
const fromA = { referrerType: 'internal', referrer: 'paper.example', referrerUrl: A } as const;

const view = (url: string, visitor: string, ago: number, more: Partial<EventRow> = {}): Partial<EventRow> => ({
  url,
  visitor,
  time: NOW - ago,
  ...more,
});

const conversion = (visitor: string, ago: number, conversionType: string, conversionLabel: string) =>
  view(HOME, visitor, ago, { action: 'conversion', conversionType, conversionLabel });

const LIST = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: false } as const;
const ITEM = { position: 1, post: B, source: 'words', seen: false, clicks: 0, alternative: 0 } as const;

/** Times are Berlin's; the clock stands still. */
export async function openSmallPaper(): Promise<Newsroom> {
  const room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
  const a = { title: 'A', section: 'World', authors: ['Ann', 'Bob'], tags: ['x', 'a/b'], pubDate: NOW - 5 * DAY };
  await room.write(A, a, [`${A}-old`]);
  await room.write(B, { title: 'B', section: 'Sport', authors: ['Bob'], tags: ['x'], pubDate: NOW - DAY });
  await room.write(CLIP, { title: 'Clip', pageType: 'video', section: 'World' });
  await room.write(HOME, { title: 'Home', pageType: 'index' });
  await room.happen(
    view(A, '1', HOUR, { ...google, campaignId: 'c1', campaignMedium: 'email', segments: ['members', 'daily'] }),
    view(`${A}-old`, '2', 30 * HOUR, { ...facebook, channel: 'amp', campaignId: 'c1' }),
    view(A, '2', 30 * HOUR, { action: 'heartbeat', seconds: 100 }),
    view(A, '3', 20 * DAY, google),
    view(B, '1', 2 * HOUR, { ...google, segments: ['members'], campaignId: 'c2' }),
    view(B, '2', 2 * HOUR, blog),
    view(B, '4', 50 * HOUR, fromA),
    view(HOME, '5', HOUR),
    view(HOME, '5', HOUR, { referrerType: 'search', referrer: 'bing' }),
    view(A, '0', HOUR, { action: 'share', network: 'fb' }),
    view(A, '0', 100 * DAY, { action: 'share', network: 'tw' }),
    view(B, '0', HOUR, { action: 'share', network: 'li' }),
    view(B, '1', HOUR, { action: 'videostart', video: CLIP }),
    view(B, '1', 30 * HOUR, { action: 'videostart', video: CLIP }),
    view(B, '1', 30 * HOUR, { action: 'vheartbeat', video: CLIP, seconds: 30 }),
    view(B, '1', HOUR, { action: 'videostart', video: 'https://paper.example/untold' }),
    view(A, '1', 2 * HOUR + MINUTE, {
      action: 'list',
      lists: [{ ...LIST, shown: true, items: [{ ...ITEM, seen: true }] }],
    }),
    view(A, '1', 2 * HOUR + 1000, { action: 'list', lists: [{ ...LIST, items: [{ ...ITEM, clicks: 1 }] }] }),
    conversion('1', 30 * MINUTE, 'subscription', 'yearly'),
    conversion('2', MINUTE, 'newsletter_signup', 'am'),
    conversion('9', MINUTE, 'subscription', 'yearly'),
  );
  return room;
}

/** A list in one line: each record's name, what kind it is if it says so, and the value it is sorted by. */
export async function listed(
  room: Newsroom,
  path: string,
  params: Record<string, string | readonly string[]> = {},
): Promise<string> {
  const { data, meta } = await room.ask(path, params);
  const lines = data.map(({ name, title, type, metrics }) => {
    const kind = type === undefined ? '' : ` (${type})`;
    return `${name ?? title}${kind} ${metrics[meta.sort]}`;
  });
  return lines.join(', ');
}
