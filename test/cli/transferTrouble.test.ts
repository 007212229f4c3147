// `afterword import` and `export` in the hands of a stranger: files of every wrong kind, two at once, places that cannot be written.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markOf } from '../../server/processMark.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { startImport } from './startImport.ts';

const SITE = 'trouble.example';
const page = (n: number | string) => `https://${SITE}/${n}`;
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString();
const files = makeDataDir();

let server: TestServer;
let site: TestSite;
beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, SITE);
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const run = (...words: string[]) => runCommand([...words, '--data', server.dataDir]);
const write = (name: string, content: string | Buffer) => {
  writeFileSync(join(files, name), content);
  return join(files, name);
};
/** Where it says YESTERDAY it is another file each time: files are known by their content. */
const bring = (name: string, content: string | Buffer) => {
  const text = typeof content === 'string' ? content.replaceAll('YESTERDAY', yesterday()) : content;
  return runInProcess(['import', 'views', SITE, write(name, text), '--data', server.dataDir]);
};
const views = async () => {
  const { stdout } = await runInProcess(['export', 'views', SITE, '--data', server.dataDir]);
  return stdout.split('\n').flatMap((line): string[] => (line === '' ? [] : [JSON.parse(line).url]));
};

/** How many there are, by the API. */
const counted = async () => {
  const params = { apikey: SITE, secret: site.secret, period_start: '5d' };
  const answer = await getJson<{ data: { metrics: { views: number } }[] }>(server, '/v2/analytics/channels', params);
  return answer.data.reduce((sum, { metrics }) => sum + metrics.views, 0);
};

describe('is understood', () => {
  test.concurrent.each<[what: string, name: string, content: string]>([
    ['CSV with semicolons', 'semicolons.csv', `url;date\n${page('semicolons.csv')};YESTERDAY\n`],
    ['CSV with tabs', 'tabs.tsv', `url\tdate\n${page('tabs.tsv')}\tYESTERDAY\n`],
    [
      'a heading in capitals, with a mark of its encoding',
      'capitals.csv',
      `\uFEFFURL, Date \r\n${page('capitals.csv')},YESTERDAY\r\n`,
    ],
    [
      'a quoted heading with the other sign in it',
      'quoted.csv',
      `"url";"date";"a, b, c, d"\n"${page('quoted.csv')}";YESTERDAY;x\n`,
    ],
    ['NDJSON of Windows', 'windows.ndjson', `\uFEFF{"url":"${page('windows.ndjson')}","date":"YESTERDAY"}\r\n\r\n`],
    [
      'a line without end, after one far too long',
      'long.ndjson',
      `{"x":"${'x'.repeat(9 * 1024 * 1024)}"}\n{"url":"${page('long.ndjson')}","date":"YESTERDAY"}`,
    ],
  ])('%s', async (_what, name, content) => {
    expect(await bring(name, content)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 of [12] views stored\./),
    });
    expect(await views()).toContain(page(name));
  });

  test.concurrent('a file that is partly good: what is left out is reported with its line', async () => {
    const { code, stdout } = await bring(
      'partly.csv',
      `url,date\n${page(1)},YESTERDAY\nx,YESTERDAY\n${page(2)},tomorrow\nx,YESTERDAY\n`,
    );
    expect({ code, stdout: stdout.split('\n') }).toEqual({
      code: 0,
      stdout: [
        '1 of 4 views stored.',
        '  left out: 2 bad-url, the first on line 3',
        '  left out: 1 bad-date, the first on line 4: no date, or one to come',
        '',
      ],
    });
  });
});

describe('is one clear error, and can be tried again', () => {
  const json = JSON.stringify([{ url: page(1), date: yesterday() }]);
  test.concurrent.each<[what: string, name: string, content: string | Buffer, sentence: string]>([
    [
      'a CSV of something else',
      'other.csv',
      'page,when\na,b\n',
      'has no column url, date: its first line names page, when.',
    ],
    ['an empty file', 'empty.csv', '', 'is empty.'],
    ['blank lines', 'blank.ndjson', '\n\n', 'was stored.'],
    ['UTF-16', 'utf16.csv', Buffer.from('\uFEFFurl,date\n', 'utf16le'), 'is UTF-16 text; save it as UTF-8.'],
    ['a compressed file cut off', 'cut.csv.gz', gzipSync(json).subarray(0, 30), 'is gzipped, and damaged or cut off'],
    ['no text', 'program.csv', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]), 'is no text.'],
    ['one JSON array', 'array.json', json, 'is one JSON array; NDJSON has one object a line'],
    ['a quote that never ends, with signs a terminal obeys', 'quote.csv', 'url,date\n\u001b[2J"x,y\n', 'is no CSV: '],
  ])('%s', async (_what, name, content, sentence) => {
    const { code, stdout, stderr } = await bring(name, content);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
    // An error and no stack; nothing of the file that moves a cursor.
    expect(stderr).not.toContain('\u001b[2J');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test.concurrent('a quote that is broken far down: nothing has come in when the mended file is brought', async () => {
    const folder = page(randomUUID());
    const lines = Array.from({ length: 6_000 }, (_, n) => `${folder}/${n},YESTERDAY`).join('\n');
    const broken = await bring('far.csv', `url,date\n${lines}\n"${folder}/last,YESTERDAY\n`);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringMatching(/line 6002.* Nothing was stored\.\n$/) });
    const mended = await bring('far.csv', `url,date\n${lines}\n${folder}/last,YESTERDAY\n`);
    expect(mended).toMatchObject({ code: 0, stdout: '6001 of 6001 views stored.\n' });
    expect((await views()).filter((url) => url.startsWith(folder))).toHaveLength(6_001);
  });

  test.concurrent('pages of a host that is added then', async () => {
    const host = `${randomUUID()}.example`;
    const content = `url,date\nhttps://${host}/,${yesterday()}\n`;
    expect((await bring('foreign.csv', content)).stderr).toContain(
      'left out: 1 foreign-host, the first on line 2: pages of another host; add it with afterword site change',
    );
    expect(await run('site', 'change', SITE, '--domain', host)).toMatchObject({ code: 0 });
    expect(await bring('foreign.csv', content)).toMatchObject({ code: 0, stdout: '1 of 1 views stored.\n' });
  });

  // By itself: it damages the ledgers of all files.
  test('a folder, a file without a name for its kind, and a ledger that is damaged', async () => {
    mkdirSync(join(files, 'folder.csv'), { recursive: true });
    expect((await run('import', 'views', SITE, join(files, 'folder.csv'))).stderr).toContain('is no file.');
    const ledgers = join(server.dataDir, 'imports');
    const file = `url,date\n${page(randomUUID())},${yesterday()}\n`;
    expect((await bring('ledger.csv', file)).code).toBe(0);
    for (const name of readdirSync(ledgers))
      if (name.endsWith('.json')) writeFileSync(join(ledgers, name), '{"lines":');
    const { code, stderr } = await bring('ledger.csv', file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/\.json is damaged; without it the file/),
    });
  });
});

