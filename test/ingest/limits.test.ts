// Bounds: what one neighbourhood may send, and how many names a site may invent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimit, prefixOf } from '../../server/ingest/rateLimit.ts';
import { FIREFOX, newPage, newsroom } from './newsroom.ts';

const room = newsroom();
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
    await room.restart({ limits: { perPrefix: { perSecond: 1, burst: 3 } } });
    const url = newPage();
    const events = Array.from({ length: 5 }, () => view(url));
    await room.post({ events }, { ip: '203.0.113.7' });
    await room.post({ events }, { ip: '203.0.113.200' });
    expect([room.count('stored'), room.count('rate-limited')]).toEqual([3, 7]);
    await room.post({ events }, { ip: '198.51.100.1' });
    await room.post({ events }, { ip: '10.0.0.1' });
    expect([room.count('stored'), room.count('rate-limited')]).toEqual([11, 9]);
  });

  test('may send a large batch, but not one without end', async () => {
    const url = newPage();
    const events = Array.from({ length: 2500 }, () => ({ idsite: 'news.example', action: 'pageview', url }));
    await room.post({ events }, { userAgent: FIREFOX, ip: '10.0.0.1' });
    expect([room.count('stored'), room.count('rate-limited')]).toEqual([2000, 500]);
  });
});

describe('the names a site may invent in an hour', () => {
  test('are counted together beyond it; those known from before still count', async () => {
    const known = newPage();
    await room.post({ events: [view(known)] });
    await room.restart({ limits: { urlsPerHour: 3 } });
    const invented = Array.from({ length: 5 }, newPage);
    await room.post({ events: invented.map(view) });
    await room.post({ events: [view(known), view(invented[0]!)] });
    const counts = await Promise.all(
      [known, ...invented, '(other)'].map(async (url) => (await room.stored(url)).length),
    );
    expect(counts).toEqual([2, 2, 1, 1, 0, 0, 2]);
    expect(room.count('too-many-urls')).toBe(2);
    expect(room.count('stored')).toBe(7);
  });

  test('include campaigns and referrers', async () => {
    await room.restart({ limits: { labelsPerHour: 2 } });
    const url = newPage();
    for (const name of ['one', 'two', 'three', 'two'])
      await room.post({ events: [view(`${url}?utm_campaign=${name}`)] });
    expect((await room.stored(url)).map((row) => row.campaign_id).sort()).toEqual(['(other)', 'one', 'two', 'two']);
  });
});
