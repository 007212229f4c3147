// Commands that do what was meant, or say what to do: lists that are emptied, files in another encoding, removals, an import that is
// stopped by hand.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/build.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const SITE = 'careful.example';

let server: TestServer;
const run = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);

beforeAll(async () => {
  server = await startServer();
  expect(await run('site', 'add', SITE, '--domain', 'www.careful.example')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const domains = async () => JSON.parse((await run('site', 'show', SITE, '--json')).stdout).domains;

test('hosts of a site are emptied by none, which is no host', async () => {
  expect(await run('site', 'change', SITE, '--domain', 'none', '--domain', 'a.example')).toMatchObject({ code: 2 });
  expect(await domains()).toEqual(['www.careful.example']);
  expect((await run('site', 'change', SITE, '--domain', 'none')).stdout).toMatch(/other hosts +none/);
  expect(await domains()).toEqual([]);
});

test('a change of nothing is a mistake, and says what can be changed', async () => {
  const { code, stdout, stderr } = await run('site', 'change', SITE);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Say what to change'),
  });
});

test('a change of the time zone says what becomes of the days that were counted', async () => {
  const { stdout } = await run('site', 'change', SITE, '--timezone', 'Pacific/Auckland');
  expect(stdout).toContain(
    'Views counted until now stay in days of UTC; those from now on are counted in days of Pacific/Auckland.',
  );
  expect((await run('site', 'change', SITE, '--timezone', 'Pacific/Auckland')).stdout).not.toContain('Views counted');
});

test('a partner is removed with --yes alone where there is no terminal to ask on', async () => {
  const names = async () =>
    JSON.parse((await run('partner', 'list', '--json')).stdout).map(({ partner }: { partner: string }) => partner);
  await run('partner', 'add', 'agency');
  expect(await run('partner', 'remove', 'agency')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await names()).toEqual(['agency']);
  expect(await run('partner', 'remove', 'agency', '--yes')).toMatchObject({ code: 0 });
  expect(await names()).toEqual([]);
});

test('a file in Latin-1 is refused with its line, and none of it is stored', async () => {
  const date = new Date(Date.now() - 3_600_000).toISOString();
  const file = join(makeDataDir(), 'views.csv');
  // Far enough from the beginning that a look at the first bytes does not see it.
  const lines = Array.from({ length: 3_000 }, (_, n) => `https://${SITE}/${n}-${'x'.repeat(40)},${date}`);
  const text = ['url,date', ...lines, `https://${SITE}/café,${date}`, ''].join('\n');
  writeFileSync(file, text, 'latin1');
  const { code, stderr } = await run('import', 'views', SITE, file);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /Line 3002 of .* is not in UTF-8, and nothing was stored\. .*iconv -f latin1 -t utf-8/,
    ),
  });
  writeFileSync(file, text, 'utf8');
  expect((await run('import', 'views', SITE, file)).stdout).toContain('3001 of 3001 views stored');
});

test('posts that are all refused for their dates are an error that says what a date is, and so does the help', async () => {
  const file = join(makeDataDir(), 'posts.ndjson');
  const line = (n: number) =>
    JSON.stringify({ canonical_url: `https://${SITE}/${n}`, title: 't', pub_date_tmsp: '20/03/2026' });
  writeFileSync(file, [line(1), line(2)].join('\n'));
  const { code, stdout, stderr } = await run('import', 'posts', SITE, file);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/2 bad pub_date_tmsp, the first on line 1: .*2026-03-20T08:30:00Z/);
  expect((await run('import', 'posts', '--help')).stdout).toContain('2026-03-20T08:30:00Z');
});

test.each([[[]], [['--purge']]])(
  'a site that is removed with %j takes the records of its imports along, and no others',
  async (how) => {
    const date = new Date(Date.now() - 3_600_000).toISOString();
    const bring = async (site: string) => {
      const file = join(makeDataDir(), 'views.csv');
      writeFileSync(file, `url,date\nhttps://${site}/a,${date}\n`);
      expect((await run('import', 'views', site, file)).stdout).toBe('1 of 1 views stored.\n');
    };
    const records = () => readdirSync(join(server.dataDir, 'imports')).sort();
    await bring(SITE);
    const before = records();
    expect(await run('site', 'add', 'gone.example')).toMatchObject({ code: 0 });
    await bring('gone.example');
    expect(records()).toHaveLength(before.length + 1);
    expect(await run('site', 'remove', 'gone.example', '--yes', ...how)).toMatchObject({ code: 0 });
    expect(records()).toEqual(before);
  },
);

