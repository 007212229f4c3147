// The lists of a cluster against a naive counter: the same worlds and questions as those of one engine, with two shards to join.
// AFTERWORD_TEST_RUNS=20000 asks that many.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { countNaively } from '../support/naiveCounter.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { anyQuery } from '../support/worldQueries.ts';
import { makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 100);
const WORLDS = 12;

let cluster: Cluster;
let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  const urls = cluster.nodes.map(({ url }) => url);
  room = await openNewsroom({ now: WORLD_NOW, engine: { kind: 'remote', urls, cluster: cluster.name } });
  worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(seed));
  await room.happen(...worlds.flatMap((world) => world.events));
  for (const { site, zone, posts, aliases, excluded } of worlds) {
    await room.deps.sites.add({ ...room.site, id: site, timezone: zone });
    await room.deps.store.posts.save(site, posts);
    for (const [alias, url] of aliases) await room.deps.store.posts.alias(site, url, [alias], WORLD_NOW);
    for (const url of excluded) await room.deps.exclusions.ignore(site, url);
  }
}, 120_000);

afterAll(async () => {
  await room?.close();
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

test('every list of a cluster says what a count by hand says', async () => {
  const world = fc.nat({ max: WORLDS - 1 }).map((seed) => worlds[seed]!);
  await fc.assert(
    fc.asyncProperty(world, anyQuery, async (world, { path, params, naive }) => {
      const { data, meta } = await room.ask(path, { ...params, apikey: world.site, limit: '2000' });
      const sort = path.startsWith('/shares') ? 'shares' : meta.sort;
      const values = data.map(({ name, url, _hits, metrics }) => ({
        name: name ?? url,
        hits: _hits,
        value: metrics[sort],
      }));
      expect(values).toEqual(countNaively(world, naive));
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);
