// What pages write, made fit to keep.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  commaSeparated,
  jsonObject,
  languageTag,
  line,
  moment,
  names,
  webUrl,
} from '../../../server/posts/readPage/clean.ts';
import { readPage } from '../../../server/posts/readPage/readPage.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['2024-05-07', at('2024-05-07T00:00:00Z')],
  ['2024-05-07T09:30:00+02:00', at('2024-05-07T07:30:00Z')],
  ['2024-05-07T09:30:00+0200', at('2024-05-07T07:30:00Z')],
  ['2024-05-07 09:30:00', at('2024-05-07T09:30:00Z')],
  ['Tue, 07 May 2024 09:30:00 GMT', at('2024-05-07T09:30:00Z')],
  ['Tue, 07 May 2024 09:30:00 +0200', at('2024-05-07T07:30:00Z')],
  ['Tue May 07 2024 09:30:00 GMT+0200 (CEST)', at('2024-05-07T07:30:00Z')],
  ['May 7, 2024', at('2024-05-07T00:00:00Z')],
  ['7 May 2024 09:30', at('2024-05-07T09:30:00Z')],
  ['1715067000', at('2024-05-07T07:30:00Z')],
  ['1715067000000', at('2024-05-07T07:30:00Z')],
  [1715067000, at('2024-05-07T07:30:00Z')],
  ['2024-02-30', undefined],
  ['yesterday', undefined],
  ['7', undefined],
  ['2024', undefined],
  ['999999-01-01', undefined],
  ['1500-01-01', undefined],
  ['', undefined],
  [null, undefined],
  [{}, undefined],
])('the moment of %j', (text, time) => {
  expect(moment(text)).toBe(time);
});

