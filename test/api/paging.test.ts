// Envelopes, pages and links: what is the same in every list, how far its pages reach, and what its links carry.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Answer, Newsroom } from '../support/newsroom.ts';
import { A, B, openSmallPaper } from '../support/smallPaper.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const MINUTE = 60_000;
const PARTNER_SECRET = 'of-the-agency';

let room: Newsroom;

beforeAll(async () => {
  room = await openSmallPaper();
  const agency = { name: 'agency', secretHash: hashSecret(PARTNER_SECRET), createdAt: NOW };
  await room.deps.partners.add(agency);
  // More campaigns than any list shows; those of the paper come first.
  await room.happen(
    ...Array.from({ length: 2100 }, (_, n) => ({
      url: B,
      visitor: '7',
      time: NOW - 80 * 60 * MINUTE,
      campaignContent: `c${n}`,
    })),
  );
});

afterAll(() => room.close());

beforeEach(() => room.setNow(NOW));

const CAMPAIGNS = { campaign_key: 'content', period_start: '5d' };

async function follow(link: string, headers: Record<string, string> = {}): Promise<Answer> {
  return (await (await room.app.request(link, { headers })).json()) as Answer;
}

describe('pages', () => {
  test('the page that reaches over record 2000 is cut there, and has no next', async () => {
    const page = (number: number) =>
      room.ask('/analytics/campaigns', { ...CAMPAIGNS, limit: '150', page: String(number) });
    const [before, last] = [await page(13), await page(14)];
    expect([before.data.length, last.data.length]).toEqual([150, 50]);
    expect(before.links.next).toContain('page=14');
    expect(last.links.next).toBeNull();
    const whole = await room.ask('/analytics/campaigns', { ...CAMPAIGNS, limit: '2000' });
    expect(whole.data.slice(1950)).toEqual(last.data);
    expect(whole.links.next).toBeNull();
  });

  test.each(['/analytics/campaigns', '/analytics/posts', '/conversions/url', '/shares/posts', '/related', '/search'])(
    '%s: a page that begins at record 2000 or after it is refused by name',
    async (path) => {
      const sentence = 'Give a page that begins within the first 2000 records.';
      for (const [limit, page] of [
        ['150', '15'],
        ['2000', '2'],
        ['1', '2001'],
      ] as const) {
        const { code, errors } = await room.ask(path, { q: 'a', limit, page });
        expect([code, Object.keys(errors ?? {})]).toEqual([422, ['page']]);
        if (limit !== '1') expect(errors).toEqual({ page: [sentence] });
      }
      expect((await room.ask(path, { q: 'a', limit: '1999', page: '2' })).success).toBe(true);
    },
  );

  test('behind the last page, the one before it is the first', async () => {
    const beyond = await room.ask('/analytics/posts', { limit: '1', page: '50' });
    expect(beyond.data).toEqual([]);
    expect(beyond.links.next).toBeNull();
    expect(new URL(beyond.links.prev!).searchParams.get('page')).toBe('1');
    const second = await room.ask('/analytics/tags', { limit: '1', page: '2' });
    expect(new URL(second.links.prev!).searchParams.get('page')).toBe('1');
  });
});

describe('a period that hangs on now', () => {
  test.each([
    ['a date', { period_start: '2039-01-01' }],
    ['a look-back', { period_start: '100d' }],
    ['as many days', { period_start: '90d' }],
  ])('is pinned where it is cut at ninety days: %s', async (section, period) => {
    // The oldest view is more than ninety days old when the second page is asked for.
    const edge = NOW - 90 * 24 * 60 * MINUTE + MINUTE;
    const [often, once] = ['z', 'q'].map((name) => `https://paper.example/${name}?${encodeURIComponent(section)}`);
    for (const url of [often!, once!]) await room.write(url, { title: url, section });
    await room.happen({ url: often!, time: edge }, ...[often!, once!].map((url) => ({ url, time: NOW })));
    const first = await room.ask(`/analytics/section/${section}/detail`, { ...period, limit: '1' });
    room.setNow(NOW + 5 * MINUTE);
    const second = await follow(first.links.next!);
    expect([...first.data, ...second.data].map(({ url, _hits }) => [url, _hits])).toEqual([
      [often, 2],
      [once, 1],
    ]);
  });

  test('a period of dates is replayed as it was written', async () => {
    const period = { period_start: '2040-03-18', period_end: '2040-03-20' };
    const { links } = await room.ask('/analytics/sections', { ...period, limit: '1' });
    const { searchParams } = new URL(links.next!);
    expect(Object.fromEntries(searchParams)).toMatchObject({ ...period, limit: '1', page: '2' });
  });

  test('totals of shares have no period to pin', async () => {
    const { links } = await room.ask('/shares/posts', { limit: '1' });
    expect([...new URL(links.next!).searchParams.keys()].sort()).toEqual(['apikey', 'limit', 'page', 'secret']);
  });
});

