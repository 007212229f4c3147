// Bounds: what one neighbourhood may send, and how many names a site may invent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimit, prefixOf } from '../../server/ingest/rateLimit.ts';
import { FIREFOX, newPage, newsroom, now } from './newsroom.ts';

const room = newsroom({ lazy: true });
/** Batches short enough for small rates. */
const SMALL = { eventsPerBatch: 5 };
const view = (url: string) => ({ idsite: 'news.example', action: 'pageview', url });

describe('a neighbourhood of addresses', () => {
  test.each([
    ['203.0.113.7', '203.0.113'],
    ['2001:db8:1:2::3', '2001:db8:1'],
    ['2001:db8::1', '2001:db8:0'],
    ['2001:0DB8:0001::', '2001:db8:1'],
    ['2a00::', '2a00:0:0'],
    ['127.0.0.1', undefined],
    ['::1', undefined],
    ['10.1.2.3', undefined],
    ['192.168.1.1', undefined],
    ['fd00::1', undefined],
    ['', undefined],
    ['junk', undefined],
  ])('%s is %s', (address, prefix) => expect(prefixOf(address)).toBe(prefix));

  test('never gets more than its burst and its rate', () => {
    const takes = fc.array(fc.record({ wait: fc.nat(3000), count: fc.nat(50) }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(takes, (requests) => {
        const limit = createRateLimit({ perSecond: 10, burst: 40 });
        let now = 0;
        let taken = 0;
        for (const { wait, count } of requests) {
          now += wait;
          taken += limit.take('a', count, now);
        }
        expect(taken).toBeLessThanOrEqual(40 + (now / 1000) * 10);
      }),
    );
  });

  test('is cut off at its rate; others, and our own networks, are not', async () => {
    let time = now;
    await room.restart({ limits: { ...SMALL, perPrefix: { perSecond: 1, burst: 5 } }, now: () => time });
    const url = newPage();
    const events = Array.from({ length: 4 }, () => view(url));
    const from = async (ip: string) => (await room.post({ events }, { ip })).status;
    // All of a batch or nothing of it, so that it can be sent again as it is.
    expect([await from('203.0.113.7'), await from('203.0.113.200')]).toEqual([200, 429]);
    expect([room.count('stored'), room.count('rate-limited')]).toEqual([4, 4]);
    expect([await from('198.51.100.1'), await from('10.0.0.1'), await from('10.0.0.1')]).toEqual([200, 200, 200]);
    // Being refused cost one event, too.
    time += 4_000;
    expect(await from('203.0.113.200')).toBe(200);
    expect([room.count('stored'), room.count('rate-limited')]).toEqual([20, 4]);
    expect(await room.stored(url)).toHaveLength(20);
  });

  test('is the same at every door, also at the one that never uses an address', async () => {
    const url = newPage();
    const event = { idsite: 'news.example', action: 'pageview', url };
    const legacy = new URLSearchParams({ rqs: JSON.stringify({ data: {}, events: [event] }) }).toString();
    const doors: Record<string, () => Promise<Response>> = {
      '/events': () => room.post({ events: [event] }),
      '/mobileproxy': () => room.post({ events: [event] }, {}, '/mobileproxy'),
      '/mobileproxy, old apps': () => room.post(legacy, {}, '/mobileproxy'),
      '/plogger': () => room.pixel(event, {}, '/plogger'),
      '/plogger/': () => room.pixel(event, {}, '/plogger/'),
      '/plogger/ of a server': () => room.pixel({ ...event, ip_address: '198.51.100.9' }),
      '/px': () => room.pixel(event, {}, '/px'),
      '/px/': () => room.pixel(event, {}, '/px/'),
    };
    for (const [name, knock] of Object.entries(doors)) {
      await room.restart({ limits: { ...SMALL, perPrefix: { perSecond: 1, burst: 1 }, eventsPerBatch: 1 } });
      const answers = [await knock(), await knock()];
      expect([name, ...answers.map(({ status }) => status)]).toEqual([name, 200, 429]);
      expect(answers[1]!.headers.get('Retry-After')).toBe('1');
      expect(answers[1]!.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answers[1]!.headers.get('Access-Control-Expose-Headers')).toBe('Retry-After');
      expect(await answers[1]!.json()).toEqual({
        code: 429,
        message: 'Too many events from this network of addresses: send this again in 1 s.',
        success: false,
      });
      expect([name, room.count('rate-limited')]).toEqual([name, 1]);
    }
    // Eight doors, one view each; those by /px without a trace of the address.
    expect(await room.stored(url)).toHaveLength(8);
  });
});

describe('a batch that holds nothing that could be stored', () => {
  const BURST = 40;
  /** How many of a hundred requests pass. */
  async function passed(body: string, path = '/events'): Promise<number> {
    const limits = { eventsPerBatch: 10, perPrefix: { perSecond: 1, burst: BURST } };
    await room.restart({ limits, now: () => now });
    const answers: number[] = [];
    for (let turn = 0; turn < 100; turn++) answers.push((await room.post(body, {}, path)).status);
    return answers.filter((status) => status !== 429).length;
  }

  test.each([
    ['an empty one', '{"events":[]}', BURST],
    ['no JSON', '{"events":[', BURST],
    ['something else', '[]', BURST],
    ['nothing', '', BURST],
    ['one that is too long', JSON.stringify({ events: Array(11).fill(0) }), BURST / 10],
    ['one that is large', JSON.stringify({ pad: 'x'.repeat(4096 * 4 - 100) }), BURST / 4],
    ['more values than events have', `{"events":[${'0,'.repeat(30_000)}0]}`, BURST / 10],
    ['brackets in brackets', '['.repeat(40_000), BURST / 10],
  ])('%s counts against the rate of its network', async (_, body, expected) => {
    expect(await passed(body)).toBe(expected);
    expect(await passed(body, '/mobileproxy')).toBeLessThanOrEqual(BURST);
  });

  test('is malformed, however dear it would be to read', async () => {
    for (const body of [`{"events":[${'{},'.repeat(20_000)}{}]}`, `{"events":[{"data":${'['.repeat(40_000)}`]) {
      await room.restart();
      expect((await room.post(body)).status).toBe(200);
      expect(room.count('malformed')).toBe(1);
    }
  });
});

describe('a site', () => {
  test('is cut off at its rate for all senders; other sites and unknown ones are not', async () => {
    await room.restart({ limits: { ...SMALL, perSite: { perSecond: 2, burst: 5 } } });
    const url = newPage();
    const some = (count: number, idsite = 'news.example') =>
      Array.from({ length: count }, () => ({ ...view(url), idsite }));
    const from = (ip: string, events: unknown[]) => room.post({ events }, { ip });
    expect((await from('203.0.113.7', some(3))).status).toBe(200);
    // However its name is written.
    const refused = await from('198.51.100.1', [...some(2, 'News.Example'), ...some(2, 'nobody.example'), ...some(1)]);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      message: 'Too many events for the site news.example: send this again in 1 s.',
    });
    expect((await from('192.0.2.1', some(5, 'nobody.example'))).status).toBe(200);
    expect((await from('10.0.0.1', some(3))).status).toBe(429);
    expect(await room.stored(url)).toHaveLength(3);
    const counts = room.ingest.counts().filter(({ outcome }) => outcome === 'site-rate-limited');
    expect(counts).toEqual([{ site: 'news.example', outcome: 'site-rate-limited', count: 8 }]);
  });
});

