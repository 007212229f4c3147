// Referrers as browsers, apps and mail programs send them, and what they count as.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REFERRER_CATEGORIES } from '../../server/contract/referrers.ts';
import hosts from '../../server/ingest/referrers/hosts.json' with { type: 'json' };
import { shownName, TABLE_CATEGORIES } from '../../server/ingest/referrers/table.ts';
import { AddressReader } from '../../server/ingest/steps/address.ts';
import { classifyReferrer, DIRECT } from '../../server/ingest/steps/referrer.ts';
import { parseUrl } from '../../server/posts/parseUrl.ts';

/** `referrers.txt`, a referrer at a time: hosts are written without a scheme. */
const cases = readFileSync(new URL('referrers.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [, expected = '', referrers = ''] = /^(.*?): (.*)$/.exec(line) ?? [];
    return referrers.split(' ').map((text) => [text.includes(':') ? text : `https://${text}/`, expected] as const);
  });

const addresses = new AddressReader();

const classify = (referrer: string) => {
  const { category, name } = addresses.referrer(referrer).foreign;
  return `${category} ${shownName(category, name)}`.trim();
};

test('the table of cases has more than three hundred referrers', () => expect(cases.length).toBeGreaterThan(300));

test.each(cases)('%s is %s', (referrer, expected) => expect(classify(referrer)).toBe(expected));

test.each([
  '',
  ' ',
  'about:blank',
  'file:///home/reader/page.html',
  'data:text/html,x',
  'android-app://',
  'google.com',
])('no referrer is in "%s"', (referrer) => expect(addresses.referrer(referrer).foreign).toEqual(DIRECT));

test('the very host is kept beside the brand', () => {
  const host = (referrer: string) => addresses.referrer(referrer).foreign.host;
  expect(host('https://www.google.de/')).toBe('google.de');
  expect(host('https://l.facebook.com/l.php')).toBe('l.facebook.com');
  expect(host('android-app://com.openai.chatgpt/')).toBe('com.openai.chatgpt');
});

test('a host that only contains the name of a network is not that network', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.constantFrom('t.co', 'x.com', 'vk.com', 'bing.com'),
      (word, host) => {
        expect(classify(`https://${word}${host}/`)).not.toMatch(/^(?:social|search) (?:x\.com|vk\.com|bing)$/);
        expect(classify(`https://zz-${word}.${host}/`)).toBe(classify(`https://${host}/`));
      },
    ),
  );
});

test('whatever is sent, the answer has a category and a bounded name', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,63}$/);
  const anyReferrer = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.array(label, { maxLength: 40 }).map((labels) => `https://${labels.join('.')}/`),
    fc
      .array(fc.constantFrom('google', 'com', 'co', 'uk', 'www', 'facebook', 'de', 'cdn', 'ampproject', 'org'))
      .map((labels) => `https://${labels.join('.')}/`),
    fc
      .tuple(fc.constantFrom('https://', 'android-app://'), fc.string({ maxLength: 2500 }))
      .map((parts) => parts.join('')),
    fc.constantFrom('a.', 'é.', '中').map((piece) => `https://${piece.repeat(2000)}com/`),
    fc.constant(`android-app://${'a.'.repeat(1024)}com`),
  );
  fc.assert(
    fc.property(anyReferrer, (referrer) => {
      const { category, name, host } = addresses.referrer(referrer).foreign;
      expect([...REFERRER_CATEGORIES, 'direct']).toContain(category);
      expect(name.length).toBeLessThanOrEqual(253);
      expect(host.length).toBeLessThanOrEqual(253);
      expect(name === '').toBe(category === 'direct');
      expect(classifyReferrer(parseUrl(referrer.trim()))).toEqual(addresses.referrer(referrer).foreign);
    }),
    { numRuns: 500 },
  );
});

test('the table is sorted, names every host once, and its source', () => {
  expect(hosts.source).toMatch(/^https:\/\/github\.com\/matomo-org\/searchengine-and-social-list \d/);
  expect(hosts.licence).toBe('CC0-1.0');
  const plain = (host: string) => host.replace('=', '');
  const seen = new Set<string>();
  for (const category of TABLE_CATEGORIES) {
    const brands: Record<string, string[]> = hosts[category];
    expect(Object.keys(brands)).toEqual(Object.keys(brands).sort());
    for (const [brand, listed] of Object.entries(brands)) {
      const rest = listed.map(plain).slice(1);
      expect([brand, rest]).toEqual([brand, [...rest].sort()]);
      for (const host of listed.map(plain)) {
        expect(host).toMatch(/^[a-z0-9_-]+(?:\.[a-z0-9_{}-]+)+$/);
        expect([host, seen.has(host)]).toEqual([host, false]);
        seen.add(host);
      }
    }
  }
  expect(seen.size).toBeGreaterThan(1000);
});
