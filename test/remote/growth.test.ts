// From one size to the next: a data folder moves to a server, from there to a cluster of two shards, which gets a
// third, and back into a folder. After each step every answer says what a count by hand says, and whatever is broken
// off continues.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineOptions } from '../../server/storage/connect.ts';
import { type Asked, expectAgreement, QUESTIONS, type QuestionName, settle } from '../support/agreement/agree.ts';
import { sketch } from '../support/agreement/sketch.ts';
import { type ClickHouse, type Cluster, startClickHouse, startCluster } from '../support/clickhouse.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { lastDays, makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

/** Two that are asked at the same moment, so that they share their months. */
const SEEDS = [0, 7];
/** More than a month: a move takes partition by partition. */
const DAYS = 40;

let single: ClickHouse;
let cluster: Cluster;
let home: string;
let first: Newsroom;
let worlds: World[];

const urlsOf = (of: Cluster) => of.nodes.map(({ url }) => url);
const inCluster = (of: Cluster): EngineOptions => ({ kind: 'remote', urls: urlsOf(of), cluster: of.name });
const flagsOf = (of: Cluster) => ['--clickhouse-url', urlsOf(of).join(), '--clickhouse-cluster', of.name];
const away = (words: readonly string[]) => runCommand([...words, '--data', makeDataDir()]);

/** Each kind of question: the same ones at every step. */
const questions: Asked[] = (Object.keys(QUESTIONS) as QuestionName[]).flatMap((what, at) =>
  fc.sample(sketch, { seed: at + 1, numRuns: 1 }).map((one) => ({ what, sketch: one })),
);

let steps = 0;

/** Every other question, the others at the next step: each is asked of shards and of a database that is whole. */
async function expectAnswers(engine: EngineOptions): Promise<void> {
  const turn = steps++ % 2;
  const room = await openNewsroom({ now: WORLD_NOW, engine, like: first });
  try {
    for (const [at, asked] of questions.entries()) {
      if (at % 2 === turn) await expectAgreement(room, worlds[(at >> 1) % worlds.length]!, { asked });
    }
  } finally {
    await room.close();
  }
}

beforeAll(async () => {
  home = makeDataDir();
  mkdirSync(home, { recursive: true });
  [single, cluster] = await Promise.all([startClickHouse(makeDataDir()), startCluster([makeDataDir(), makeDataDir()])]);
  first = await openNewsroom({ now: WORLD_NOW, engine: { kind: 'embedded', path: join(home, 'engine') } });
  worlds = SEEDS.map((seed) => lastDays(makeWorld(seed, WORLD_NOW), DAYS));
  await settle(first, worlds);
  await first.close();
});
afterAll(async () => {
  await Promise.all([single, ...cluster.nodes].map((node) => node.kill()));
  await removeDataDirs();
});

/** Kills a command as soon as the condition holds, wherever it is then. */
async function killed(words: readonly string[], condition: () => Promise<boolean>): Promise<void> {
  const { child, ended } = await startCommand([...words, '--data', makeDataDir()]);
  await until('it is under way', condition);
  child.kill('SIGKILL');
  await ended;
}

const rowsOf = async (node: ClickHouse, table: string) =>
  Number(await node.ask(`SELECT count() FROM ${table}`).catch(() => 0));

test('a folder moves to a server, then to two shards, and every answer is the same', async () => {
  const toServer = await runCommand(['move', '--data', home, '--to', single.url, '--json']);
  expect(toServer).toMatchObject({ code: 0 });
  await expectAnswers({ kind: 'remote', urls: [single.url] });

  const toCluster = ['move', '--clickhouse-url', single.url, '--to', urlsOf(cluster).join(), '--cluster', cluster.name];
  await killed(toCluster, async () => (await rowsOf(cluster.nodes[0]!, 'unfinished_move')) > 5);
  const half = await away(['site', 'list', ...flagsOf(cluster)]);
  expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('An unfinished move lies in') });
  const whole = await away([...toCluster, '--json']);
  expect(whole).toMatchObject({ code: 0 });
  expect(JSON.parse(whole.stdout).rows).toEqual(JSON.parse(toServer.stdout).rows);
  await expectAnswers(inCluster(cluster));

  // Neither a database that is not empty, nor one server of a cluster, is taken for what it is not.
  const again = await away(toCluster);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  const one = await away(['site', 'list', '--clickhouse-url', cluster.nodes[0]!.url]);
  expect(one).toMatchObject({ code: 1, stderr: expect.stringContaining('is one of a cluster') });
});

