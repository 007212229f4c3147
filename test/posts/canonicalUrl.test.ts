// Addresses and the one URL they stand for.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalUrl, pageUrl, withoutQuery } from '../../server/posts/canonicalUrl.ts';

const long = (length: number) => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`;

describe('a canonical URL is obeyed', () => {
  test.each([
    ['https://a.example/x', 'https://a.example/x'],
    ['HTTPS://A.Example/Path', 'https://a.example/Path'],
    ['http://a.example:80/', 'http://a.example/'],
    ['https://a.example:443', 'https://a.example/'],
    ['http://a.example:443/', 'http://a.example:443/'],
    ['  https://a.example/x \n', 'https://a.example/x'],
    ['https://a.example/x#part', 'https://a.example/x'],
    ['https://a.example/x?', 'https://a.example/x'],
    ['https://a.example/?utm_source=kept&b=1', 'https://a.example/?utm_source=kept&b=1'],
    ['https://user:pass@a.example/', 'https://a.example/'],
    ['https://a.example./x', 'https://a.example/x'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://a.example/a/../b', 'https://a.example/b'],
    ['https://a.example/x/', 'https://a.example/x/'],
    [long(2048), long(2048)],
  ])('%s → %s', (given, canonical) => expect(canonicalUrl(given)).toBe(canonical));

  test.each([
    '',
    'a.example/x',
    '//a.example/x',
    'ftp://a.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http:a.example',
    'http:///x',
    'https://',
    'https://...',
    'https://a.example/\u0000',
    'https://a.example/a\nb',
    'https://a.example/%00',
    'https://a b.example/',
    'https://a.example:99999/',
    long(2049),
  ])('%j is refused', (given) => expect(canonicalUrl(given)).toBeUndefined());
});

describe('a page view names its page without saying where its reader came from', () => {
  test.each([
    ['https://a.example/x?utm_source=n&utm_medium=m', 'https://a.example/x'],
    ['https://a.example/x?UTM_Source=n', 'https://a.example/x'],
    ['https://a.example/x?b=2&utm_source=n&a=1', 'https://a.example/x?b=2&a=1'],
    ['https://a.example/x?a=1&fbclid=z&gclid=y&msclkid=w', 'https://a.example/x?a=1'],
    ['https://a.example/x?itm_campaign=z&mc_eid=1&_hsenc=q&pk_campaign=r', 'https://a.example/x'],
    ['https://a.example/x?q=a%20b+c&fbclid', 'https://a.example/x?q=a%20b+c'],
    ['https://a.example/x?id=1&id=2', 'https://a.example/x?id=1&id=2'],
    ['https://a.example/x?&&a=1&', 'https://a.example/x?a=1'],
    ['https://a.example/x??&a', 'https://a.example/x??&a'],
    ['https://a.example/x?autm_source=1', 'https://a.example/x?autm_source=1'],
    ['https://a.example/x?c=1&cid=2&campaign=3', 'https://a.example/x?c=1&cid=2&campaign=3'],
    ['https://a.example/x?a=utm_source=1#utm_source=2', 'https://a.example/x?a=utm_source=1'],
    [`${long(2000)}?fbclid=${'z'.repeat(3000)}`, long(2000)],
  ])('%s → %s', (given, page) => expect(pageUrl(given)).toBe(page));
});

describe('whatever the address', () => {
  const anything = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
    fc.string().map((tail) => `https://a.example/${tail}`),
    fc
      .array(fc.constantFrom('utm_source=a', 'b=1', 'fbclid', '', 'x', '%41=2', 'é=ü'), { maxLength: 6 })
      .map((parts) => `http://A.example:80/?${parts.join('&')}`),
  );

  test.each([
    ['canonicalUrl', canonicalUrl],
    ['pageUrl', pageUrl],
  ])('%s is the same twice, and plain', (_name, normalise) => {
    fc.assert(
      fc.property(anything, (text) => {
        const once = normalise(text);
        if (once === undefined) return;
        expect(normalise(once)).toBe(once);
        expect(once).toMatch(/^https?:\/\/[^A-Z/#]+\/[^#\s]*$/);
        expect(once.length).toBeLessThanOrEqual(2048);
      }),
      { numRuns: 2000 },
    );
  });

  test('a page is its own canonical URL', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const page = pageUrl(text);
        if (page !== undefined) expect(canonicalUrl(page)).toBe(page);
      }),
    );
  });
});

