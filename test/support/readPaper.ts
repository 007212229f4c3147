// A site in the middle of a morning, whose last eight weeks and last hour are known to the last reader.
import { DAY, HOUR, MINUTE, SECOND } from '../../server/durations.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { instantOf } from '../../server/traffic/zone.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';

const ZONE = 'Europe/Madrid';
/** A Tuesday two weeks after clocks were set forward. */
const LOCAL = Date.parse('2040-04-10T10:07:00Z');
export const NOW = instantOf(LOCAL, ZONE);
const WINDOW = 5 * MINUTE;

export const page = (name: string) => `https://paper.example/${name}`;
const POSTS = { a: 'World', b: 'World', c: 'Sport' } as const;

/** Readers of each five minutes of a week, so many weeks ago. */
const WEEKS = [3, 8, 1, 6, 2, 7, 4, 5];

export async function openReadPaper(): Promise<Newsroom> {
  const room = await openNewsroom({ now: NOW, timezone: ZONE });
  for (const [name, section] of Object.entries(POSTS))
    await room.write(page(name), { title: name.toUpperCase(), section, pubDate: NOW - 90 * DAY });
  await room.write(page(''), { title: 'Home', pageType: 'index' });
  await room.happen(...WEEKS.flatMap(weekOf), ...today());
  return room;
}

/** The same five minutes all morning: half an hour is enough for a curve, and some more is outside of it. */
function weekOf(readers: number, week: number): Partial<EventRow>[] {
  return Array.from({ length: 30 }, (_, window) =>
    Array.from({ length: readers }, (_, reader): Partial<EventRow>[] => {
      const local = LOCAL - 7 * MINUTE - HOUR + window * WINDOW + MINUTE - (week + 1) * 7 * DAY;
      const visit = { url: page('a'), visitor: `${100 + reader}`, time: instantOf(local, ZONE) };
      // Every second one came from another post: half of the views of that one led on.
      const from = reader % 2 === 0 ? ({ referrerType: 'internal', referrerUrl: page('b') } as const) : {};
      return [
        { ...visit, ...from },
        { ...visit, action: 'heartbeat', seconds: 60 },
        { ...visit, url: page('') },
      ];
    }).flat(),
  ).flat();
}

function today(): Partial<EventRow>[] {
  const google = { referrerType: 'search', referrer: 'google' } as const;
  const view = (name: string, visitor: number, ago: number, more: Partial<EventRow> = {}) => ({
    url: page(name),
    visitor: String(visitor),
    time: NOW - ago,
    ...more,
  });
  const readers = (name: string, count: number, ago: number, more: Partial<EventRow> = {}) =>
    Array.from({ length: count }, (_, at) => view(name, 1000 + at, ago + at, more));
  return [
    ...readers('a', 9, MINUTE, google),
    // One of them twice, and one at another post as well.
    view('a', 1000, 2 * MINUTE),
    view('b', 1001, 3 * MINUTE, { referrerType: 'internal', referrerUrl: page('a') }),
    view('', 1, MINUTE),
    view('a', 1000, 30 * SECOND, { action: 'heartbeat', seconds: 90 }),
    // Of the hour: one post lost its readers, another has as many as ever.
    ...Array.from({ length: 11 }, (_, window) => readers('c', 12, (window + 1) * WINDOW + MINUTE)).flat(),
    view('c', 1002, 3 * MINUTE),
    ...readers('b', 1, 2 * HOUR),
  ];
}
