// The answers of a cluster against a count by hand: the same worlds and questions as those of one engine, with two shards to join.
// AFTERWORD_TEST_RUNS=20000 asks that many.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Post } from '../../server/posts/post.ts';
import { createAnnotation } from '../../server/sites/annotations.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { parsePosts } from '../../server/storage/postRows.ts';
import { expectBusySettled, expectSettled } from '../ledger/settling.ts';
import { anyQuestion, expectAgreement, expectSeriesOfMaterialisedHours, settle } from '../support/agreement/agree.ts';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 40);
const WORLDS = 8;

let cluster: Cluster;
let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  const urls = cluster.nodes.map(({ url }) => url);
  room = await openNewsroom({ now: WORLD_NOW, engine: { kind: 'remote', urls, cluster: cluster.name } });
  worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(seed));
  await settle(room, worlds);
});

afterAll(async () => {
  await room?.close();
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

test('every answer of a cluster says what a count by hand says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: WORLDS - 1 }), anyQuestion, async (seed, asked) => {
      await expectAgreement(room, worlds[seed]!, { asked });
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

test('a series of kept hours says what a count by hand says, on a cluster too', () =>
  expectSeriesOfMaterialisedHours(room, worlds[0]!, RUNS));

test('what followed clicks is kept on a cluster as in one engine', () => expectSettled(room));

test('what followed clicks of busy days is kept on a cluster as in one engine', () => expectBusySettled(room));

test('posts that need care are found on a cluster', async () => {
  const url = 'https://paper.example/alone';
  await room.write(url, { title: 'Alone', pageType: 'post', pubDate: WORLD_NOW - 3 * 86_400_000 });
  const { data } = await room.ask('/analytics/setup/posts');
  // Tests before this one have written posts of the site, too; none of them is an orphan.
  expect(data).toMatchObject([{ orphans: { count: 1, posts: [{ url, title: 'Alone' }] }, crawl_failures: [] }]);
});

test('annotations of a curve are found on a cluster, and what a site wrote is removed there', async () => {
  // Tests before this one have set the clock.
  room.setNow(WORLD_NOW);
  const { annotations } = room.deps.store;
  const own = createAnnotation({ label: 'New front page', kind: 'deploy', at: WORLD_NOW - 60_000 });
  await annotations.save(room.site.id, own, WORLD_NOW);
  const url = 'https://paper.example/marked';
  await room.write(url, { title: 'Marked', pageType: 'post', section: 'Marked', pubDate: WORLD_NOW - 7_200_000 });
  await room.happen({ url, time: WORLD_NOW - 3_600_000, visitor: '1' });
  const found = async () => {
    const { data } = await room.ask('/analytics/annotations', { days: '1', section: 'Marked' });
    return (data as unknown as { kind: string; label: string }[]).map(({ kind, label }) => [kind, label]);
  };
  const ofPost = ['updated', 'published'].map((kind) => [kind, 'Marked']);
  expect(await found()).toEqual([ofPost[0], ['deploy', 'New front page'], ofPost[1]]);
  expect(await annotations.remove(room.site.id, own.id, WORLD_NOW)).toEqual(own);
  expect(await found()).toEqual(ofPost);
});

test('a cluster keeps the newest state of what the mix dial gives, of each site', async () => {
  const { frontiers } = room.deps.store;
  const none = { started: null, progress: null, reason: null, result: null };
  // Written within a millisecond, or by a copy whose clock is behind.
  await frontiers.save(room.site.id, { ...none, state: 'running' }, WORLD_NOW);
  await frontiers.save(room.site.id, { ...none, state: 'too-few' }, WORLD_NOW);
  await frontiers.save(room.site.id, { ...none, state: 'failed' }, WORLD_NOW - 5_000);
  expect((await frontiers.find(room.site.id))?.record.state).toBe('failed');
  expect(await frontiers.find(parseSiteId('lines.example')!)).toBeUndefined();
});

test('a cluster gives posts as lines for another thread, the same as in rows', async () => {
  const { posts } = room.deps.store;
  const site = parseSiteId('lines.example')!;
  const stories = Array.from({ length: 600 }, (_, number) => story(number));
  await posts.save(site, stories);
  const rows: Post[] = [];
  for await (const batch of posts.stream(site)) rows.push(...batch);
  const lines: Post[] = [];
  for await (const batch of posts.lines(site)) lines.push(...parsePosts(batch));
  expect(lines).toEqual(rows);
  expect(lines).toHaveLength(stories.length);
});

const story = (number: number): Post => ({
  url: `https://lines.example/${number}`,
  pageType: 'post',
  title: `Story ${number}`,
  imageUrl: '',
  thumbUrl: '',
  pubDate: null,
  section: 'News',
  authors: ['Ann'],
  tags: [],
  fullContent: `“${number}” `.repeat(500),
  wordCount: 500,
  language: 'en',
  duration: 0,
  postId: '',
  videoPlatform: '',
  metadata: '',
  updatedAt: WORLD_NOW,
});