describe('a batch', () => {
  const events = (url: string, count: number) => Array.from({ length: count }, () => view(url));

  test('that is too long is refused whole, and says how long one may be', async () => {
    const url = newPage();
    const answer = await room.post({ events: events(url, 2001) }, { ip: '10.0.0.1' });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { code: 422, message: 'A batch has at most 2000 events: send the others in another one.', success: false },
    ]);
    expect([room.count('stored'), room.count('too-many-events')]).toEqual([0, 2001]);
    expect((await room.post({ events: events(url, 2000) }, { ip: '10.0.0.1' })).status).toBe(200);
  });

  test('of an app is cut instead: it would send the whole again for ever', async () => {
    const url = newPage();
    await room.restart({ limits: SMALL });
    const answer = await room.post({ events: events(url, 8) }, { ip: '10.0.0.1' }, '/mobileproxy');
    expect(answer.status).toBe(200);
    expect([room.count('stored'), room.count('too-many-events')]).toEqual([5, 3]);
  });

  test.each([
    ['gzip', 415, 'Content-Encoding "gzip" is not read'],
    ['br', 415, 'Content-Encoding "br" is not read'],
    ['identity', 200, undefined],
  ])('in coding %s is answered %i', async (coding, status, sentence) => {
    const headers = { 'Content-Encoding': coding, 'User-Agent': FIREFOX };
    const body = JSON.stringify({ events: events(newPage(), 1) });
    const answer = await room.request('/events', { method: 'POST', body, headers });
    expect(answer.status).toBe(status);
    if (sentence !== undefined) expect((await answer.json()).message).toContain(sentence);
  });
});

