// What published clients of the interface ask, call by call as they write it, and what each of them reads in the answer.
// Written from their published interfaces.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS, PIER } from '../support/clientCalls.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2040, 2, 20, 12);
const HOUR = 3_600_000;
const at = (name: string) => `https://paper.example/${name}`;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let room: Newsroom;

/** What is on each page. */
const TEXTS: Record<string, string> = {
  pier: 'The harbour council repairs the pier: new planks, a new rope and a lantern at its end.',
  rope: 'A rope for the pier is made by hand in the harbour, of hemp, as it was three hundred years ago.',
  lantern: 'The lantern at the end of the pier shows ships the way into the harbour on foggy nights.',
  planks: 'Oak planks for the pier come by ship from the north and dry in the harbour for a year.',
};

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  for (const [name, fullContent] of Object.entries(TEXTS)) {
    await room.write(at(name), {
      title: `The ${name}`,
      authors: ['Ada Lovelace'],
      section: 'Technology Lab',
      tags: ['r&b'],
      imageUrl: at(`${name}.jpg`),
      pubDate: NOW - 48 * HOUR,
      fullContent,
    });
  }
  const facebook = { urlref: 'https://www.facebook.com/' };
  const google = { urlref: 'https://www.google.com/' };
  await send([
    ...[1, 2, 3].map((reader) => ({ url: PIER, reader, minutes: 4, ...facebook })),
    { url: PIER, reader: 4, minutes: 30, ...google },
    { url: at('rope'), reader: 4, minutes: 31 },
    { url: at('lantern'), reader: 5, minutes: 23 * 60, ...google },
    { url: PIER, reader: 1, minutes: 3, action: 'heartbeat', inc: 60 },
    { url: PIER, reader: 1, minutes: 2, action: 'share', data: { network: 'tw' } },
    {
      url: PIER,
      reader: 4,
      minutes: 1,
      action: 'conversion',
      data: { _conversion_type: 'purchase', _conversion_label: 'year' },
    },
  ]);
});
afterAll(() => room?.close());

interface Sent {
  url: string;
  reader: number;
  /** Before now. */
  minutes: number;
  urlref?: string;
  action?: string;
  inc?: number;
  data?: object;
}

/** Through the door, as trackers do. */
async function send(events: Sent[]): Promise<void> {
  const batch = events.map(({ reader, minutes, action = 'pageview', data, ...event }) => ({
    ...event,
    idsite: room.site.id,
    action,
    data: { parsely_site_uuid: `reader-${reader}`, ts: NOW - minutes * 60_000, ...data },
  }));
  const response = await room.app.request('http://stats.example/events', {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events: batch }),
  });
  expect(await response.json()).toEqual({ success: true });
}

/** As it is written by the client, with its own ids in place of the words. */
async function call(target: string): Promise<{ status: number; type: string; text: string }> {
  const written = target.replaceAll('SITE', room.site.id).replaceAll('SECRET', room.secret);
  const response = await room.app.request(`http://stats.example${written}`, {
    headers: { 'User-Agent': BROWSER },
  });
  return { status: response.status, type: response.headers.get('Content-Type') ?? '', text: await response.text() };
}

describe.each(Object.keys(CALLS))('%s', (client) => {
  it.each(Object.keys(CALLS[client]!))('%s', async (name) => {
    const [target, reads] = CALLS[client]![name]!;
    const { status, type, text } = await call(target);
    expect(status).toBe(200);
    if (target.startsWith('/plogger')) expect(type).toBe('image/gif');
    else if (target.includes('callback=')) {
      expect(type).toBe('application/javascript; charset=utf-8');
      const wrapped = /^\/\*\*\/(\w+)\((.*)\);$/s.exec(text)!;
      expect(wrapped[1]).toBe(new URLSearchParams(target.split('?')[1]).get('callback'));
      expect(JSON.parse(wrapped[2]!)).toMatchObject(reads);
    } else expect(JSON.parse(text)).toMatchObject(reads);
  });
});

it('counts what trackers sent', async () => {
  const { data } = await room.ask('/analytics/post/detail', { url: at('rope') });
  expect(data.map(({ _hits }) => _hits)).toEqual([3]);
});
