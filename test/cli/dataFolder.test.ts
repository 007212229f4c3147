// A data folder that is mistyped is not made, a variable that is mistyped is named, and a folder that a server takes meanwhile is its.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { openData } from '../../server/cli/openData.ts';
import { unknownVariables } from '../../server/cli/settings/unknownVariables.ts';
import { knownVariables } from '../../server/config.ts';
import { command } from '../support/build.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

afterAll(removeDataDirs);

describe('commands that use a database make none where the folder is mistyped', () => {
  test.each([
    ['site list', ['site', 'list']],
    ['migrate --plan', ['migrate', '--plan']],
    ['spool list', ['spool', 'list']],
    ['backup', ['backup', '/nonexistent/backup']],
  ])('%s', async (_, words) => {
    const typo = join(makeDataDir(), 'typo');
    const { code, stderr } = await runCommand([...words, '--data', typo]);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: There is no database in ${typo}. Name the data folder of the server with --data`);
    expect(existsSync(typo)).toBe(false);
  });
});

test.each([
  ['made when missing', ['serve', 'site add', 'restore', 'migrate']],
  ['it has to be there, but for --clickhouse-url', ['site change', 'backup', 'doctor', 'spool list']],
])('--help says of the folder: %s', async (says, commands) => {
  for (const command of commands) {
    const { stdout } = await runCommand([...command.split(' '), '--help']);
    const about = /--data <folder> (.*?)\(default:/.exec(stdout.replace(/\s+/g, ' '))?.[1];
    expect(about, command).toContain(says);
  }
});

test('a folder whose database was removed is not served with an empty one, and is with --change-engine', async () => {
  const server = await startServer();
  const { dataDir } = server;
  await server.stop();
  const mark = JSON.parse(readFileSync(join(dataDir, 'engine.json'), 'utf8'));
  expect(mark).toMatchObject({ version: 1, kind: 'embedded', installation: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  await rename(join(dataDir, 'engine'), join(dataDir, 'elsewhere'));
  const refused = await runCommand(['serve', '--port', '0', '--data', dataDir]);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Is its disk mounted?') });
  expect(readdirSync(dataDir)).not.toContain('engine');
  const changed = await startServer({ dataDir, flags: ['--change-engine'] });
  await changed.stop();
  expect(JSON.parse(readFileSync(join(dataDir, 'engine.json'), 'utf8'))).not.toEqual(mark);
});

/** Words that run a command as another user; undefined where that cannot be done here. */
function asAnother(): string[] | undefined {
  const words = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const tried = spawnSync(words[0]!, [
    ...words.slice(1),
    process.execPath,
    '-e',
    'require("fs").accessSync(process.argv[1])',
    command,
  ]);
  return tried.status === 0 ? words : undefined;
}

test('a folder of another user is said to be one, by the server as by commands', async ({ skip }) => {
  const within = asAnother() ?? skip();
  const server = await startServer();
  await server.stop();
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--data', server.dataDir], {}, within);
  const sentence = `error: This user (65534) may not read ${join(server.dataDir, 'engine.json')}: run this as the user`;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) });
});

test('a limit of open files that the database may reach is said at the start', async () => {
  const server = await startServer({ within: ['sh', '-c', 'ulimit -n 600; exec "$@"', 'sh'] });
  await server.stop();
  const warning = expect.stringMatching(/^this process may open 600 files at once.*LimitNOFILE=/);
  expect(server.log()).toContainEqual(expect.objectContaining({ level: 'warn', msg: warning }));
});

test('a folder of a version without marks that a server has used, and has no database in it, was used with a ClickHouse server', async () => {
  const dataDir = makeDataDir();
  mkdirSync(join(dataDir, 'ingest', 'spool'), { recursive: true });
  writeFileSync(join(dataDir, 'ingest', 'spool', '000000000001-a.tsv'), 'site\turl\n');
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--data', dataDir]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('belongs to a ClickHouse server (a server'),
  });
  expect(readdirSync(dataDir)).toEqual(['ingest']);
});

test('a mark that cannot be read stops the start, and is left as it is', async () => {
  const dataDir = makeDataDir();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'engine.json'), '{"version":2}');
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--data', dataDir]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /a later version of Afterword wrote it, .* afterword serve --change-engine writes the file anew\.$/m,
    ),
  });
  expect(readdirSync(dataDir)).toEqual(['engine.json']);
});

describe('variables that no setting reads', () => {
  const known = knownVariables();

  test.each([
    ['AFTERWORD_PROT', 'did you mean AFTERWORD_PORT?'],
    ['AFTERWORD_CLICKHOUSE', 'did you mean AFTERWORD_CLICKHOUSE_URL?'],
    ['AFTERWORD_CLICKHOSE_URL', 'did you mean AFTERWORD_CLICKHOUSE_URL?'],
    ['AFTERWORD_TRUSTED_PROXY', 'did you mean AFTERWORD_TRUSTED_PROXIES?'],
    ['AFTERWORD_COLOUR', 'afterword serve --help names all variables'],
  ])('%s is named: %s', (name, hint) => {
    expect(unknownVariables({ [name]: '9' }, known)).toEqual([
      `the environment variable ${name} is no setting, and is ignored; ${hint}`,
    ]);
  });

  test('settings, other programs’ variables, and those of Kubernetes for a service of this name are not', () => {
    const env = Object.fromEntries(known.map((name) => [name, '']));
    const others = {
      PATH: '',
      AFTERWORD_SERVICE_HOST: '',
      AFTERWORD_PORT_8080_TCP_ADDR: '',
      AFTERWORD_API_SERVICE_PORT: '',
      AFTERWORD_API_PORT: 'tcp://10.96.0.1:8080',
      AFTERWORD_FIREFOX: '/usr/bin/firefox',
    };
    expect(unknownVariables({ ...env, ...others }, known)).toEqual([]);
  });

  test('a server says it in its log, and a command before its answer', async () => {
    const server = await startServer({ env: { AFTERWORD_PROT: '9' } });
    const words = { level: 'warn', msg: expect.stringContaining('did you mean AFTERWORD_PORT?') };
    expect(server.log()).toContainEqual(expect.objectContaining(words));
    const listed = await runCommand(['site', 'list', '--json', '--data', server.dataDir], { AFTERWORD_DATE: 'x' });
    expect(listed).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: expect.stringMatching(/^warning: .*AFTERWORD_DATA\?\n$/),
    });
    await server.stop();
  });
});

test('a command that starts at the same moment as the server waits for it, and goes through it', async () => {
  const server = await startServer();
  const [socket, hidden] = ['run', 'hidden'].map((name) => join(server.dataDir, name)) as [string, string];
  // As it is before the server has opened it.
  await rename(socket, hidden);
  const { child, output, ended } = await startCommand(['site', 'list', '--json', '--data', server.dataDir]);
  const loaded = () => readFileSync(`/proc/${child.pid}/maps`, 'utf8').includes('chdb');
  await until('it has loaded the engine, to open the data itself', loaded);
  await rename(hidden, socket);
  expect({ code: await ended, ...output }).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  await server.stop();
});

test('the wait for a database that is in use ends also where the clock of the machine is set back meanwhile', async () => {
  const server = await startServer();
  const log = pino({ enabled: false });
  let hour = 0;
  const opening = openData(
    { data: server.dataDir, clickhouseUrl: [], clickhouseCluster: undefined, logLevel: 'silent', logFormat: 'json' },
    { log, now: () => Date.now() - hour++ * 3_600_000, purpose: 'use' },
  );
  await expect(opening).rejects.toThrow('is in use by process');
  await server.stop();
});

// Lists locks by file: Linux alone.
// Only Linux lists the holders of locks.
test.skipIf(!existsSync('/proc/locks'))(
  'a process that has just locked the database is named, and the data is not said to be damaged',
  async () => {
    const data = makeDataDir();
    await copyEmptyDatabase(join(data, 'engine'));
    // As the engine has it for a moment: locked, without the id of its process.
    const status = join(data, 'engine', 'status');
    writeFileSync(status, '');
    const holder = spawn('flock', ['--no-fork', status, 'cat']);
    const ended = once(holder, 'exit');
    const { pid } = holder;
    await until('it has the lock', () => readFileSync('/proc/locks', 'utf8').includes(` ${pid} `));
    const { code, stderr } = await runCommand(['site', 'list', '--data', data]);
    holder.stdin.end();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(`^error: The data directory .* is in use by process ${pid}\\.`),
    });
    await ended;
  },
);

test.each(['Nowhere/City', '/nowhere/zone'])(
  'a TZ that names no zone (%s) is said to be the cause, and the data is not said to be damaged',
  async (TZ) => {
    const words = ['site', 'add', 'a.example', '--no-discover', '--data', join(makeDataDir(), 'data')];
    const { code, stderr } = await runCommand(words, { TZ });
    expect(code).toBe(1);
    expect(stderr).toContain(`error: The variable TZ is "${TZ}", which names no time zone that the database knows`);
    expect(stderr).not.toContain('damaged');
    expect(await runCommand(words, { TZ: 'Europe/Madrid' })).toMatchObject({ code: 0 });
  },
);