describe('a field that is too long', () => {
  test('says nothing, wherever it stands; the rest of the event counts', async () => {
    await room.restart({ limits: { lengths: { text: 100, url: 300 } } });
    const url = newPage();
    const event = { ...view(url), urlref: `https://google.com/?q=${'x'.repeat(300)}`, u: 'u'.repeat(101) };
    const data = { _conversion_type: 'purchase', _conversion_label: 'l'.repeat(101) };
    await room.post({ events: [{ ...event, action: 'conversion', data }] });
    expect(await room.stored(url)).toMatchObject([
      { referrer_type: 'direct', conversion_type: 'purchase', conversion_label: '' },
    ]);
    await room.post({ events: [view(`${url}?${'x'.repeat(300)}`)] });
    expect(room.count('bad-url')).toBe(1);
  });
});

describe('the names a site may invent in an hour', () => {
  test('are counted together beyond it; those known from before still count', async () => {
    const known = newPage();
    await room.post({ events: [view(known)] });
    await room.restart({ limits: { urlsPerHour: 3 } });
    const invented = Array.from({ length: 5 }, newPage);
    const others = async () => (await room.stored('(other)')).length;
    const before = await others();
    await room.post({ events: invented.map(view) });
    await room.post({ events: [view(known), view(invented[0]!)] });
    const counts = await Promise.all([known, ...invented].map(async (url) => (await room.stored(url)).length));
    expect([...counts, (await others()) - before]).toEqual([2, 2, 1, 1, 0, 0, 2]);
    expect(room.count('too-many-urls')).toBe(2);
    expect(room.count('stored')).toBe(7);
  });

  test('beyond it are no pages to be looked at', async () => {
    const told: string[] = [];
    await room.restart({ limits: { urlsPerHour: 2 }, viewed: (_site, url) => told.push(url) });
    const invented = Array.from({ length: 4 }, newPage);
    await room.post({ events: invented.map(view) });
    expect(told).toEqual(invented.slice(0, 2));
  });

  test('include campaigns and referrers', async () => {
    await room.restart({ limits: { labelsPerHour: 2 } });
    const url = newPage();
    for (const name of ['one', 'two', 'three', 'two'])
      await room.post({ events: [view(`${url}?utm_campaign=${name}`)] });
    expect((await room.stored(url)).map((row) => row.campaign_id).sort()).toEqual(['(other)', 'one', 'two', 'two']);
  });

  test('include no campaign, segment or referrer that is known from before a start', async () => {
    const url = newPage();
    const viewBy = (name: string) => ({
      ...view(`${url}?utm_campaign=${name}`),
      urlref: `https://${name}.example/`,
      data: { segments: [`of ${name}`] },
    });
    await room.post({ events: ['known', 'familiar'].map(viewBy) });
    await room.restart({ limits: { labelsPerHour: 3 } });
    for (const name of ['known', 'new', 'newer', 'familiar']) await room.post({ events: [viewBy(name)] });
    const stored = (await room.stored(url)).map((row) => [row.campaign_id, row.referrer_host, row.segments].join());
    const once = (name: string) => `${name},${name}.example,of ${name}`;
    const beyond = '(other),(other),(other)';
    expect(stored.sort()).toEqual([...['known', 'familiar', 'known', 'familiar', 'new'].map(once), beyond].sort());
  });

  test('include the hosts of referrers, also below the domain of a network', async () => {
    await room.restart({ limits: { labelsPerHour: 3 } });
    const url = newPage();
    for (const host of ['one.example', 'a.tumblr.com', 'b.tumblr.com', 'two.example'])
      await room.post({ events: [{ ...view(url), urlref: `https://${host}/` }] });
    const stored = (await room.stored(url)).map(({ referrer, referrer_host }) => `${referrer} ${referrer_host}`);
    expect(stored.sort()).toEqual([
      '(other) (other)',
      'one.example one.example',
      'tumblr (other)',
      'tumblr a.tumblr.com',
    ]);
  });
});
