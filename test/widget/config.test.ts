// Where a list is asked for, as the attributes say it.
import { describe, expect, it } from 'vitest';
import { listUrl, toLimit } from '../../widget/config.ts';
import type { Settings } from '../../widget/host.ts';

const RELATED = 'https://stats.example.com/v2/related';

const settingsOf = (change: Record<string, string>): Settings => ({
  site: 'example.com',
  ...change,
  limit: toLimit(change.limit),
});

describe('the address of a list', () => {
  it.each([
    [{}, '?apikey=example.com&limit=5'],
    [{ limit: '10' }, '?apikey=example.com&limit=10'],
    [{ days: '7', section: 'Arts & Life' }, '?apikey=example.com&limit=5&section=Arts+%26+Life&days=7'],
    [{ section: 'a\ud800' }, '?apikey=example.com&limit=5&section=a%EF%BF%BD'],
    [{ channel: 'amp', tag: 'x', author: 'Ada' }, '?apikey=example.com&limit=5&author=Ada&tag=x&channel=amp'],
  ])('for %j ends in %s', (change, query) => {
    expect(listUrl(RELATED, settingsOf(change))).toBe(RELATED + query);
  });

  it('does not depend on how the list looks, so that such slots share an answer', () => {
    const looks = settingsOf({ layout: 'grid', heading: 'More' });
    expect(listUrl(RELATED, looks)).toBe(listUrl(RELATED, settingsOf({})));
  });
});

describe('the number of posts', () => {
  it.each([
    ['1', 1],
    ['25', 25],
    ['26', 25],
    ['5000000', 25],
    ['99999999999', 25],
    ['1e9', 25],
    ['Infinity', 5],
    ['-1', 25],
    ['2.7', 2],
    ['0.5', 5],
    ['0', 5],
    ['', 5],
    ['ten', 5],
    ['5 x', 5],
  ])('for %j is %i', (limit, posts) => {
    expect(settingsOf({ limit }).limit).toBe(posts);
  });
});