describe('of a query the tracking parameters are taken out, and the rest stays as it is', () => {
  // As the networks, shops and letters that add them call them.
  const NAMED = [
    ...['fbclid', 'igshid', 'igsh', 'twclid', '__twitter_impression', 'ttclid', 'li_fat_id', 'epik'],
    ...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'srsltid', '_ga', '_gl', 'msclkid', 'yclid', 'ysclid'],
    ...['mc_cid', 'mc_eid', 'mkt_tok', 'vero_id', 'oly_anon_id', 'oly_enc_id', 'hsctatracking', 'rb_clickid'],
    ...['s_kwcid', 'ef_id', 'at_campaign', 'at_medium', 'cmpid', 'mbid', 'trkid', '_ebid', '__source'],
  ];
  const BEGUN = ['utm_', 'itm_', 'pk_', 'mtm_', 'hsa_', '__hs', '_hs', 'wt.mc_'];
  const OTHER = ['a', 'utm', 'xutm_a', 'wtxmc_a', 'fbclid2', 'ga', '%75tm_a', '\u00e9', '?fbclid', 'constructor', ''];
  const tail = fc.constantFrom('', '=', '=1', '=utm_a', '=%41', '=?', "='", '=\u4e2d');
  const some = (names: readonly string[], rest = ['']) =>
    fc.tuple(fc.constantFrom(...names), fc.constantFrom(...rest), tail).map((parts) => parts.join(''));
  const loud = (part: string, isLoud: boolean) => (isLoud ? part.toUpperCase() : part);
  const tracking = fc
    .tuple(fc.oneof(some(NAMED), some(BEGUN, ['', 'id', 'X'])), fc.boolean())
    .map(([part, isLoud]) => ({ part: loud(part, isLoud), stays: false }));
  const other = some(OTHER).map((part) => ({ part, stays: part !== '' }));
  const parts = fc.array(fc.oneof(tracking, other), { maxLength: 400 });

  test('in any order, up to the longest URL', () => {
    fc.assert(
      fc.property(parts, fc.nat(1900), (query, length) => {
        const base = `https://a.example/${'x'.repeat(length)}`;
        const kept = query.filter(({ stays }) => stays).map(({ part }) => part);
        const expected = kept.length > 0 ? `${base}?${kept.join('&')}` : base;
        expect(pageUrl(`${base}?${query.map(({ part }) => part).join('&')}`)).toBe(canonicalUrl(expected));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['thousands of them', `https://a.example/?${'_ga&'.repeat(2000)}b`, 'https://a.example/?b'],
    ['thousands of empty ones', `https://a.example/?${'&'.repeat(8000)}`, 'https://a.example/'],
    [
      'as many others as fit',
      `https://a.example/?${'b&'.repeat(1014)}c&_ga`,
      `https://a.example/?${'b&'.repeat(1014)}c`,
    ],
    ['one character more', `https://a.example/?${'b&'.repeat(1014)}cc&_ga`, undefined],
  ])('%s', (_name, given, page) => expect(pageUrl(given)).toBe(page));
});

test('the last look-up leaves out query and fragment', () => {
  expect(withoutQuery('https://a.example/x?a=1#b')).toBe('https://a.example/x');
  expect(withoutQuery('https://a.example/x#b?c')).toBe('https://a.example/x');
  expect(withoutQuery('https://a.example/x')).toBe('https://a.example/x');
});
