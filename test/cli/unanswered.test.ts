// Commands beside a server that cannot do what they ask: its database is away, it hangs, or another command was faster.
import { readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createAdmin } from '../../server/cli/admin.ts';
import { holdDoor } from '../../server/cli/adminDoor.ts';
import type { Installation } from '../../server/cli/installation.ts';
import { configured, runCommandLine } from '../../server/cli/program.ts';
import { askStatus } from '../../server/cli/reach.ts';
import { findSocket, holdSocket } from '../../server/cli/socket.ts';
import { collect, sendOverSocket } from '../../server/cli/socketClient.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { openDirectory } from '../../server/sites/directory.ts';
import type { Site, SiteId } from '../../server/sites/site.ts';
import { startCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { until } from '../support/until.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
  await removeDataDirs();
});

const AWAY = new StoreUnavailableError('1 of 2 database servers does not answer; lists need all of them.', {
  away: ['db-2:8123'],
});

/**
 * The door of a server with its sites, and a database that says of posts that it is away.
 * @param commands A site is stored when so many have looked whether it is there.
 * @returns Its data folder.
 */
async function openDoor(commands: number): Promise<string> {
  const dataDir = makeDataDir();
  const log = pino({ level: 'silent' });
  const table = new Map<SiteId, Site>();
  let looks = 0;
  let done = () => {};
  const looked = new Promise<void>((resolve) => {
    done = resolve;
  });
  const store = {
    list: async () => [...table.values()],
    find: async (id: SiteId) => table.get(id),
    async save(site: Site) {
      await looked;
      table.set(site.id, site);
    },
    remove: async (id: SiteId) => void table.delete(id),
  };
  const away = () => Promise.reject(AWAY);
  const posts = { aliases: away, stream: () => ({ [Symbol.asyncIterator]: () => ({ next: away }) }) };
  const door = await holdDoor(dataDir, { status: () => ({ pid: process.pid, version: '0' }), log });
  closing.push(() => door.close());
  const directory = await openDirectory(store, Date.now);
  const find: typeof directory.find = (id) => {
    if (++looks >= commands) done();
    return directory.find(id);
  };
  const sites = { ...directory, find };
  door.open(createAdmin({ now: Date.now, sites, store: { posts, isShared: () => true }, quotas: {} } as never));
  return dataDir;
}

