// Lines of page views: what an import makes of them, and that an export comes back the same.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportView, importView } from '../../server/cli/transfer/viewRow.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { Pipeline } from '../../server/ingest/pipeline.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';

const site: Site = {
  id: parseSiteId('example.com')!,
  timezone: 'Europe/Madrid',
  domains: [],
  features: { top: true, recommendations: true, search: true },
  secretHash: '',
  writeSecretHash: '',
  createdAt: 0,
};
const now = Date.UTC(2024, 5, 1);
const options = { findSite: () => site, salt: () => '' };
const pipeline = new Pipeline(options);
const bring = (line: unknown) => importView(line, { site, now, pipeline });
const good = { url: 'https://example.com/a?utm_source=news', date: '2024-05-01T23:30:00Z' };

describe('a line that is stored', () => {
  test.each<[string, object, Partial<EventRow>]>([
    [
      'only where and when',
      good,
      { url: 'https://example.com/a', day: '2024-05-02', action: 'pageview', campaignSource: 'news', visitor: '0' },
    ],
    ['seconds since 1970', { ...good, date: 1714606200 }, { time: 1714606200000 }],
    ['milliseconds as text', { ...good, date: '1714606200000' }, { time: 1714606200000 }],
    ['a date without a zone', { ...good, date: '2024-05-01 08:00' }, { time: Date.UTC(2024, 4, 1, 8) }],
    ['a visitor', { ...good, visitor: 'ann' }, { visitor: expect.stringMatching(/^[1-9]\d+$/) }],
    ['a referrer', { ...good, referrer: 'https://www.google.com/' }, { referrerType: 'search', referrer: 'google' }],
    [
      'a heartbeat from a CSV',
      { ...good, action: 'heartbeat', seconds: '15', visitor: '', referrer: '' },
      { action: 'heartbeat', seconds: 15 },
    ],
    ['a share', { ...good, action: 'share', network: 'fb' }, { action: 'share', network: 'fb' }],
    ['a conversion', { ...good, action: 'conversion', conversion_type: 'purchase' }, { conversionType: 'purchase' }],
    ['segments from a CSV', { ...good, segments: 'a|b' }, { segments: ['a', 'b'] }],
    ['unknown columns', { ...good, colour: 'red', __proto__: { url: 'x' } }, { url: 'https://example.com/a' }],
  ])('%s', (_, line, row) => {
    expect(bring(line)).toMatchObject(row);
  });

  test('the same visitor is the same, another is another', () => {
    const [ann, again, bob] = ['ann', 'ann', 'bob'].map((visitor) => (bring({ ...good, visitor }) as EventRow).visitor);
    expect(ann).toBe(again);
    expect(ann).not.toBe(bob);
  });
});

test.each<[unknown, string]>([
  [undefined, 'malformed'],
  ['text', 'malformed'],
  [{ url: good.url }, 'malformed'],
  [{ ...good, seconds: 'many' }, 'malformed'],
  [{ ...good, visitor_hash: '99999999999999999999' }, 'malformed'],
  [{ ...good, referrer_type: 'friend' }, 'malformed'],
  [{ ...good, date: 'yesterday' }, 'bad-date'],
  [{ ...good, date: '2024-06-01T00:00:01Z' }, 'bad-date'],
  [{ ...good, date: '2022-01-01' }, 'too-old'],
  [{ ...good, url: 'https://other.example/a' }, 'foreign-host'],
  [{ ...good, url: '/a' }, 'bad-url'],
  [{ ...good, action: 'dance' }, 'unknown-action'],
  [{ ...good, action: 'heartbeat' }, 'bad-increment'],
  [{ ...good, user_agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }, 'bot'],
])('%j is left out as %s', (line, outcome) => {
  expect(bring(line)).toBe(outcome);
});

test('whatever was stored comes back the same', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const row = fc.record({
    action: fc.constantFrom('pageview', 'custom'),
    time: fc.integer({ min: Date.UTC(2024, 0, 1), max: now }),
    visitor: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    referrerType: fc.constantFrom('internal', 'social', 'search', 'other', 'direct'),
    referrer: text,
    referrerUrl: text,
    campaignId: text,
    campaignTerm: text,
    channel: fc.constantFrom('website', 'amp', 'apln-rta', 'fbia'),
    device: fc.constantFrom('desktop', 'mobile', 'tablet'),
    segments: fc.uniqueArray(text, { maxLength: 5 }),
  });
  fc.assert(
    fc.property(row, (parts) => {
      const stored = { ...(bring(good) as EventRow), campaignSource: '', ...parts } as EventRow;
      const back = bring(JSON.parse(JSON.stringify(exportView(stored))));
      expect(back).toEqual({ ...stored, day: (back as EventRow).day });
    }),
  );
});

test('a line counts for the post whose address it names with more behind it', () => {
  const pageOf = (of: string, url: string) => (of === site.id ? url.replace(/\?.*$/, '') : url);
  const date = new Date(now - 1000).toISOString();
  const brought = importView(
    { url: `https://${site.id}/a?ref=mail&cid=may`, date },
    {
      site,
      now,
      pipeline: new Pipeline({ ...options, pageOf }),
    },
  );
  expect(brought).toMatchObject({ url: `https://${site.id}/a`, campaignId: 'may' });
});
