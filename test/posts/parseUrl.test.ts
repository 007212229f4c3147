// The URL parser behind a bound: the same answers as the parser alone, but for hosts no DNS knows, and never slow.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUrl } from '../../server/posts/parseUrl.ts';
import { cpuTime } from '../support/cpuTime.ts';

const letters = (count: number) => Array.from({ length: count }, (_, i) => String.fromCharCode(0x4e00 + i)).join('');
const LONG = letters(8000);

function parserAlone(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return undefined;
  }
}

describe('a host that is longer than any name of the DNS is refused before it is converted', () => {
  test.each([
    ['as it is', `https://${LONG}.org/`],
    ['percent-encoded', `https://${encodeURIComponent(LONG)}.org/`],
    ['behind user names', `https://a@b:c@${LONG}.org/`],
    ['before a port', `https://${LONG}:8080/`],
    ['behind backslashes', `https:\\\\${LONG}\\a`],
    ['without slashes', `https:${LONG}/`],
    ['behind many slashes', `http:////\\/${LONG}`],
    ['behind blanks and control characters', ` \u0001\u001f https://${LONG}`],
    ['with tabs and newlines in between', `ht\ntps:/\t/${LONG}\r`],
    ['in capitals', `HTTPS://${LONG}/`],
    ['before a query', `https://${LONG}?a`],
    ['before a fragment', `ws://${LONG}#a`],
    ['in brackets', `https://[${LONG}]/`],
    ['of a file', `file://a@${LONG}/b`],
    ['of accents', `https://a${'\u0323\u0301'.repeat(4000)}.org/`],
    ['of dots', `https://${'.'.repeat(8000)}/`],
    ['of letters', `https://${'a'.repeat(254)}/`],
    ['of an application', `android-app://${'a'.repeat(8000)}/`],
  ])('%s', (_, text) => {
    const taken = cpuTime();
    expect(parseUrl(text)).toBeUndefined();
    expect(taken()).toBeLessThan(50);
  });

  test.each([
    ['by two slashes', `//${LONG}/`],
    ['by two backslashes', `\\\\${LONG}/`],
    ['by another scheme', `http:${LONG}/`],
    ['by the same scheme', `https:\\/${LONG}/`],
  ])('relative to a page, %s', (_, text) => {
    const taken = cpuTime();
    expect(parseUrl(text, 'https://a.example/b')).toBeUndefined();
    expect(taken()).toBeLessThan(50);
  });

  test('a short host whose Punycode is longer', () => {
    expect(new URL(`https://${letters(200)}.org/`).hostname.length).toBeGreaterThan(253);
    expect(parseUrl(`https://${letters(200)}.org/`)).toBeUndefined();
  });
});

describe('everything else is what the URL parser says', () => {
  test('for a host with letters of Latin-1, also when the parser has been called often enough to be compiled', () => {
    const text = 'https://b\u00fccher.example/\u00e4';
    const refused = Array.from({ length: 50_000 }, () => parseUrl(text)).filter((url) => url === undefined);
    expect(refused).toEqual([]);
    expect(parseUrl(text)?.href).toBe('https://xn--bcher-kva.example/%C3%A4');
  });

  const label = 'a'.repeat(49);
  const longest = `${[label, label, label, label].join('.')}.${'b'.repeat(53)}`;

  test.each([
    ['the longest name', `https://${longest}/`],
    ['the longest name and the root', `https://${longest}./`],
    ['a long path', `https://a.example/${'x'.repeat(9000)}`],
    ['a long user name', `https://${'x'.repeat(9000)}@a.example/`],
    ['a port of many zeros', `https://a.example:${'0'.repeat(9000)}80/`],
    ['a percent-encoded name', `https://${encodeURIComponent(letters(40))}.example/`],
    ['text that is no host', `data:text/plain,${LONG}`],
    ['a long name without authority', `mailto:${LONG}@a.example`],
    ['a file', `file:///${LONG}`],
    ['many slashes', `https:${'/'.repeat(9000)}a.example/`],
    ['no URL', LONG],
  ])('%s', (_, text) => {
    expect(parseUrl(text)?.href).toBe(parserAlone(text)?.href);
  });

  test('a long relative address is a path', () => {
    for (const text of [LONG, `/${LONG}`, `https:${LONG}`, `https:/${LONG}`, `?${LONG}`, `#//${LONG}`]) {
      expect(parseUrl(text, 'https://a.example/b')?.href).toBe(new URL(text, 'https://a.example/b').href);
    }
  });

  const part = (...of: string[]) => fc.constantFrom('', ...of);
  const address = fc
    .tuple(
      part(' ', '\u0001\t', '\n'),
      part('http:', 'https:', 'HTTP:', 'ht\ttp:', 'ftp:', 'file:', 'foo:', 'javascript:', 'a b:'),
      part('/', '//', '\\\\', '/\\', '///', '/\n/', '//\\\\//'),
      part('u@', 'u:p@', '@', ':@', 'a@b@', '\u4e2d@', '%40@'),
      part(
        'a.example',
        'b\u00fccher.example',
        '\u4e2d\u56fd',
        '%e4%b8%ad',
        '[::1]',
        '[::1',
        '1.2.3.4',
        '0x7f.1',
        '...',
        'a b',
      ),
      part('.', ':80', ':', ':99999', ':0000080', ':a', ']:1'),
      part('/', '/\u4e2d', '?q=//x', '#//x', '\\x', '/../x', '/%2e%2e/', '//x@y:1'),
      part('x', 'y'.repeat(400), '/'.repeat(400), '\u4e2d'.repeat(300)),
    )
    .map((parts) => parts.join(''));
  const base = fc.constantFrom(undefined, 'http://p.example/a/b', 'https://p.example/?q');

  test('of any address', () => {
    fc.assert(
      fc.property(address, base, (text, from) => {
        const expected = parserAlone(text, from);
        const found = parseUrl(text, from);
        // Nothing is refused but a host of the last part.
        if (found === undefined && expected !== undefined) expect(expected.hostname.length).toBeGreaterThan(253);
        else expect(found?.href).toBe(expected?.href);
        if (found) expect(found.hostname.length).toBeLessThanOrEqual(254);
      }),
      { numRuns: 20_000 },
    );
  });
});