test('a file that is brought by two at once, and by a third after both were killed, counts once', async () => {
  // Known by its content: a second try of this test brings another.
  const name = randomUUID();
  const folder = page(name);
  const date = yesterday();
  const lines = Array.from({ length: 30_000 }, (_, n) => `${folder}/${n},${date}`);
  const file = write(`${name}.csv`, ['url,date', ...lines].join('\n'));
  const words = ['views', SITE, file];
  const before = await counted();
  const first = await startImport(server.dataDir, ...words);
  // However long the second takes, the first is not done before it.
  first.child.kill('SIGSTOP');
  expect(readFileSync(first.lock, 'utf8')).toBe(await markOf(first.child.pid!));
  const { code, stderr } = await run('import', ...words);
  first.child.kill('SIGCONT');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`is being brought already, by process ${first.child.pid}.`),
  });
  await first.hasBegun();
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe(137);
  expect(await counted()).toBeGreaterThan(before);
  expect(existsSync(first.lock)).toBe(true);
  expect((await run('import', ...words)).stdout).toBe('30000 of 30000 views stored.\n');
  expect(existsSync(first.lock)).toBe(false);
  const stored = (await views()).filter((url) => url.startsWith(folder));
  expect([stored.length, new Set(stored).size]).toEqual([30_000, 30_000]);
});

describe('an export', () => {
  beforeAll(() => bring('something.csv', `url,date\n${page('something')},YESTERDAY\n`));

  test.concurrent.each([
    [['-o', '/nonexistent/views.ndjson'], 1, 'cannot be written (ENOENT): its folder does not exist.'],
    [['-o', files], 1, 'is a folder; name a file.'],
    [['-o', '/dev/full'], 1, '/dev/full cannot be written (ENOSPC): the disk is full.'],
    [['--from', '2026-02-02', '--to', '2026-02-01'], 2, '--to must be later than --from.'],
  ])('%j is one clear error', async (words, code, sentence) => {
    // In this process, which lives on: what a command leaves open stays open.
    const failed = await runInProcess(['export', 'views', SITE, ...words, '--data', server.dataDir]);
    expect(failed).toEqual({ code, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(failed.stderr).not.toMatch(/^\s+at /m);
  });

  test.concurrent('that breaks off leaves the file of yesterday as it was', async () => {
    const output = write('kept.ndjson', 'yesterday\n');
    const away = ['export', 'views', SITE, '-o', output, '--data', server.dataDir];
    // A file may have no more than one block of 512 bytes.
    const failed = await runCommand(away, {}, ['sh', '-c', 'ulimit -f 1; exec "$@"', 'sh']);
    expect(failed.code).not.toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('yesterday\n');
  });

  test.concurrent('writes through no link that was put where it would write', async () => {
    const folder = makeDataDir();
    const [output, letter] = [join(folder, 'views.ndjson'), join(folder, 'letter.txt')];
    writeFileSync(letter, 'dear reader');
    for (const name of [`${output}.part`, output]) symlinkSync(letter, name);
    expect((await run('export', 'views', SITE, '-o', output)).code).toBe(0);
    expect(readFileSync(letter, 'utf8')).toBe('dear reader');
    expect(lstatSync(output).isFile()).toBe(true);
    expect(statSync(output).mode & 0o777).toBe(0o600);
  });
});

test('an export that cannot be written lets go of its connection: the server stops', async () => {
  const failed = await runInProcess(['export', 'views', SITE, '-o', files, '--data', server.dataDir]);
  expect(failed.code).toBe(1);
  // Meanwhile the server has sent what a connection that is not read takes of the same.
  expect((await views()).length).toBeGreaterThan(5_000);
  expect(await server.stop()).toBe(0);
});
