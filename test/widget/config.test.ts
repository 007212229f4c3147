// Where a list is asked for, as the attributes say it.
import { describe, expect, it } from 'vitest';
import { listUrl } from '../../widget/config.ts';

const HOST = 'https://stats.example.com/';
const settings = { site: 'example.com', limit: '5', afterword: 'related' };

describe('the address of a list', () => {
  it.each([
    [{}, 'v2/related?apikey=example.com&limit=10'],
    [{ afterword: 'top' }, 'v2/top/posts?apikey=example.com&limit=10'],
    [{ afterword: 'top', type: 'videos', limit: '10' }, 'v2/top/videos?apikey=example.com&limit=15'],
    [
      { afterword: 'top', days: '7', section: 'Arts & Life' },
      'v2/top/posts?apikey=example.com&limit=10&section=Arts+%26+Life&days=7',
    ],
    [
      { author: 'Ada', tag: 'x', channel: 'amp' },
      'v2/related?apikey=example.com&limit=10&author=Ada&tag=x&channel=amp',
    ],
  ])('for %j is %s', (change, address) => {
    expect(listUrl(HOST, { ...settings, ...change })).toBe(HOST + address);
  });

  it('does not depend on how the list looks, so that such slots share an answer', () => {
    expect(listUrl(HOST, { ...settings, layout: 'grid', heading: 'More' })).toBe(listUrl(HOST, settings));
  });
});