describe('a publication date that hangs on now', () => {
  test.each([
    ['/analytics/posts', { pub_date_start: '5d' }],
    ['/analytics/tag/x/detail', { pub_date_start: '120h' }],
    ['/shares/posts', { pub_days: '5' }],
  ])('is pinned by next, so that a post that grows too old takes none with it: %s %j', async (path, published) => {
    const whole = await room.ask(path, { ...published });
    const first = await room.ask(path, { ...published, limit: '1' });
    room.setNow(NOW + 90 * MINUTE);
    const second = await follow(first.links.next!);
    expect(whole.data).toHaveLength(2);
    expect([...first.data, ...second.data].map(({ url }) => url)).toEqual(whole.data.map(({ url }) => url));
  });

  test.each([
    [{ pub_date_end: '1h' }, { pub_date_end: '2040-03-20T14:30:00.000Z' }],
    [{ pub_date_start: '2035-01-01', pub_date_end: '2041-01-01' }, { pub_date_start: '2035-01-01' }],
    [{ pub_date_start: '999999w' }, { pub_date_start: '1000-01-01T00:00:00.000Z' }],
  ])('%j', async (published, expected) => {
    const { links } = await room.ask('/analytics/posts', { ...published, limit: '1' });
    expect(Object.fromEntries(new URL(links.next!).searchParams)).toMatchObject(expected);
    expect((await follow(links.next!)).data.map(({ url }) => url)).toEqual([A]);
  });
});

describe('a secret in the Authorization header', () => {
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

  test.each(['/analytics/posts', '/shares/post/detail', '/exclude/list', '/validate/secret', '/related?explain=1'])(
    '%s answers as with the parameter, and its links carry no secret',
    async (path) => {
      const address = `http://stats.example/v2${path}${path.includes('?') ? '&' : '?'}apikey=paper.example&url=${A}`;
      const by = await follow(`${address}&secret=${room.secret}`);
      const answer = await follow(address, bearer(room.secret));
      expect(by.success).toBe(true);
      expect(JSON.stringify(answer)).toBe(JSON.stringify(by).replaceAll(`&secret=${room.secret}`, ''));
      expect(JSON.stringify(answer)).not.toContain(room.secret);
      // Sent both ways, it does not come back either.
      const both = await follow(`${address}&secret=${room.secret}`, bearer(room.secret));
      expect(JSON.stringify(both)).not.toContain(room.secret);
    },
  );

  test('what is wrong, of another scheme or of another kind opens nothing', async () => {
    const address = 'http://stats.example/v2/analytics/posts?apikey=paper.example';
    for (const value of ['wrong', `${room.secret} x`, room.writeSecret, '']) {
      expect((await follow(address, bearer(value))).code).toBe(403);
    }
    expect((await follow(address, { Authorization: `Basic ${room.secret}` })).code).toBe(403);
    expect((await follow(address, { authorization: `bearer ${room.secret}` })).success).toBe(true);
    // The parameter counts where both are given: a gateway may use the header for itself.
    expect((await follow(`${address}&secret=${room.secret}`, bearer('of-a-gateway'))).success).toBe(true);
  });

  test.each([
    ['/v2/metadata/posts', () => room.writeSecret, { apikey: 'paper.example', metadata: { canonical_url: B } }],
    ['/v2/crawl', () => room.secret, { apikey: 'paper.example', url: A }],
    ['/paper.example/ping_crawl', () => room.writeSecret, { url: A }],
    ['/api/agency/settings/apikeys', () => PARTNER_SECRET, { apikey: 'of-agency.example' }],
  ])('POST %s takes it too', async (path, secret, body) => {
    const post = async (headers: Record<string, string>) => {
      const init = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      };
      return (await (await room.app.request(`http://stats.example${path}`, init)).json()) as Answer;
    };
    expect((await post({})).code).toBe(403);
    expect((await post(bearer('wrong'))).code).toBe(403);
    expect((await post(bearer(secret()))).success).toBe(true);
  });

  test('a page of another origin may send it', async () => {
    const preflight = await room.app.request('http://stats.example/v2/analytics/posts', { method: 'OPTIONS' });
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toMatch(/\bAuthorization\b/);
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });
});

describe('a public list that many share', () => {
  test('has a link of its own, without what one of them said', async () => {
    const list = (query: string, host = 'stats.example') =>
      follow(`http://${host}/v2/top/posts?apikey=paper.example&${query}`);
    const first = await list('section=World&secret=of-somebody&_=1');
    const second = await list('section=World');
    const link = 'http://stats.example/v2/top/posts?apikey=paper.example&days=1&limit=10&section=World&page=1';
    expect(first.links).toEqual({ first: link, next: null });
    expect(second).toEqual(first);
    expect((await follow(link)).data).toEqual(first.data);
    const elsewhere = await list('section=World', 'other.example');
    expect(new URL(elsewhere.links.first).host).toBe('other.example');
    expect((await list('section=World')).links.first).toBe(link);
  });
});
