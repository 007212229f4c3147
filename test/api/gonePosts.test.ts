// Posts whose page is gone, through the front door: readers are led to none of them, editors see their figures.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentAuditRecord } from '../../server/contract/contentAudit.ts';
import type { StoredPostRecord } from '../../server/contract/wire.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T10:00:00Z');
const HOUR = 3_600_000;
const at = (name: string) => `https://paper.example/${name}`;
const [HERE, GONE, FILM, GONE_FILM] = [at('here'), at('gone'), at('film'), at('gone-film')];

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  for (const url of [HERE, GONE, at('third')])
    await room.write(url, { title: `Harbour of ${url.slice(-5)}`, pageType: 'post', pubDate: NOW - HOUR });
  for (const url of [FILM, GONE_FILM]) await room.write(url, { title: 'Film', pageType: 'video' });
  await room.happen(
    ...Array.from({ length: 5 }, () => ({ url: GONE, time: NOW - HOUR })),
    { url: HERE, time: NOW - HOUR },
    ...[FILM, GONE_FILM].map((video) => ({ url: HERE, action: 'videostart' as const, video, time: NOW - HOUR })),
  );
  for (const url of [GONE, GONE_FILM])
    await room.deps.library.write(room.site.id, url, { patch: { goneAt: NOW - HOUR }, by: 'page' });
});
afterAll(() => room.close());

const urlsOf = async (path: string, params: Record<string, string> = {}) =>
  (await room.ask(path, params)).data.map(({ url }) => url);

test('no list that readers see has them', async () => {
  expect(await urlsOf('/top/posts')).toEqual([HERE]);
  expect(await urlsOf('/top/videos')).toEqual([FILM]);
  expect(await urlsOf('/related', { url: HERE })).toEqual([at('third')]);
  expect((await urlsOf('/search', { q: 'harbour' })).sort()).toEqual([HERE, at('third')]);
  const fragment = await room.app.request(`http://stats.example/v2/fragment/top?apikey=paper.example`);
  const html = await fragment.text();
  expect(html).toContain(HERE);
  expect(html).not.toContain(GONE);
});

test('their traffic counts on', async () => {
  expect(await urlsOf('/analytics/posts')).toEqual([GONE, HERE]);
  expect((await room.ask('/analytics/post/detail', { url: GONE })).data[0]).toMatchObject({ metrics: { views: 5 } });
});

test('what is stored of one says since when it is gone, and the content audit counts it apart', async () => {
  const [stored] = (await room.ask('/metadata/post', { url: GONE })).data as unknown as StoredPostRecord[];
  expect(stored).toMatchObject({ hidden: false, gone: '2040-03-20T09:00:00.000Z' });
  const [audit] = (await room.ask('/analytics/setup/posts')).data as unknown as ContentAuditRecord[];
  expect(audit!.posts).toBe(2);
  expect(audit!.gone).toEqual({ count: 1, posts: [{ url: GONE, title: 'Harbour of /gone' }] });
});

test('none is pinned, and the refusal says why', async () => {
  const answer = await room.app.request('http://stats.example/v2/rules', {
    method: 'POST',
    body: JSON.stringify({
      apikey: room.site.id,
      secret: room.writeSecret,
      set: { name: 'front', always: true, rules: [{ pin: GONE }] },
    }),
  });
  expect(await answer.text()).toContain('a post whose page is gone: no list shows it');
});
