// `afterword backup` while readers come in, and `afterword restore` elsewhere: what was counted at the moment of the backup is there.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealManifest } from '../../server/cli/backup/manifest.ts';
import { findSocket } from '../../server/cli/socket.ts';
import { sendOverSocket } from '../../server/cli/socketClient.ts';
import { VERSION } from '../../server/storage/schema/schema.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let server: TestServer;
let site: TestSite;
let made = 0;
let acknowledged = 0;
/** The backup of a quiet paper. */
let quiet: string;

/** Sends views of a few pages, twenty at a time, until it is stopped. */
async function read(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const events = Array.from({ length: 20 }, () => {
      made++;
      const url = `https://backup.example/${made % 5}`;
      return { idsite: site.apikey, action: 'pageview', url, eid: `view-${made}`, u: `reader-${made % 50}` };
    });
    const headers = { 'User-Agent': BROWSER };
    const { status } = await fetch(`${server.url}/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ events }),
    });
    expect(status).toBe(200);
    acknowledged += events.length;
  }
}

async function command(...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

interface Lists {
  data: { title: string; _hits: number; metrics: { visitors: number } }[];
}
const lists = async (of: TestServer) => {
  await allStored(of);
  const params = { apikey: site.apikey, secret: site.secret, sort: 'visitors' };
  return await getJson<Lists>(of, '/v2/analytics/posts', params);
};
const hits = ({ data }: Lists) => data.reduce((sum, { _hits }) => sum + _hits, 0);

beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'backup.example');
  for (const page of [0, 1, 2, 3, 4]) {
    const metadata = { canonical_url: `https://backup.example/${page}`, title: `Page ${page}` };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  }
});
afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

test('made while readers come in, it holds every view acknowledged before, none twice, and works elsewhere', async () => {
  const folder = join(makeDataDir(), "the reader's copy");
  const stop = new AbortController();
  const whileTheyRead = async () => {
    await until('some have read', () => acknowledged > 1000);
    const before = acknowledged;
    return { before, backup: await command('backup', folder, '--data', server.dataDir), sent: made };
  };
  const readers = Array.from({ length: 8 }, () => read(stop.signal));
  const { before, backup, sent } = await whileTheyRead().finally(async () => {
    stop.abort();
    await Promise.all(readers);
  });
  expect(acknowledged).toBeGreaterThan(before);
  expect(hits(await lists(server))).toBe(acknowledged);

  const { events, views, visitors, posts, sites } = backup.counts;
  expect(events).toBeGreaterThanOrEqual(before);
  expect(events).toBeLessThanOrEqual(sent);
  expect({ views, visitors, posts, sites }).toEqual({ views: events, visitors: 50, posts: 5, sites: 1 });

  const dataDir = join(makeDataDir(), 'restored');
  expect(await command('restore', folder, '--data', dataDir)).toMatchObject({ counts: backup.counts });
  const restored = await startServer({ dataDir });
  const there = await lists(restored);
  expect(hits(there)).toBe(events);
  expect(there.data.map(({ title }) => title).sort()).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3', 'Page 4']);
  for (const { metrics } of there.data) expect(metrics.visitors).toBe(10);

  // It continues from there: new views are counted, also in the roll-ups.
  const view = {
    idsite: site.apikey,
    action: 'pageview',
    url: 'https://backup.example/0',
    eid: 'after',
    u: 'newcomer',
  };
  const headers = { 'User-Agent': BROWSER };
  await fetch(`${restored.url}/events`, { method: 'POST', headers, body: JSON.stringify({ events: [view] }) });
  expect(hits(await lists(restored))).toBe(events + 1);
  expect(await restored.stop()).toBe(0);
});

test('a file that was imported before it is known where it is restored, and one that was imported later is not', async () => {
  const views = (name: string) => {
    const file = join(makeDataDir(), name);
    // Before the days of the lists that other tests look at.
    const date = new Date(Date.now() - 100 * 86_400_000).toISOString();
    writeFileSync(file, `url,date\nhttps://backup.example/${name},${date}\n`);
    return file;
  };
  const [before, later] = [views('before.csv'), views('later.csv')];
  const bring = (file: string, dataDir: string) =>
    command('import', 'views', 'backup.example', file, '--data', dataDir);
  expect(await bring(before, server.dataDir)).toMatchObject({ before: false });
  const folder = join(makeDataDir(), 'copy');
  await command('backup', folder, '--data', server.dataDir);
  expect(await bring(later, server.dataDir)).toMatchObject({ before: false });

  // Into the folder of a database that is lost, beside its records of both imports.
  const dataDir = makeDataDir();
  cpSync(join(server.dataDir, 'imports'), join(dataDir, 'imports'), { recursive: true });
  await command('restore', folder, '--data', dataDir);
  expect(await bring(before, dataDir)).toMatchObject({ outcomes: { stored: 1 }, before: true });
  expect(await bring(later, dataDir)).toMatchObject({ outcomes: { stored: 1 }, before: false });
});