const hasTerminals = existsSync('/usr/bin/script');

// Needs a terminal: `script` of util-linux makes one.
test.skipIf(!hasTerminals)('stopped by Ctrl+C, an import restores the cursor and says how to continue', async () => {
  const folder = join(server.dataDir, 'imports');
  const date = new Date(Date.now() - 3_600_000).toISOString();
  const file = join(makeDataDir(), 'many.ndjson');
  const lines = Array.from({ length: 40_000 }, (_, n) =>
    JSON.stringify({ url: `https://${SITE}/${n % 50}`, date, visitor: `r${n}` }),
  );
  writeFileSync(file, lines.join('\n'));
  const before = new Set(readdirSync(folder));
  const words = [process.execPath, command, 'import', 'views', SITE, file, '--data', server.dataDir];
  const terminal = spawn('script', ['-qec', words.map((word) => `'${word}'`).join(' '), '/dev/null']);
  let shown = '';
  terminal.stdout.on('data', (text) => {
    shown += text;
  });
  const ended = new Promise<number | null>((done) => terminal.once('close', done));
  await until('some lines are stored', () =>
    readdirSync(folder).some((name) => name.endsWith('.json') && !before.has(name)),
  );
  terminal.stdin.write('\x03');
  expect(await ended).not.toBe(0);
  const [hidden, wrapped] = ['\x1b[?25', '\x1b[?7'];
  expect(shown).toContain(`${hidden}l`);
  expect(shown.lastIndexOf(`${hidden}h`)).toBeGreaterThan(shown.lastIndexOf(`${hidden}l`));
  expect(shown.lastIndexOf(`${wrapped}h`)).toBeGreaterThanOrEqual(shown.lastIndexOf(`${wrapped}l`));
  expect(shown).toMatch(/Stopped after line [\d,]+\. The same command continues from there\./);
  expect((await run('import', 'views', SITE, file)).stdout).toContain('40000 of 40000 views stored');
});

test('secrets that cannot be printed, because the disk is full, are one clear error, and not a success', async () => {
  const onFullDisk = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
  const { code, stderr } = await runCommand(['partner', 'add', 'unseen', '--data', server.dataDir], {}, onFullDisk);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^error: It was done, and what it prints could not be written \(ENOSPC: .*\)\.\n$/),
  });
});

test('progress that cannot be written does not end an import', async () => {
  const date = new Date(Date.now() - 3_600_000).toISOString();
  const file = join(makeDataDir(), 'views.csv');
  writeFileSync(file, `url,date\nhttps://${SITE}/unreported,${date}\n`);
  // A variable that is no setting is a warning.
  const [env, onFullDisk] = [{ AFTERWORD_UNKNOWN: '1' }, ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh']];
  const { code, stdout } = await runCommand(['import', 'views', SITE, file, '--data', server.dataDir], env, onFullDisk);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '1 of 1 views stored.\n' });
});

test('a cluster of which no server answers has no layout that is known', async () => {
  const away = ['--clickhouse-url', 'http://127.0.0.1:1/news', '--clickhouse-cluster', 'newsroom'];
  expect((await run('cluster', 'status', ...away)).stdout).toMatch(
    /^Cluster newsroom: no server answers, so neither its layout nor that of the rows is known\.\n/,
  );
});

test('a server of a cluster that refuses the password is away, and its own words are printed', async () => {
  const refuses = createServer((_, response) => {
    response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' });
    response.end(
      'Code: 516. DB::Exception: default: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)',
    );
  }).listen(0, '127.0.0.1');
  await until('it listens', () => refuses.listening);
  const { port } = refuses.address() as AddressInfo;
  const away = ['--clickhouse-url', `http://me:wrong@127.0.0.1:${port}/news`, '--clickhouse-cluster', 'newsroom'];
  const { stdout } = await run('cluster', 'status', ...away);
  refuses.close();
  expect(stdout).toMatch(
    new RegExp(`^127\\.0\\.0\\.1:${port}: The engine does not answer: .*Authentication failed`, 'm'),
  );
  expect(stdout).not.toContain('wrong');
});

test.each([['--posts'], ['--log']])('evaluate takes a site, or %s, and not both', async (option) => {
  expect(await run('evaluate', SITE, option, 'a.ndjson')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('A Site ID takes the posts and views of the site'),
  });
});
