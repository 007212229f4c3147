// `afterword backup` of a cluster onto a disk of its servers while readers come in, and `afterword restore` into empty databases.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sealManifest } from '../../server/cli/backup/manifest.ts';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { bread, emptyDatabases, harbour, openSite, view, viewsOf } from './journey.ts';

let cluster: Cluster;
let folders: string[];
let where: string[];
let server: TestServer;

beforeAll(async () => {
  folders = [makeDataDir(), makeDataDir()];
  cluster = await startCluster(folders);
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
const tables = () =>
  Promise.all(cluster.nodes.map((node) => node.ask("SELECT name FROM system.tables WHERE database = 'afterword'")));
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const emptied = () => emptyDatabases(cluster.nodes);

test('what was counted when it was made is there again, on its shards, and continues from there', async () => {
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
  const salts = () => cluster.nodes[0]!.ask('SELECT count() FROM afterword.salts');
  expect(Number(await salts())).toBeGreaterThan(0);

  // Verified beside the database, which stays in use and as it was.
  const verify = () => runCommand(['backup', 'verify', folder, ...where]);
  const databases = () => cluster.nodes[0]!.ask("SELECT name FROM system.databases WHERE name LIKE 'afterword%'");
  expect(await verify()).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(`is whole: restored beside the database of 2 servers, with the checksums`),
  });
  expect([await databases(), await view(server, harbour)]).toEqual(['afterword', true]);
  expect(await runCommand(['backup', 'verify', folder])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('on the disk attic of ClickHouse servers: name them with --clickhouse-url'),
  });
  expect(await server.stop()).toBe(0);

  await emptied();
  const restored = await runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain(`${made.counts.events} events`);
  expect(await salts()).toBe('0');
  server = await startServer({ flags: where });
  expect(total(await viewsOf(server, site))).toBe(made.counts.views);
  expect(await view(server, harbour)).toBe(true);
  expect(total(await viewsOf(server, site))).toBe(made.counts.views + 1);

  // Into databases that are not empty it is refused; so is a count that is not what was backed up.
  const again = await runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be restored') });
  expect(await server.stop()).toBe(0);
  expect(again.stderr).toContain('is not empty');
  const manifest = join(folder, 'backup.json');
  const sealed = readFileSync(manifest, 'utf8');
  const { checksum: _, ...said } = JSON.parse(sealed);
  const counts = { ...said.counts, sites: 2 };
  writeFileSync(manifest, sealManifest({ ...said, counts, after: counts }));
  await emptied();
  const damaged = await runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('2 sites were backed up, 1 came out') });
  expect(await tables()).toEqual(['', '']);
  writeFileSync(manifest, sealed);

  // A flipped bit of any kind of file of one server: the table is named, and nothing is left on either.
  const attic = join(folders[0]!, 'attic');
  const restore = () => runCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  for (const [kind, table, command] of [
    [/events_local\/.*\/data\.bin$/, 'events_local', verify],
    [/posts_local\/.*\/data\.\w*mrk\w*$/, 'posts_local', restore],
    [/events_local\/.*\/checksums\.txt$/, 'events_local', restore],
    [/metadata\/.*\/events_local\.sql$/, 'events_local', verify],
  ] as const) {
    const file = filesBelow(attic).find((path) => kind.test(path))!;
    const bytes = readFileSync(file);
    const flipped = Buffer.from(bytes);
    // In a definition, a letter of a name: a line break is as good as a tab.
    flipped[file.endsWith('.sql') ? flipped.indexOf('campaign') : flipped.length >> 1]! ^= 1;
    writeFileSync(file, flipped);
    const { code, stderr } = await command();
    writeFileSync(file, bytes);
    expect({ code, stderr, left: await tables(), databases: await databases() }, `${kind}`).toEqual({
      code: 1,
      stderr: expect.stringContaining(table),
      left: ['', ''],
      databases: 'afterword',
    });
  }

  // Broken off at any moment, it does not open; restored again, it is whole.
  const broken = await startCommand(['restore', folder, '--data', makeDataDir(), ...where]);
  await until('some tables are there', async () => (await tables()).join().includes('_local'));
  broken.child.kill('SIGKILL');
  await broken.ended;
  const list = () => runCommand(['site', 'list', '--json', '--data', makeDataDir(), ...where]);
  expect(await list()).toMatchObject({ code: 1, stderr: expect.stringContaining('An unfinished restore lies in') });
  expect(await runCommand(['restore', folder, '--data', makeDataDir(), ...where])).toMatchObject({ code: 0 });
  expect((await tables()).join()).not.toContain('unfinished_restore');
  expect(JSON.parse((await list()).stdout)).toMatchObject([{ apikey: 'journey.example' }]);
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