test('events acknowledged just before are in it, and those that a killed server left in its log are counted', async () => {
  const busy = await startServer();
  await addSite(busy, 'late.example');
  /** The insert of the second one is not due yet. */
  const readTwice = async () => {
    for (const url of ['https://late.example/1', 'https://late.example/2']) {
      const event = { idsite: 'late.example', action: 'pageview', url, u: 'reader' };
      const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events: [event] }) };
      expect((await fetch(`${busy.url}/events`, init)).status).toBe(200);
    }
  };
  const words = ['backup', join(makeDataDir(), 'copy'), '--data', busy.dataDir];
  await readTwice();
  const { stdout } = await runInProcess([...words, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ counts: { events: 2 }, spooled: 0 });

  await readTwice();
  await busy.kill();
  const { code, stdout: said } = await runCommand(['backup', join(makeDataDir(), 'copy'), '--data', busy.dataDir]);
  expect({ code, said }).toEqual({
    code: 0,
    said: expect.stringMatching(/^[12] acknowledged events? of the write-ahead log .* did not reach the tables/m),
  });
});

test('without a server it is the same command, and only the owner can read what it makes', async () => {
  const dataDir = makeDataDir();
  await command('site', 'add', 'quiet.example', '--referrer', 'partner.example=social', '--data', dataDir);
  quiet = join(makeDataDir(), 'copy');
  const { counts } = await command('backup', quiet, '--data', dataDir);
  expect(counts).toEqual({ sites: 1, posts: 0, aliases: 0, events: 0, views: 0, visitors: 0 });
  expect(statSync(quiet).mode & 0o777).toBe(0o700);

  const elsewhere = join(makeDataDir(), 'data');
  await command('restore', quiet, '--data', elsewhere);
  expect(await command('site', 'list', '--data', elsewhere)).toMatchObject([
    { apikey: 'quiet.example', referrers: { 'partner.example': 'social' } },
  ]);
});

test('a backup of an earlier version, without checksums of its files, is restored, and what was not verified is said', async () => {
  const earlier = join(makeDataDir(), 'earlier');
  cpSync(quiet, earlier, { recursive: true });
  const manifest = join(earlier, 'backup.json');
  const { checksum: _, files: __, definitions: ___, ...said } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify(said));
  const restored = await runCommand(['restore', earlier, '--data', join(makeDataDir(), 'data')]);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('without checksums of its files') });
  writeFileSync(manifest, JSON.stringify({ ...said, schema: VERSION + 1 }));
  const refused = await runCommand(['restore', earlier, '--data', join(makeDataDir(), 'data')]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The backup has schema version ${VERSION + 1}`),
  });
});

test('a backup that does not hold what it says is found out, and nothing is left of it', async () => {
  const manifest = join(quiet, 'backup.json');
  const { checksum: _, ...said } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, sealManifest({ ...said, counts: { ...said.counts, sites: 2 } }));
  const third = join(makeDataDir(), 'data');
  const damaged = await runCommand(['restore', quiet, '--data', third]);
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('2 sites were backed up, 1 came out') });
  expect(readdirSync(third)).toEqual([]);
});

/** Files and folders below one that somebody else may read, itself included. */
function openToOthers(folder: string): string[] {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...below.filter((entry) => !entry.isSymbolicLink()).map((at) => join(at.parentPath, at.name))];
  return paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
}

test('an empty folder that others may read is its owner’s alone once it holds a backup, and so is what is restored', async () => {
  const mine = join(makeDataDir(), 'mine');
  const dataDir = join(mine, 'data');
  mkdirSync(mine);
  await command('site', 'add', 'private.example', '--data', dataDir);
  const copy = join(mine, 'copy');
  mkdirSync(copy);
  chmodSync(copy, 0o755);
  // As of a shell that allows everything to everybody.
  const open = ['sh', '-c', 'umask 0; exec "$@"', 'sh'];
  const backup = await runCommand(['backup', copy, '--data', dataDir], {}, open);
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(openToOthers(copy)).toEqual([]);
  const restored = join(mine, 'restored');
  mkdirSync(restored);
  chmodSync(restored, 0o777);
  expect(await runCommand(['restore', copy, '--data', restored], {}, open)).toMatchObject({ code: 0, stderr: '' });
  expect(openToOthers(restored)).toEqual([]);
});

test('a link in the place of the folder is not followed', async () => {
  const [elsewhere, planted] = [makeDataDir(), join(makeDataDir(), 'copy')];
  symlinkSync(elsewhere, planted);
  const { code, stderr } = await runCommand(['backup', planted, '--data', server.dataDir]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is a symbolic link') });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('what would overwrite something, or restore nothing, is refused in one line', async () => {
  const used = makeDataDir();
  writeFileSync(join(used, 'letter.txt'), 'dear reader');
  const cases = [
    [['backup', used, '--data', server.dataDir], 'is not empty'],
    [['backup', join(used, 'letter.txt', 'copy'), '--data', server.dataDir], 'There is no folder'],
    [['restore', used, '--data', makeDataDir()], 'holds no finished backup'],
  ] as const;
  for (const [words, sentence] of cases) {
    const { code, stdout, stderr } = await runCommand(words);
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 });
    expect(stderr).toContain(sentence);
  }
  const folder = join(makeDataDir(), 'copy');
  await command('backup', folder, '--data', server.dataDir);
  const running = await runCommand(['restore', folder, '--data', server.dataDir]);
  expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('A server is running on') });
});

test('the server notes when it was made, also where the command has ended meanwhile', async () => {
  const noted = join(server.dataDir, 'last-backup');
  rmSync(noted, { force: true });
  const folder = join(makeDataDir(), 'copy');
  // What the command sends; nothing of the answer is used.
  await sendOverSocket((await findSocket(server.dataDir))!, 'POST', '/backups', { body: { folder } });
  const { made } = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  expect(readFileSync(noted, 'utf8')).toBe(`${made}\n`);
});