test('a command that needs a database that is away says so, and which server it is', async () => {
  const dataDir = await openDoor(1);
  expect(await runInProcess(['site', 'add', 'a.example', '--no-discover', '--data', dataDir])).toMatchObject({
    code: 0,
  });
  expect(await runInProcess(['posts', 'list', 'a.example', '--data', dataDir])).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${AWAY.message} Away: db-2:8123. Run the command again when it answers; afterword doctor looks for the cause.\n`,
  });
});

test('of two commands that make the same site at once the second is refused in words', async () => {
  const dataDir = await openDoor(2);
  const add = () => runInProcess(['site', 'add', 'twin.example', '--no-discover', '--data', dataDir]);
  const both = await Promise.all([add(), add()]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(both.find(({ code }) => code === 1)?.stderr).toBe(
    'error: There is a site twin.example already. Its secrets: afterword site rotate-secret twin.example\n',
  );
});

/** The door of a server that hangs, after what it may say. @returns Its data folder. */
async function openHanging(answer: RequestListener = () => {}): Promise<string> {
  const dataDir = makeDataDir();
  const hangs = createServer(answer);
  const release = await holdSocket(dataDir, hangs);
  closing.push(async () => {
    hangs.close();
    hangs.closeAllConnections();
    await release();
  });
  return dataDir;
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an export that %s breaks off leaves nothing of its file',
  async (signal) => {
    const dataDir = await openHanging((_, response) => void response.write('{"url":"https://a.example/"}\n'));
    const folder = makeDataDir();
    const words = ['export', 'views', 'a.example', '-o', join(folder, 'views.ndjson'), '--data', dataDir];
    const { child, ended } = await startCommand(words);
    await until('the file is begun', () => readdirSync(folder).length > 0);
    child.kill(signal);
    expect(await ended).toBe(128 + constants.signals[signal]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

describe('commands beside a server that', () => {
  const hold = async () => {
    const dataDir = makeDataDir();
    const status = () => ({ pid: process.pid, version: '0' });
    return { dataDir, door: await holdDoor(dataDir, { status, log: pino({ level: 'silent' }) }) };
  };
  const listSites = (dataDir: string) => runInProcess(['site', 'list', '--data', dataDir]);

  test('could not start are refused, and do not keep it from ending', async () => {
    const { dataDir, door } = await hold();
    const socket = (await findSocket(dataDir))!;
    // Not a command: when its question has come, the test could not see. This one is read before that of the status.
    const waiting = sendOverSocket(socket, 'GET', '/sites');
    await askStatus(socket);
    await door.close();
    const { status, body } = await waiting;
    expect([status, JSON.parse(await collect(body))]).toEqual([
      422,
      { message: 'The server could not start; what it printed says why.' },
    ]);
  });

  test('is stopping are refused, and those under way are done before its data is closed', async () => {
    const { dataDir, door } = await hold();
    let finish = () => {};
    const finished = new Promise<void>((done) => {
      finish = done;
    });
    let begun = 0;
    door.open(
      new Hono().get('/partners', async (c) => {
        begun++;
        await finished;
        return c.json([]);
      }),
    );
    const underWay = runInProcess(['partner', 'list', '--data', dataDir]);
    await until('the command is under way', () => begun > 0);
    let isDrained = false;
    const drained = door.drain().then(() => {
      isDrained = true;
    });
    expect(await listSites(dataDir)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The server is stopping. Run the command again when it has ended.\n',
    });
    expect(isDrained).toBe(false);
    finish();
    await drained;
    expect(await underWay).toMatchObject({ code: 0, stdout: 'No partner yet.\n' });
    await door.close();
  });
});

test('a server of another version that does not know a command is said to be one', async () => {
  const dataDir = makeDataDir();
  const status = () => ({ pid: process.pid, version: '0' });
  const door = await holdDoor(dataDir, { status, log: pino({ level: 'silent' }) });
  closing.push(() => door.close());
  door.open(new Hono());
  expect(await runInProcess(['site', 'list', '--data', dataDir])).toMatchObject({
    code: 1,
    stderr: 'error: The server that runs does not know this command: it is of another version. Start it again.\n',
  });
});

test('an export whose database goes away in the middle is an error, and the log of the server says why', async () => {
  const lines: { msg: string; err: { message: string } }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const sites = { find: (id: SiteId) => ({ id }) };
  const posts = {
    aliases: async () => new Map(),
    async *stream() {
      yield [];
      throw AWAY;
    },
  };
  const dataDir = makeDataDir();
  const door = await holdDoor(dataDir, { status: () => ({ pid: process.pid, version: '0' }), log });
  closing.push(() => door.close());
  door.open(createAdmin({ now: Date.now, sites, store: { posts }, quotas: {}, live: { log } } as never));
  const raw = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runInProcess(['export', 'posts', 'a.example', '--data', dataDir])).toMatchObject({
    code: 1,
    stderr: 'error: The answer of the server broke off (aborted). Where it still runs, its log says why.\n',
  });
  expect(lines).toMatchObject([{ msg: 'an export broke off', err: { message: AWAY.message } }]);
  expect(raw).not.toHaveBeenCalled();
  raw.mockRestore();
});

test('a command that opened the data itself says so, too, when the database goes away in the middle', async () => {
  const program = configured(new Command(), { version: '0' } as Installation).action(() => Promise.reject(AWAY));
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await runCommandLine([], program);
  const printed = said.mock.calls.map(([text]) => text);
  said.mockRestore();
  expect({ code, printed }).toEqual({
    code: 1,
    printed: [expect.stringContaining(`error: ${AWAY.message} Away: db-2:8123.`)],
  });
});

test('health fails within seconds beside a server that hangs', async () => {
  const dataDir = await openHanging();
  expect(await runInProcess(['health', '--data', dataDir])).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: The server that runs on ${dataDir} does not answer within 3 s.\n`,
  });
});

test('health says why the port does not answer', async () => {
  const dataDir = makeDataDir();
  const free = createServer().listen(0, '127.0.0.1');
  await until('a port is free', () => free.address());
  const { port } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  const address = `http://127.0.0.1:${port}`;
  const status = () => ({ pid: process.pid, version: '0', address });
  const door = await holdDoor(dataDir, { status, log: pino({ level: 'silent' }) });
  closing.push(() => door.close());
  expect(await runInProcess(['health', '--data', dataDir])).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${address}/healthz does not answer: connect ECONNREFUSED 127.0.0.1:${port}.\n`,
  });
});

test('the umask that a command sets while a socket is opened stays', async () => {
  const usual = process.umask();
  const server = createServer();
  server.once('listening', () => process.umask(0o027));
  const release = await holdSocket(makeDataDir(), server);
  const after = process.umask(usual);
  server.close();
  await release();
  expect(after).toBe(0o027);
});
