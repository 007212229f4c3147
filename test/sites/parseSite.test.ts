// What an operator may say about a site.
import { describe, expect, test } from 'vitest';
import { parseDomain, parseTimezone } from '../../server/sites/parseSite.ts';

describe('a time zone', () => {
  test.each([
    ['Europe/Madrid', 'Europe/Madrid'],
    ['europe/madrid', 'Europe/Madrid'],
    [' America/New_York ', 'America/New_York'],
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['US/Eastern', 'America/New_York'],
    ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
  ])('%j is %s', (text, expected) => {
    expect(parseTimezone(text)).toBe(expected);
  });

  test('both names of a zone that was renamed are taken', () => {
    expect(parseTimezone('Asia/Kolkata')).toBeDefined();
    expect(parseTimezone('Asia/Calcutta')).toBe(parseTimezone('Asia/Kolkata'));
  });

  test.each(['', ' ', 'Mars/Olympus', '+02:00', 'UTC+2', "UTC') --", 'Europe/Madrid\0', 'Europe', '../../etc/passwd'])(
    '%j is refused',
    (text) => {
      expect(parseTimezone(text)).toBeUndefined();
    },
  );
});

describe('a domain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com:80', 'example.com'],
    ['localhost:8080', 'localhost:8080'],
    ['127.0.0.1:3000', '127.0.0.1:3000'],
    ['[::1]:3000', '[::1]:3000'],
    ['[::1]', '[::1]'],
    ['zürich.example', 'xn--zrich-kva.example'],
    ['my_site.example', 'my_site.example'],
  ])('%j is %s', (text, expected) => {
    expect(parseDomain(text)).toBe(expected);
  });

  test.each([
    '',
    'https://example.com',
    'example.com/path',
    'user@example.com',
    'a b.com',
    'example.com:99999',
    '*.example.com',
    '-',
    `${'a'.repeat(64)}.com`,
    '?',
    'a..b',
  ])('%j is refused', (text) => {
    expect(parseDomain(text)).toBeUndefined();
  });
});
