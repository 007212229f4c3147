// Posts that need care, through the front door: what lacks, what nothing leads to, what could not be read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUDIT_EXAMPLES, type ContentAuditRecord } from '../../server/contract/contentAudit.ts';
import { queued } from '../../server/crawl/schedule.ts';
import { DAY, HOUR } from '../../server/durations.ts';
import type { PostPatch } from '../../server/posts/post.ts';
import { BROWSER } from '../support/beacons.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2040-03-20T10:00:00Z');
const at = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());

const read = async () => (await room.ask('/analytics/setup/posts')).data[0] as unknown as ContentAuditRecord;
const namesOf = (posts: readonly { url: string }[]) => posts.map(({ url }) => url.slice(at('').length));

/** A post of three days ago that lacks nothing. */
const write = (name: string, patch: PostPatch = {}, aliases: readonly string[] = []) =>
  room.write(
    at(name),
    {
      ...{ title: `Of ${name}`, pageType: 'post', section: 'World', imageUrl: at(`${name}.jpg`) },
      ...{ pubDate: NOW - 3 * DAY, ...patch },
    },
    aliases,
  );

const hide = (name: string) => room.deps.exclusions.ignore(room.site.id, at(name));

/** Reports of a list with these items. */
const show = (items: readonly { name: string; seen: boolean }[]) =>
  room.app.request('http://stats.example/events', {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({
      events: [
        {
          ...{ idsite: room.site.id, action: 'list', url: at('seen'), eid: `shows ${items.map(({ name }) => name)}` },
          lists: [
            {
              ...{ list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true },
              seen: items.flatMap(({ name, seen }, index) => (seen ? [[index + 1, at(name), 'words']] : [])),
            },
          ],
        },
      ],
    }),
  });

test('a site without posts has no faults', async () => {
  expect(await read()).toEqual({
    posts: 0,
    lacking: ['image_url', 'pub_date', 'section'].map((field) => ({ field, count: 0, posts: [] })),
    orphans: { days: 30, count: 0, posts: [] },
    gone: { count: 0, posts: [] },
    crawl_failures: [],
  });
});

test('posts lack a picture, a date or a section; videos, other pages and hidden posts lack nothing', async () => {
  await write('whole');
  await write('no-picture', { imageUrl: '' });
  await write('newer-without-picture', { imageUrl: '', pubDate: NOW - 2 * DAY });
  await write('nothing', { imageUrl: '', section: '', pubDate: null });
  await write('film', { pageType: 'video', imageUrl: '' });
  await write('page', { pageType: 'other', imageUrl: '', section: '' });
  await write('hidden', { imageUrl: '' });
  await hide('hidden');
  const { posts, lacking } = await read();
  expect(posts).toBe(4);
  expect(lacking.map(({ field, count, posts: of }) => [field, count, namesOf(of)])).toEqual([
    ['image_url', 3, ['newer-without-picture', 'no-picture', 'nothing']],
    ['pub_date', 1, ['nothing']],
    ['section', 1, ['nothing']],
  ]);
  expect(lacking[0]!.posts[1]).toEqual({ url: at('no-picture'), title: 'Of no-picture' });
});

test('an orphan was neither seen in a list nor opened from a page of the site in thirty days', async () => {
  await write('seen');
  await write('shown-below-the-fold');
  await write('followed', {}, [at('followed-amp')]);
  await write('from-search');
  await write('long-ago');
  await write('of-today', { pubDate: NOW - HOUR });
  await show([
    { name: 'seen', seen: true },
    { name: 'shown-below-the-fold', seen: false },
  ]);
  await room.happen(
    { url: at('followed-amp'), referrerType: 'internal', referrer: 'paper.example' },
    { url: at('from-search'), referrerType: 'search', referrer: 'google' },
    { url: at('long-ago'), referrerType: 'internal', referrer: 'paper.example', time: NOW - 32 * DAY },
  );
  const names = async () => namesOf((await read()).orphans.posts);
  await until('the list is stored', async () => !(await names()).includes('seen'));
  const { orphans } = await read();
  expect(await names()).toEqual([
    'newer-without-picture',
    ...['from-search', 'long-ago', 'no-picture', 'shown-below-the-fold', 'whole'],
  ]);
  expect(orphans.count).toBe(6);
});

test('pages that could not be read are counted by reason, the last to fail first', async () => {
  const { crawlQueue } = room.deps.store;
  const failed = (name: string, lastFailure: 'robots' | 'bad-status', hours: number, due = 0) => ({
    ...queued(undefined, { site: room.site.id, url: at(name), requested: false }, NOW),
    ...{ lastFailure, updatedAt: NOW - hours * HOUR, due, attempts: 1 },
  });
  const many = Array.from({ length: AUDIT_EXAMPLES + 2 }, (_, index) => failed(`many-${index}`, 'robots', 10 + index));
  await crawlQueue.save([
    ...many,
    failed('later', 'bad-status', 2, NOW + HOUR),
    failed('earlier', 'bad-status', 3),
    failed('hidden', 'bad-status', 1),
    { ...failed('read', 'robots', 1), lastFailure: '' },
  ]);
  const { crawl_failures: failures } = await read();
  expect(failures.map(({ failure, count, pages }) => [failure, count, namesOf(pages).slice(0, 3)])).toEqual([
    ['robots', AUDIT_EXAMPLES + 2, ['many-0', 'many-1', 'many-2']],
    ['bad-status', 2, ['later', 'earlier']],
  ]);
  expect(failures[0]!.pages).toHaveLength(AUDIT_EXAMPLES);
  expect(failures[1]!.pages).toEqual([
    { url: at('later'), tried: new Date(NOW - 2 * HOUR).toISOString(), again: true },
    { url: at('earlier'), tried: new Date(NOW - 3 * HOUR).toISOString(), again: false },
  ]);
});

test('is for who has the secret', async () => {
  const asked = await room.app.request(`http://stats.example/v2/analytics/setup/posts?apikey=${room.site.id}`);
  expect(await asked.json()).toMatchObject({ success: false, code: 403 });
});