test.each([
  ['7-May-2024', at('2024-05-07T00:00:00Z')],
  ['05-07-2024', at('2024-05-07T00:00:00Z')],
  ['09:30 05-07-2024', at('2024-05-07T09:30:00Z')],
  ['May 7, 2024 9:30 am', at('2024-05-07T09:30:00Z')],
  ['May 7, 2024 9:30 am -0400', at('2024-05-07T13:30:00Z')],
  ['Tue, 07 May 2024 09:30:00.5 +0200', at('2024-05-07T07:30:00.500Z')],
])('the moment of %j is that of UTC or of its own zone, whatever the zone of this machine', (text, time) => {
  vi.stubEnv('TZ', 'America/New_York');
  try {
    expect(new Date(2024, 4, 7).toISOString()).toBe('2024-05-07T04:00:00.000Z');
    expect(moment(text)).toBe(time);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ['07.05.2024', undefined, at('2024-05-07T00:00:00Z')],
  ['Di., 7.5.2024, 09:30 Uhr', 'de', at('2024-05-07T09:30:00Z')],
  ['7. März 2024', 'de', at('2024-03-07T00:00:00Z')],
  ['2024年5月7日 09:30', 'ja', at('2024-05-07T09:30:00Z')],
  ['2024년 5월 7일', 'ko', at('2024-05-07T00:00:00Z')],
  ['07/05/2024', 'fr', at('2024-05-07T00:00:00Z')],
  ['07-05-2024', 'nl', at('2024-05-07T00:00:00Z')],
  ['07/05/2024', 'en-GB', at('2024-05-07T00:00:00Z')],
  ['05/07/2024', 'en', at('2024-05-07T00:00:00Z')],
  ['31/05/2024', 'en', undefined],
  ['31.02.2024', 'de', undefined],
  ['1er juin 2024', 'fr', at('2024-06-01T00:00:00Z')],
  ['7 août 2024 à 9h30', 'fr', at('2024-08-07T09:30:00Z')],
  ['7 de agosto de 2024', 'es', at('2024-08-07T00:00:00Z')],
  ['7 мая 2024 г., 09:30', 'ru', at('2024-05-07T09:30:00Z')],
  ['7 maja 2024', 'pl', at('2024-05-07T00:00:00Z')],
  ['7 Ağustos 2024', 'tr', at('2024-08-07T00:00:00Z')],
  ['Tue, 07 May 2024 09:30:00 +0200', 'tr', at('2024-05-07T07:30:00Z')],
  ['7 May 2024 09:30', 'xx', at('2024-05-07T09:30:00Z')],
])('the moment of %j on a page in %s', (text, language, time) => {
  expect(moment(text, language)).toBe(time);
});

test.each([
  ['/a/b.jpg', 'https://news.example/a/b.jpg'],
  ['b.jpg', 'https://news.example/dir/b.jpg'],
  ['//cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
  [' https://user:pass@cdn.example/a.jpg ', 'https://cdn.example/a.jpg'],
  ['javascript:alert(1)', undefined],
  ['data:image/png;base64,AA', undefined],
  ['file:///etc/passwd', undefined],
  ['ftp://news.example/a', undefined],
  ['https://', undefined],
  [`https://news.example/${'a'.repeat(3000)}`, undefined],
  ['', undefined],
  [7, undefined],
])('the address %j', (text, url) => {
  expect(webUrl(text, 'https://news.example/dir/page')).toBe(url);
});

test.each([
  ['en', 'en'],
  ['en_US', 'en-US'],
  ['ES-mx', 'es-MX'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  ['english', undefined],
  ['x', undefined],
  ['', undefined],
])('the language %j', (text, tag) => {
  expect(languageTag(text)).toBe(tag);
});

test('lines lose control characters and blanks, and are bounded', () => {
  expect(line(' a\u0000\u0007\n\t b\u009f ')).toBe('a b');
  expect(line('\ud800x')).toBe('\ufffdx');
  expect(line('x'.repeat(5000))).toHaveLength(2000);
  expect(line(' \n ')).toBeUndefined();
  expect(line({ toString: () => 'no' })).toBeUndefined();
});

test('names come once each, in order, as many as allowed', () => {
  expect(names(['b', ' a ', 'b', '', null, {}, 'c'], 2)).toEqual(['b', 'a']);
  expect(names([null], 5)).toBeUndefined();
  expect(names(['Ana\u200b Silva', '\u2060Ana Silva', 'Ana Silva', '\u200b'], 5)).toEqual(['Ana Silva']);
  expect(names(['علی\u200cرضا'], 5)).toEqual(['علی\u200cرضا']);
  expect(commaSeparated('a, b,,c').map((name) => line(name))).toEqual(['a', 'b', undefined, 'c']);
});

test.each([
  ['经济，体育， 天气', ['经济', '体育', '天气']],
  ['東京、経済', ['東京', '経済']],
  ['اقتصاد، رياضة', ['اقتصاد', 'رياضة']],
  ['eau; crue ;Seine', ['eau', 'crue', 'Seine']],
  ['L&#8217;eau; crue', ['L&#8217;eau', 'crue']],
  ['eau; crue, Seine', ['eau; crue', 'Seine']],
  // In a list with Latin commas, the others are part of a name.
  ['水、木, 金', ['水、木', '金']],
])('names in %s stand between the commas of their script', (text, expected) => {
  expect(names(commaSeparated(text), 9)).toEqual(expected);
});

test('custom metadata is a JSON object, as it was written', () => {
  expect(jsonObject(' {"a": 1} ', 100)).toBe('{"a": 1}');
  expect(jsonObject({ a: 1 }, 100)).toBe('{"a":1}');
  for (const no of ['[1]', '7', '"x"', '{', '', null, [1], '{"a":"bbbbbbbb"}'])
    expect(jsonObject(no, 10)).toBeUndefined();
});

describe('whatever a page is made of', () => {
  const mine = (url: URL) => url.hostname === 'news.example';
  const shreds = [
    '<script type="application/ld+json">',
    '</script>',
    '{"@type":"Article",',
    '"@graph":[',
    ']}',
    '<meta property="og:title" content="',
    '<meta name=parsely-page content=\'{"title":',
    '<link rel=canonical href=',
    '">',
    '<p>',
    '</div>',
    '<article>',
    '<!--',
    '<![CDATA[',
    '&#x0;',
    '\u0000',
    '\ud800',
    'text ',
  ];
  const soup = fc
    .array(fc.oneof(fc.constantFrom(...shreds), fc.string()), { maxLength: 60 })
    .map((parts) => parts.join(''));

  test('it is read without an error, into bounded text of the site', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const { url, patch } = readPage({ url: 'https://news.example/a', html }, mine);
        expect(mine(new URL(url))).toBe(true);
        const texts = [patch.title, patch.section, ...patch.authors, ...patch.tags, patch.fullContent, patch.language];
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        for (const text of texts) expect(text).not.toMatch(/[\u0000-\u0008\u000e-\u001f]|\p{Surrogate}/u);
        expect(patch.imageUrl).toMatch(/^(?:https?:\/\/|$)/);
      }),
      { numRuns: 300 },
    );
  });

  test('reading it twice says the same', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const page = { url: 'https://news.example/a', html };
        expect(readPage(page, mine)).toEqual(readPage(page, mine));
      }),
      { numRuns: 50 },
    );
  });
});
