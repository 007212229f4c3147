// GET /v2/analytics/annotations: a post with a date and no time is marked on that day, whatever the zone of the site.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');

describe.each([
  ['America/New_York', '2040-03-19T00:00:00-04:00'],
  ['Asia/Tokyo', '2040-03-19T00:00:00+09:00'],
])('of a site in %s', (timezone, time) => {
  let room: Newsroom;
  beforeAll(async () => {
    room = await openNewsroom({ now: NOW, timezone });
    for (const day of ['18', '19', '20']) {
      const url = `https://paper.example/${day}`;
      await room.write(url, { title: `Dated ${day}`, pubDate: Date.parse(`2040-03-${day}`) });
      await room.happen(...['18', '19', '20'].map((of) => ({ url, time: Date.parse(`2040-03-${of}T14:00:00Z`) })));
    }
  });
  afterAll(() => room.close());

  test.each([
    ['all posts', {}],
    ['one post', { post: 'https://paper.example/19' }],
  ])('the annotations of %s', async (_, params) => {
    const { data } = await room.ask('/analytics/annotations', {
      ...{ period_start: '2040-03-19', period_end: '2040-03-19' },
      ...params,
    });
    const found = data as unknown as { kind: string; label: string; time: string }[];
    const published = found.filter(({ kind }) => kind === 'published');
    expect(published.map(({ label, time: at }) => [label, at])).toEqual([['Dated 19', time]]);
  });
});