test('neither rows are spread nor a database is copied while copies of the server use it, wherever their folders are', async () => {
  const flags = flagsOf(cluster);
  const copy = await startServer({ flags });
  const add = ['cluster', 'add', ...flags];
  const back = ['move', ...flags, '--to-data', join(makeDataDir(), 'data')];
  for (const words of [add, back])
    expect(await away(words)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: A copy of the server uses this database .* stop every copy/),
    });
  expect(await copy.stop()).toBe(0);
  // A copy that ended in order has said so.
  expect(await away(add)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
});

test('a shard more is refused by every command until the rows are spread over it, and then every answer is the same', async () => {
  cluster = await cluster.grow(makeDataDir(), [2, 0, 1]);
  const flags = flagsOf(cluster);
  for (const words of [['site', 'list'], ['serve', '--port', '0'], ['migrate'], ['migrate', '--plan']]) {
    const { code, stdout, stderr } = await away([...words, ...flags]);
    expect({ words, code, said: stdout + stderr }).toEqual({
      words,
      code: 1,
      said: expect.stringContaining('run afterword cluster add'),
    });
  }
  const before = JSON.parse((await away(['cluster', 'status', '--json', ...flags])).stdout);
  expect(before).toMatchObject({ configured: '3 shards', stored: '2 shards' });
  expect(before.servers.map(({ shard, stored, state }: Record<string, unknown>) => [shard, stored, state])).toEqual([
    [2, 1, 'rows of another layout'],
    [3, 2, 'rows of another layout'],
    [1, undefined, 'no tables'],
  ]);

  const [, , added] = cluster.nodes as [ClickHouse, ClickHouse, ClickHouse];
  const add = ['cluster', 'add', ...flags];
  await killed(add, async () => (await rowsOf(added, 'unfinished_rebalance')) > 5);
  expect(await away(['site', 'list', ...flags])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not finished'),
  });
  // Into their place, too, they come piece by piece.
  await killed(add, async () => (await rowsOf(cluster.nodes[0]!, `unfinished_rebalance WHERE step = 'verified'`)) > 0);
  expect(await away(add)).toMatchObject({ code: 0, stdout: expect.stringMatching(/events +\d+/) });
  expect(await away(add)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });

  const after = JSON.parse((await away(['cluster', 'status', '--json', ...flags])).stdout);
  expect(after).toMatchObject({ stored: '3 shards' });
  expect(after.servers.map(({ shard, stored, state }: Record<string, unknown>) => [shard, stored, state])).toEqual([
    [2, 2, 'ready'],
    [3, 3, 'ready'],
    [1, 1, 'ready'],
  ]);
  expect(await rowsOf(added, 'events_local')).toBeGreaterThan(10);
  // Each row is on the shard that its next version would be written to.
  for (const table of ['posts', 'sites', 'aliases', 'events'])
    for (const [at, slot] of [1, 2, 0].entries()) {
      const hash = table === 'sites' ? 'sipHash64(site)' : `sipHash64(site, ${table === 'aliases' ? 'alias' : 'url'})`;
      expect(await rowsOf(cluster.nodes[at]!, `${table}_local WHERE ${hash} % 3 != ${slot}`), table).toBe(0);
    }
  await expectAnswers(inCluster(cluster));
});

test('a cluster moves back into a folder, and every answer is the same', async () => {
  const folder = join(makeDataDir(), 'data');
  const back = await away(['move', ...flagsOf(cluster), '--to-data', folder]);
  expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`afterword serve --data ${folder}`) });
  await expectAnswers({ kind: 'embedded', path: join(folder, 'engine') });
});
