// `afterword backup` of a cluster onto a disk of its servers while readers come in, and `afterword restore` into empty databases.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { bread, emptyDatabases, harbour, openSite, view, viewsOf } from './journey.ts';

let cluster: Cluster;
let where: string[];
let server: TestServer;

beforeAll(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  where = ['--clickhouse-url', cluster.nodes.map(({ url }) => url).join(), '--clickhouse-cluster', cluster.name];
});
beforeEach(async () => {
  await emptied();
  server = await startServer({ flags: where });
});
afterEach(() => server.stop());
afterAll(async () => {
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

const total = (views: Record<string, number>) => Object.values(views).reduce((sum, count) => sum + count, 0);
const emptied = () => emptyDatabases(cluster.nodes);

test('what was counted when it was made is there again, on its shards, and goes on from there', async () => {
  const site = await openSite(server);
  for (const url of [harbour, bread]) expect(await view(server, url, 5)).toBe(true);
  const open = new AbortController();
  const readers = [harbour, bread].map(async (url) => {
    while (!open.signal.aborted) expect(await view(server, url)).toBe(true);
  });
  const folder = join(makeDataDir(), 'copy');
  const words = ['backup', folder, '--disk', 'attic', '--data', server.dataDir, '--json'];
  const { code, stdout, stderr } = await runCommand(words);
  open.abort();
  await Promise.all(readers);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const made = JSON.parse(stdout);
  expect(made).toMatchObject({ disk: { name: 'attic', servers: 2 }, counts: { sites: 1 } });
  expect(made.counts.events).toBeGreaterThanOrEqual(10);
  expect(made.after).toEqual(made.counts);
  expect(await server.stop()).toBe(0);

  await emptied();
  const restored = await runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain(`${made.counts.events} events`);
  server = await startServer({ flags: where });
  expect(total(await viewsOf(server, site))).toBe(made.counts.views);
  expect(await view(server, harbour)).toBe(true);
  expect(total(await viewsOf(server, site))).toBe(made.counts.views + 1);

  // Into databases that are not empty it is refused; so is a count that is not what was backed up.
  const again = await runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be restored') });
  expect(await server.stop()).toBe(0);
  const manifest = join(folder, 'backup.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll('"sites": 1', '"sites": 2'));
  await emptied();
  const damaged = await runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('2 sites were backed up, 1 came out') });
});

test('a place that is none is refused in one line that says what to name', async () => {
  const folder = () => join(makeDataDir(), 'copy');
  const cases = [
    [['backup', folder(), '--data', server.dataDir], 'name a disk of theirs with --disk'],
    [['backup', folder(), '--disk', 'cellar', '--data', server.dataDir], 'cellar'],
    [['restore', folder(), '--data', makeDataDir(), ...where], 'holds no finished backup'],
  ] as const;
  for (const [words, sentence] of cases) {
    const { code, stdout, stderr } = await runCommand(words);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
});
