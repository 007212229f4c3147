// Events through the front doors into the real engine.
import { describe, expect, test } from 'vitest';
import { LEDGER_LIMITS } from '../../server/contract/ledger.ts';
import { MAX_BATCH_BYTES } from '../../server/contract/limits.ts';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { FIREFOX, newPage, newsroom, now } from './newsroom.ts';

const room = newsroom();
const { post, pixel, stored, count } = room;

const view = (url: string, changes: Partial<IncomingEvent> = {}): IncomingEvent => ({
  idsite: 'news.example',
  action: 'pageview',
  url,
  ...changes,
});

describe('POST /events', () => {
  test.each(['text/plain;charset=UTF-8', 'application/json'])(
    'stores a batch sent as %s before it answers',
    async (type) => {
      const url = newPage();
      const events = [
        view(`${url}?utm_source=letter&utm_campaign=spring#top`, {
          urlref: 'https://www.google.de/',
          date: now - 1000,
          data: { parsely_site_uuid: 'reader-1', segments: ['member', 'member', 'north'] },
        }),
        view(url, { action: 'heartbeat', inc: 7, date: now, data: { parsely_site_uuid: 'reader-1' } }),
      ];
      const answer = await post({ events }, { type });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ success: true });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      const [first, second] = await stored(url);
      expect(first).toMatchObject({
        site: 'news.example',
        day: '2026-11-20',
        time: now - 1000,
        action: 'pageview',
        referrer_type: 'search',
        referrer: 'google',
        campaign_id: 'spring',
        campaign_source: 'letter',
        channel: 'website',
        device: 'desktop',
        segments: ['member', 'north'],
      });
      expect(second).toMatchObject({ action: 'heartbeat', seconds: 7, referrer_type: 'direct' });
      expect(second!.visitor).toBe(first!.visitor);
    },
  );

  test('counts days in the time zone of the site', async () => {
    const url = newPage();
    await post({ events: [view(url, { date: '2026-11-19T15:30:00Z' })] });
    expect(await stored(url)).toMatchObject([{ day: '2026-11-20' }]);
  });

  test('takes the same event once: in a batch, in the next, in two at once, and after a restart', async () => {
    const url = newPage();
    const event = view(url, { eid: `${url}-1` });
    await post({ events: [event, event] });
    await post({ events: [event] });
    const twin = view(url, { eid: `${url}-2` });
    await Promise.all([post({ events: [twin] }), post({ events: [twin] })]);
    await room.restart();
    await post({ events: [event, twin] });
    expect(await stored(url)).toHaveLength(2);
    expect(count('duplicate')).toBe(2);
  });

  test('takes two events that only look alike', async () => {
    const url = newPage();
    await post({ events: [view(url), view(url), view(url, { date: now }), view(url, { date: now + 1 })] });
    expect(await stored(url)).toHaveLength(4);
  });

  test('keeps what is good of a batch and counts the rest by reason', async () => {
    const url = newPage();
    const heartbeat = { action: 'heartbeat' as const };
    const events: unknown[] = [
      view(url),
      'text',
      null,
      { idsite: 'unknown.example', action: 'pageview', url },
      view('https://elsewhere.example/'),
      view('http://localhost:8081/'),
      view('javascript:alert(1)'),
      { ...view(url), action: 'install' },
      view(url, heartbeat),
      view(url, { ...heartbeat, inc: 0 }),
      view(url, { ...heartbeat, inc: 3601 }),
      { ...view(url, heartbeat), inc: 'many' },
      view(url, { data: { opted_out: true } }),
    ];
    expect((await post({ events })).status).toBe(200);
    expect(await stored(url)).toHaveLength(1);
    expect(
      Object.fromEntries(room.ingest.counts().map(({ site, outcome, count }) => [`${site} ${outcome}`, count])),
    ).toEqual({
      'news.example stored': 1,
      ' malformed': 2,
      ' unknown-site': 1,
      'news.example foreign-host': 2,
      'news.example bad-url': 1,
      'news.example unknown-action': 1,
      'news.example bad-increment': 4,
      'news.example opted-out': 1,
    });
  });

  test('takes a list that a page’s old library has sent as text', async () => {
    const url = newPage();
    expect((await post({ events: JSON.stringify([view(url), view('https://elsewhere.example/')]) })).status).toBe(200);
    expect(await stored(url)).toHaveLength(1);
    expect(count('foreign-host')).toBe(1);
    expect(count('malformed')).toBe(0);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"events":{}}',
    '{"events":[{}',
    '\u0000',
    '"events"',
    '{"events":"{}"}',
    '{"events":"\\"[]\\""}',
  ])('answers junk with 200 and stores nothing: %j', async (body) => {
    expect((await post(body)).status).toBe(200);
    expect(count('malformed')).toBe(1);
    expect(count('stored')).toBe(0);
  });

  test.each<[string, object]>([
    ['a layout shift below 0', { shift: -0.1 }],
    ['a layout shift above 1', { shift: 1e9 }],
    ['a layout shift as text', { shift: '0.1' }],
    ['a layout shift that is no number', { shift: Number.NaN }],
    ['errors below 0', { errors: -1 }],
    ['half an error', { errors: 0.5 }],
    ['more errors than a page has', { errors: 1e9 }],
    ['errors as a list', { errors: [1] }],
    ['an item that is no list', { seen: [{ position: 1, post: '/a', source: 'words' }] }],
    ['an item without its source', { seen: [[1, '/a']] }],
    ['an item with more than it can have', { clicked: [[1, '/a', 'words', 0, 0]] }],
    ['a position below 1', { seen: [[0, '/a', 'words']] }],
    ['more items than a list has', { seen: Array(LEDGER_LIMITS.items + 1).fill([1, '/a', 'words']) }],
  ])('drops the report of a list with %s, and nothing else', async (_, measures) => {
    const url = newPage();
    const list = { list: 'related', slot: 'end', layout: 'list', experiment: 'try', variant: 'other' };
    const events = [view(url), { ...view(url), action: 'list', lists: [{ ...list, ...measures }] }];
    expect((await post({ events })).status).toBe(200);
    expect(await stored(url)).toHaveLength(1);
    expect([count('malformed'), count('stored')]).toEqual([1, 1]);
  });

  test('leaves bots out', async () => {
    const url = newPage();
    await post({ events: [view(url)] }, { userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0)' });
    expect(await stored(url)).toEqual([]);
    expect(count('bot')).toBe(1);
  });

  test('refuses a body that is too large, announced or not', async () => {
    const large = 'x'.repeat(MAX_BATCH_BYTES + 1);
    expect((await post(large)).status).toBe(413);
    const stream = new Blob([large]).stream();
    const init = { method: 'POST', body: stream, duplex: 'half' };
    expect((await room.request('/events', init)).status).toBe(413);
  });

  test('distinguishes visitors without an id by address, and never keeps the address', async () => {
    const url = newPage();
    await post({ events: [view(url)] }, { ip: '203.0.113.7' });
    await post({ events: [view(url)] }, { ip: '::ffff:203.0.113.7' });
    await post({ events: [view(url)] }, { ip: '2001:db8::1' });
    const rows = await stored(url);
    expect(new Set(rows.map((row) => row.visitor)).size).toBe(2);
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|2001:db8/);
  });

  test('answers 503 and asks to come again when nothing can be written', async () => {
    await room.ingest.drain();
    const answer = await post({ events: [view(newPage())] });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('lets a page ask first', async () => {
    const answer = await room.request('/events', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type');
  });
});

describe('GET /plogger/', () => {
  test.each(['/plogger', '/plogger/'])(
    '%s stores a page view and answers an image that is not cached',
    async (path) => {
      const url = newPage();
      const answer = await pixel(
        {
          idsite: 'NEWS.example',
          action: 'pageview',
          url,
          urlref: 'http://localhost:8080/start?utm_source=x',
          date: new Date(now - 2000).toString(),
          rand: url,
          title: 'A page',
          screen: '1920x1080|1920x1040|24',
          data: JSON.stringify({ parsely_site_uuid: 'pid=0123' }),
        },
        {},
        path,
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toBe('image/gif');
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 6)
          .toString(),
      ).toBe('GIF89a');
      expect(await stored(url)).toMatchObject([
        {
          time: now - 2000,
          referrer_type: 'internal',
          referrer: 'localhost',
          referrer_url: 'http://localhost:8080/start',
        },
      ]);
    },
  );

  test('counts the same pixel once, and the same view with another number again', async () => {
    const url = newPage();
    const query = { idsite: 'news.example', action: 'pageview', url, rand: '17', data: '{"parsely_site_uuid":"a"}' };
    await pixel(query);
    await pixel(query);
    await pixel({ ...query, rand: '18' });
    expect(await stored(url)).toHaveLength(2);
  });

  test('reads the seconds of a heartbeat', async () => {
    const url = newPage();
    await pixel({ idsite: 'news.example', action: 'heartbeat', url, inc: '12', tt: '40', ampid: 'amp-1' });
    expect(await stored(url)).toMatchObject([{ action: 'heartbeat', seconds: 12, channel: 'amp' }]);
  });

  test.each(['1', '3600'])('reads %s seconds, the least and the most of a heartbeat', async (inc) => {
    const url = newPage();
    await pixel({ idsite: 'news.example', action: 'heartbeat', url, inc });
    expect(await stored(url)).toMatchObject([{ seconds: Number(inc) }]);
  });

  test('without parameters is an ad blocker’s test: the image, and nothing recorded', async () => {
    const answer = await room.request('/plogger/?', {});
    expect(answer.headers.get('Content-Type')).toBe('image/gif');
    expect(room.ingest.counts()).toEqual([]);
  });

  test.each(['/plogger/', '/px/'])('%s asked by HEAD, as a monitor does, records nothing', async (path) => {
    const query = new URLSearchParams({ idsite: 'news.example', action: 'pageview', url: newPage() });
    const answer = await room.request(`${path}?${query}`, { method: 'HEAD', headers: { 'User-Agent': FIREFOX } });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/gif']);
    expect(room.ingest.counts()).toEqual([]);
  });

  test('with unreadable data counts the rest', async () => {
    const url = newPage();
    await pixel({ idsite: 'news.example', action: 'pageview', url, data: '{"parsely', metadata: '}' });
    expect(await stored(url)).toHaveLength(1);
  });
});
