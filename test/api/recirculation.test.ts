// Recirculation by interval: only posts lead on, whatever other pages of the site have links to them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-11-14T14:30:00Z');
const A = 'https://paper.example/a';
const B = 'https://paper.example/b';
/** A page without a tag, which has no views. */
const HUB = 'https://paper.example/hub';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  await room.write(A, { title: 'A' });
  await room.write(B, { title: 'B' });
  const from = (referrerUrl: string) => ({ referrerType: 'internal' as const, referrer: 'paper.example', referrerUrl });
  await room.happen(
    { url: A, visitor: '1' },
    { url: B, visitor: '1', ...from(A) },
    { url: B, visitor: '2', ...from(HUB) },
    { url: A, visitor: '3', ...from(HUB) },
  );
});
afterAll(() => room.close());

test('links from a page that is no post, and has no views, are left out of a series', async () => {
  const asked = { metrics: 'views,recirculation_rate', period_start: '2040-11-14', period_end: '2040-11-14' };
  const { data } = await room.ask('/analytics/series', asked);
  expect(data).toMatchObject([{ metrics: { views: 4, recirculation_rate: 0.25 } }]);
});

test('a view from which two others were opened counts once: a share is never above the whole', async () => {
  const opened = 'https://paper.example/opened';
  const next = { referrerType: 'internal' as const, referrer: 'paper.example', referrerUrl: opened };
  await room.write(opened, { title: 'Opened', section: 'Opened' });
  await room.happen(
    { url: opened, visitor: '4' },
    { url: A, visitor: '4', ...next },
    { url: B, visitor: '4', ...next },
  );
  for (const period_start of ['2040-11-14', '1h']) {
    const asked = { section: 'Opened', sort: 'recirculation_rate', period_start };
    const { data } = await room.ask('/analytics/posts', asked);
    expect(data.map(({ metrics }) => metrics)).toEqual([{ recirculation_rate: 1, views: 1 }]);
  }
});

test('a visit of a campaign that went on from another address of its post counts for the post', async () => {
  const post = 'https://paper.example/renamed';
  const former = 'https://paper.example/former';
  await room.write(post, { title: 'Renamed', section: 'Renamed', authors: ['Rita'] });
  await room.deps.store.posts.alias(room.site.id, post, [former], NOW);
  const campaign = { campaignMedium: 'mail' };
  await room.happen(
    { url: post, visitor: '5', ...campaign },
    { url: A, visitor: '5', ...campaign, referrerType: 'internal', referrer: 'paper.example', referrerUrl: former },
  );
  const metrics = { views: 1, recirculation_rate: 1 };
  const asked = { campaign_medium: 'mail', section: 'Renamed', metrics: 'views,recirculation_rate' };
  for (const sort of ['views', 'visitors']) {
    const { data } = await room.ask('/analytics/posts', { ...asked, sort });
    expect(data).toMatchObject([{ url: post, metrics }]);
    const authors = await room.ask('/analytics/authors', { ...asked, sort });
    expect(authors.data).toMatchObject([{ author: 'Rita', metrics }]);
  }
});
