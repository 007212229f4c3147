// A disk that is full, for real: of the database and the spool together, and of the spool alone while the database is away.
// What was acknowledged is there once; what has no room is refused with 503, and taken again by itself when there is room.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BEACON_FLAGS, BROWSER, createReaders, type Readers } from '../support/beacons.ts';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { startServer, type TestServer, type TestSite } from '../support/server.ts';
import { openSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const SITE = 'full.example';
const NOTHING_WRONG = { lost: [], twice: [], strange: [] };

const small = await openSmallDisk(MIB);
if (typeof small === 'string') console.warn(`Not tested: full disks, because ${small}.`);
else await small.close();

beforeAll(awayFromMidnight);

const opened: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
  await removeDataDirs();
});

async function openDisk(bytes: number): Promise<SmallDisk> {
  const disk = await openSmallDisk(bytes);
  if (typeof disk === 'string') throw new Error(disk);
  opened.push(disk);
  return disk;
}

async function openServer(disk: SmallDisk, flags: readonly string[] = []): Promise<TestServer> {
  const server = await startServer({ dataDir: disk.folder, within: disk.within, flags });
  opened.push({ close: () => server.stop() });
  return server;
}

async function addSite({ dataDir }: TestServer, { within }: SmallDisk): Promise<TestSite> {
  const words = ['site', 'add', SITE, '--json', '--data', dataDir, ...BEACON_FLAGS];
  const { code, stdout, stderr } = await runCommand(words, {}, within);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function openSite(server: TestServer, disk: SmallDisk): Promise<Readers> {
  await addSite(server, disk);
  return createReaders(SITE);
}

/** Sizes of the files in which the engine keeps statements that remove rows. */
const mutationsOf = ({ seen }: SmallDisk): number[] =>
  readdirSync(join(seen, 'engine'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/mutation_\d+\.txt$/.test(name))
    .map((name) => statSync(join(seen, 'engine', name)).size);

/** Some by each door. */
async function sendAll(readers: Readers, server: TestServer, batches = 20): Promise<boolean[]> {
  return await Promise.all(Array.from({ length: batches }, () => readers.send(server)));
}

/** Refused, with a reason and a time to come again. */
async function expectRefusal(server: TestServer): Promise<void> {
  const event = { idsite: SITE, action: 'pageview', url: 'http://localhost:9/refused', eid: 'refused' };
  const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events: [event] }) };
  const answer = await fetch(`${server.url}/events`, init);
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await answer.json()).toEqual({
    code: 503,
    message: 'Events cannot be stored now: send them again in 5 s.',
    success: false,
  });
}

