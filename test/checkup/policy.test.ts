// Content security policies, held against what they let our script and our connections do.
import { describe, expect, test } from 'vitest';
import { refusedBy } from '../../server/checkup/policy.ts';

const page = new URL('https://paper.example/story');
const script = (address = 'https://stats.example/afterword.js') => ({ url: new URL(address), page });

describe('a script from another host', () => {
  test.each([
    ['', undefined],
    ["frame-ancestors 'none'", undefined],
    ['default-src *', undefined],
    ['default-src https:', undefined],
    ['script-src http:', undefined],
    ['script-src stats.example', undefined],
    ['script-src *.example', undefined],
    ['script-src https://stats.example/', undefined],
    ['script-src https://stats.example/afterword.js', undefined],
    ['script-src https://stats.example:443', undefined],
    ['SCRIPT-SRC HTTPS://STATS.EXAMPLE', undefined],
    ["default-src 'none'; script-src stats.example", undefined],
    ["script-src 'none'; script-src stats.example", 'script-src'],
    ["default-src 'self'", 'default-src'],
    ["default-src *; script-src 'self'", 'script-src'],
    ["script-src *; script-src-elem 'self'", 'script-src-elem'],
    ['script-src *.stats.example', 'script-src'],
    ['script-src stats.example:8443', 'script-src'],
    ['script-src https://stats.example/other/', 'script-src'],
    ['script-src notstats.example', 'script-src'],
    ["script-src 'strict-dynamic' https://stats.example", 'script-src'],
    ["script-src 'unsafe-inline' data: blob:", 'script-src'],
  ])('under "%s" is refused by %s', (policy, refused) => {
    expect(refusedBy([policy], 'script', script())).toBe(refused);
  });
});

test('a nonce or a hash of the tag lets it run, also under strict-dynamic', () => {
  const policy = "script-src 'nonce-abc' 'sha384-xyz' 'strict-dynamic'";
  expect(refusedBy([policy], 'script', { ...script(), nonce: 'abc' })).toBeUndefined();
  expect(refusedBy([policy], 'script', { ...script(), integrity: 'sha384-xyz' })).toBeUndefined();
  expect(refusedBy([policy], 'script', { ...script(), nonce: 'other', integrity: 'sha384-other' })).toBe('script-src');
});

test('the page’s own origin is what self means', () => {
  expect(refusedBy(["script-src 'self'"], 'script', script('https://paper.example/afterword.js'))).toBeUndefined();
  expect(refusedBy(["script-src 'self'"], 'script', script('https://other.example/afterword.js'))).toBe('script-src');
});

test('every policy must agree', () => {
  expect(refusedBy(['default-src *', "connect-src 'self'"], 'connect', script())).toBe('connect-src');
});

test.each([
  ["connect-src 'self'; script-src *", 'connect-src'],
  ["default-src 'none'; connect-src https://stats.example", undefined],
  ["script-src 'none'", undefined],
])('a connection under "%s" is refused by %s', (policy, refused) => {
  expect(refusedBy([policy], 'connect', script('https://stats.example/events'))).toBe(refused);
});

test.each(['script-src ((((', 'script-src http://[', 'script-src https://*:x', ';;;; ;', 'script-src \u0000'])(
  'nonsense as "%s" breaks nothing',
  (policy) => {
    expect(() => refusedBy([policy], 'script', script())).not.toThrow();
  },
);
