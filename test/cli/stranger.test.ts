// What a stranger gets wrong: one sentence that says what to do, no stack, nothing that hangs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requireNode } from '../../server/cli/program.ts';
import { command, ensureBuilt } from '../support/build.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { startServer } from '../support/server.ts';

afterAll(removeDataDirs);

/** A data folder with something in the way. */
function folderWith(name: string, content?: string): string {
  const folder = makeDataDir();
  if (content === undefined) mkdirSync(join(folder, name), { recursive: true });
  else writeFileSync(join(folder, name), content);
  return folder;
}

async function folderWithDatabase(): Promise<string> {
  const folder = makeDataDir();
  await copyEmptyDatabase(join(folder, 'engine'));
  return folder;
}

/** @param file One of the spool. Default: a file is where the spool should be. */
async function folderWithSpool(file?: string): Promise<string> {
  const folder = await folderWithDatabase();
  const spool = join(folder, 'ingest', 'spool');
  mkdirSync(join(spool, file === undefined ? '..' : '.'), { recursive: true });
  writeFileSync(file === undefined ? spool : join(spool, file), '');
  return folder;
}

const aFile = () => join(folderWith('letter.txt', 'dear reader'), 'letter.txt');

const wrong: [what: string, words: () => string[] | Promise<string[]>, code: number, sentence: RegExp][] = [
  [
    'a data folder that is a file',
    () => ['serve', '--port', '0', '--data', aFile()],
    1,
    /data folder .* cannot be used/,
  ],
  ['the same, for a command', () => ['site', 'list', '--data', aFile()], 1, /data folder .* cannot be used/],
  [
    'a data folder below a file',
    () => ['serve', '--port', '0', '--data', join(aFile(), 'x')],
    1,
    /cannot be used: ENOTDIR/,
  ],
  [
    'a data folder that cannot be made',
    () => ['serve', '--port', '0', '--data', '/proc/nope'],
    1,
    /\/proc\/nope cannot be used/,
  ],
  [
    'a backup that cannot be made',
    async () => ['backup', '/proc/nope', '--data', await folderWithDatabase()],
    1,
    /\/proc\/nope cannot be used/,
  ],
  [
    'a file where the socket belongs',
    () => ['serve', '--port', '0', '--data', folderWith('run', 'x')],
    1,
    /EEXIST.*doctor/,
  ],
  [
    'a file where the database belongs',
    () => ['site', 'list', '--data', folderWith('engine', 'x')],
    1,
    /There is no database in .* --data/,
  ],
  [
    'a cluster without a server',
    () => ['serve', '--port', '0', '--data', makeDataDir(), '--clickhouse-cluster', 'news'],
    2,
    /--clickhouse-cluster \(or AFTERWORD_CLICKHOUSE_CLUSTER\) names a cluster.* --clickhouse-url/,
  ],
  [
    'servers that are no cluster',
    () => ['site', 'list', '--data', makeDataDir(), '--clickhouse-url', 'http://127.0.0.1:9,http://127.0.0.1:10'],
    1,
    /need the name of the cluster they form: --clickhouse-cluster/,
  ],
  [
    'a database that is not there',
    () => ['serve', '--port', '0', '--data', makeDataDir(), '--clickhouse-url', 'http://127.0.0.1:9'],
    1,
    /ECONNREFUSED 127\.0\.0\.1:9/,
  ],
  ['a word too many', () => ['serve', 'now', '--data', makeDataDir()], 2, /too many arguments/],
  ['a word misspelt', () => ['serv'], 2, /Did you mean serve\?/],
  [
    'a move of a data folder with events that are not stored',
    async () => ['move', '--data', await folderWithSpool('000000000001-a.tsv'), '--to', 'http://127.0.0.1:9/news'],
    1,
    /1 files of acknowledged events in .*spool are not stored yet: start the server/,
  ],
  [
    'a move of a data folder whose events cannot be listed',
    async () => ['move', '--data', await folderWithSpool(), '--to', 'http://127.0.0.1:9/news'],
    1,
    /ENOTDIR: not a directory, scandir/,
  ],
];

test.each(wrong)('%s is one sentence', async (_, words, code, sentence) => {
  const ended = await runCommand(await words());
  expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(sentence) });
  expect(ended.stderr).toMatch(/^error: /);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
});

test('the built command starts by its own name, as npx starts it', async () => {
  await ensureBuilt();
  expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('what an upgrade would do to the database is printed, and nothing is done', async () => {
  // An engine that has no table yet.
  const fresh = folderWith(join('engine', 'metadata'));
  const plan = await runCommand(['migrate', '--plan', '--data', fresh]);
  expect(plan).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^To be done:\n\d+ {2}all tables and views \(\d+ statements\)\n$/),
  });
  expect((await runCommand(['migrate', '--plan', '--data', fresh])).stdout).toBe(plan.stdout);
  await runCommand(['migrate', '--data', fresh]);
  const after = await runCommand(['migrate', '--plan', '--data', fresh]);
  expect(after).toMatchObject({ code: 0, stdout: 'Nothing: the database is up to date.\n' });
});

test('a move to a server that is not there says why, and that the database stays the one it was', async () => {
  const server = await startServer();
  const ended = await runCommand(['move', '--to', 'http://127.0.0.1:9/news', '--data', server.dataDir]);
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: The engine does not answer: connect ECONNREFUSED 127\.0\.0\.1:9\. The server continues with the database it has\.$/m,
    ),
  });
  const { err, msg } = server.log().findLast(({ level }) => level === 'error') ?? {};
  expect({ err, msg }).toEqual({
    err: undefined,
    msg: 'the move was broken off: this server continues with the database it has. The engine does not answer: connect ECONNREFUSED 127.0.0.1:9.',
  });
  await server.stop();
});

describe('a database that was damaged', () => {
  test('is not opened, and the way back is named', async () => {
    const server = await startServer();
    await server.stop();
    const files = readdirSync(join(server.dataDir, 'engine', 'store'), { recursive: true, encoding: 'utf8' });
    const table = files.find((name) => name.endsWith('/events.sql'));
    writeFileSync(join(server.dataDir, 'engine', 'store', table!), 'garbage');
    const { code, stderr } = await runCommand(['serve', '--port', '0', '--data', server.dataDir]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/error: The data directory .* cannot be opened: .* afterword restore/);
  });
});

test.each([
  ['18.20.4', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['22.1.0', false],
  ['26.10.0', false],
])('Node %s is refused: %s', (version, refused) => {
  const check = () => requireNode(version);
  if (refused) expect(check).toThrow(`Afterword needs Node 20.19 or later; this is ${version}`);
  else expect(check).not.toThrow();
});