// Needs a small file system of its own; the probe says why there is none.
describe.skipIf(typeof small === 'string')('a disk that is full', { concurrent: true }, () => {
  test('of database and spool has events refused, and taken again by itself when there is room', async () => {
    const disk = await openDisk(96 * MIB);
    const server = await openServer(disk);
    const readers = await openSite(server, disk);
    expect(await sendAll(readers, server)).not.toContain(false);

    disk.fill();
    await until('nothing more is taken', async () => !(await sendAll(readers, server)).includes(true));
    await expectRefusal(server);
    await until('the log says so', () =>
      server.log().some(({ msg }) => String(msg).startsWith('events refused: neither')),
    );

    disk.makeRoom();
    await until('events are taken again', () => readers.send(server));
    expect(await sendAll(readers, server)).not.toContain(false);
    expect(await readers.compare(server, disk.within)).toEqual(NOTHING_WRONG);
    expect(await readers.sendAgain(server)).toBe(0);
    expect(await readers.compare(server, disk.within)).toEqual(NOTHING_WRONG);
  });

  test('has changes refused with what to do, and taken when there is room; lists are answered meanwhile', async () => {
    const disk = await openDisk(96 * MIB);
    const server = await openServer(disk);
    const { apikey, secret, write_secret } = await addSite(server, disk);
    let pages = 0;
    const page = () => `https://${SITE}/${++pages}`;
    const ask = (path: string) =>
      fetch(`${server.url}/v2/${path}&${new URLSearchParams({ apikey, secret, url: page() })}`);
    const write = () => {
      const metadata = { canonical_url: page(), title: 'Post', full_content: 'Five words are in here' };
      const body = JSON.stringify({ apikey, secret: write_secret, metadata });
      const headers = { 'Content-Type': 'application/json' };
      return fetch(`${server.url}/v2/metadata/posts`, { method: 'POST', headers, body });
    };
    const rotate = () =>
      runCommand(['site', 'rotate-secret', SITE, '--write', '--data', server.dataDir], {}, disk.within);
    const changes = [write, ...['exclude/ignore?', 'profile?uuid=reader', 'crawl?'].map((path) => () => ask(path))];
    /** The engine may free some room at any time, by a merge. */
    const whileFull = <T extends object>(change: () => Promise<T>, isTaken: (result: T) => boolean) =>
      until('nothing is taken', async () => {
        disk.fill();
        const result = await change();
        return isTaken(result) ? undefined : result;
      });

    const says = 'The disk of the database is full: make room on it, then try again.';
    for (const change of changes) {
      const answer = await whileFull(change, ({ status }) => status === 200);
      expect([answer.status, answer.headers.get('Retry-After')], answer.url).toEqual([503, '5']);
      expect(await answer.json()).toEqual({ code: 503, message: `Service Unavailable: ${says}`, success: false });
    }
    const where = `It is the disk of ${server.dataDir}; df -h ${server.dataDir} shows it.`;
    const inFull = { code: 1, stderr: `error: ${says} ${where}\n` };
    expect(await whileFull(rotate, ({ code }) => code === 0)).toMatchObject(inFull);
    const file = join(makeDataDir(), 'posts.ndjson');
    writeFileSync(file, JSON.stringify({ canonical_url: page(), title: 'Post' }));
    const bring = () => runCommand(['import', 'posts', SITE, file, '--data', server.dataDir], {}, disk.within);
    // The record of the import comes first, by which the same command continues.
    expect(await whileFull(bring, ({ code }) => code === 0)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .*disk.* is full.*: make room on it, then (run the command|try) again\./),
    });
    for (const list of ['analytics/posts?', 'related?', 'search?q=post'])
      expect((await ask(list)).status, list).toBe(200);

    disk.makeRoom();
    for (const change of changes) expect(await (await change()).json()).toMatchObject({ success: true });
    expect(await rotate()).toMatchObject({ code: 0, stderr: '' });
    expect(await bring()).toMatchObject({ code: 0, stderr: '' });
  });

  test('while a site is removed lets the removal end when there is room, and the next start open the database', async () => {
    const disk = await openDisk(96 * MIB);
    const server = await openServer(disk);
    await openSite(server, disk);
    disk.fill();
    const words = ['site', 'remove', SITE, '--yes', '--data', server.dataDir];
    const removal = await startCommand(words, {}, disk.within);
    await until('a statement could not be written', () => mutationsOf(disk).some((size) => size === 0));
    await until('it says what it waits for', () => removal.output.stderr.includes('waits for room where the disk'));
    disk.makeRoom();
    expect([await removal.ended, removal.output.stdout]).toEqual([0, `Site ${SITE} is removed.\n`]);
    expect(await server.stop()).toBe(0);

    const again = await openServer(disk);
    expect(again.log()).toContainEqual(expect.objectContaining({ msg: expect.stringMatching(/^the disk was full/) }));
    expect(mutationsOf(disk)).not.toContain(0);
    const { stdout } = await runCommand(['site', 'list', '--json', '--data', again.dataDir], {}, disk.within);
    expect(JSON.parse(stdout)).toEqual([]);
    await openSite(again, disk);
  });

  test('while a move begins ends the move, and the next start opens the database it had', async () => {
    const disk = await openDisk(96 * MIB);
    const engine = await startClickHouse(makeDataDir());
    opened.push({ close: () => engine.kill() });
    const server = await openServer(disk);
    await openSite(server, disk);
    disk.fill();
    const words = ['move', '--to', engine.url, '--data', server.dataDir];
    expect(await runCommand(words, {}, disk.within)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The server continues with the database it has.'),
    });
    await server.kill();
    disk.makeRoom();

    const again = await openServer(disk);
    const readers = createReaders(SITE);
    expect(await sendAll(readers, again)).not.toContain(false);
    expect(await readers.compare(again, disk.within)).toEqual(NOTHING_WRONG);
    const { code, stderr } = await runCommand(words, {}, disk.within);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await readers.compare(again, disk.within)).toEqual(NOTHING_WRONG);
  });

  test.each([100, 400])('but for %i KiB at the first start is no reason to refuse the next one', async (free) => {
    const disk = await openDisk(96 * MIB);
    disk.fill(free * 1024);
    const start = ['serve', '--port', '0', '--data', disk.folder];
    expect(await runCommand(start, {}, disk.within)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The disk of the database is full: make room on it, then try again.'),
    });
    disk.makeRoom();
    const server = await openServer(disk);
    const readers = await openSite(server, disk);
    expect(await sendAll(readers, server)).not.toContain(false);
  });

  test('of the spool alone, while the database is away, does likewise; nothing in the spool is lost, not by a power cut either', async () => {
    const disk = await openDisk(MIB);
    const engine: { now: ClickHouse } = { now: await startClickHouse(makeDataDir()) };
    opened.push({ close: () => engine.now.kill() });
    const flags = ['--clickhouse-url', engine.now.url];
    const server = await openServer(disk, flags);
    const readers = await openSite(server, disk);
    expect(await sendAll(readers, server)).not.toContain(false);

    await engine.now.kill();
    await until('the spool takes events', () => readers.send(server));
    disk.fill();
    await until('nothing more is taken', async () => !(await sendAll(readers, server)).includes(true));
    await expectRefusal(server);
    disk.makeRoom();
    await until('the spool takes events again', () => readers.send(server));
    expect(await sendAll(readers, server)).not.toContain(false);

    await server.kill();
    engine.now = await engine.now.startAgain();
    const again = await openServer(disk, flags);
    await until('the spool is empty', async () => (await readers.compare(again, disk.within)).lost.length === 0);
    expect(await readers.sendAgain(again)).toBe(0);
    expect(await readers.compare(again, disk.within)).toEqual(NOTHING_WRONG);
  });
});
