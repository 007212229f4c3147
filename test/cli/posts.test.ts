// `afterword posts …`: what a publisher debugs metadata with.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

let server: TestServer;
let site: TestSite;

async function write(metadata: Record<string, unknown>, { apikey, write_secret: secret } = site): Promise<void> {
  const answer = await postJson(server, '/v2/metadata/posts', { apikey, secret, metadata });
  expect(answer).toEqual({ data: [], success: true });
}

const posts = (...words: string[]) => runInProcess(['posts', ...words, '--data', server.dataDir]);

beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example');
  await write({ canonical_url: 'https://paper.example/old', title: 'Old', pub_date_tmsp: '2020-01-01' });
  await write({
    canonical_url: 'https://paper.example/new',
    urls: ['https://paper.example/new?page=2'],
    title: 'New \u001b[31mred',
    pub_date_tmsp: '2024-05-01T09:30:00Z',
    section: 'News',
    authors: ['Ann', 'Bob'],
    full_content: 'Five words are in here',
  });
  await write({ canonical_url: 'https://paper.example/', title: 'Home', page_type: 'index' });
});

afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

test('the newest come first, pages that are no posts too', async () => {
  const { stdout } = await posts('list', site.apikey, '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    { url: 'https://paper.example/new', page_type: 'post', word_count: 5 },
    { url: 'https://paper.example/old' },
    { url: 'https://paper.example/', page_type: 'index', pub_date: '' },
  ]);
  expect(JSON.parse((await posts('list', site.apikey, '--json', '--limit', '1')).stdout)).toHaveLength(1);
});

test('any address of a post shows it', async () => {
  for (const url of [
    'https://paper.example/new',
    'https://paper.example/new?page=2',
    'https://paper.example/new?utm_source=x',
  ]) {
    const { stdout } = await posts('show', site.apikey, url, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      url: 'https://paper.example/new',
      aliases: ['https://paper.example/new?page=2'],
      authors: ['Ann', 'Bob'],
      pub_date: '2024-05-01T09:30:00.000Z',
    });
  }
});

test('a title cannot write on the terminal', async () => {
  for (const { stdout } of [
    await posts('list', site.apikey),
    await posts('show', site.apikey, 'https://paper.example/new'),
  ]) {
    expect(stdout).toContain('New ·[31mred');
    expect(stdout).not.toContain('\u001b');
  }
});

test('a table has a line for each post and columns below each other, whatever the titles are', async () => {
  const of = await addSite(server, 'tables.example');
  const titles = [
    'Two\nlines',
    '\u202eright to left',
    '東京オリンピック',
    'Cafe\u0301 ❤️ 👨\u200d👩\u200d👧',
    'น้ำท่วม',
    'plain',
  ];
  for (const [index, title] of titles.entries()) {
    const metadata = {
      canonical_url: `https://tables.example/${index}`,
      title,
      pub_date_tmsp: `2024-05-0${9 - index}`,
    };
    await write(metadata, of);
  }
  const [heading, ...lines] = (await posts('list', of.apikey)).stdout.trimEnd().split('\n');
  const before = heading!.indexOf('TITLE');
  // Eight wide letters, and two blanks.
  expect(heading!.slice(before)).toBe(`${'TITLE'.padEnd(18)}URL`);
  expect(lines.map((line) => line.slice(before).replace(/ {2,}https:.*/, ''))).toEqual([
    'Two lines',
    '·right to left',
    '東京オリンピック',
    'Cafe\u0301 ❤️ 👨\u200d👩\u200d👧',
    'น้ำท่วม',
    'plain',
  ]);
  const blanks = lines.map((line) => /( +)https:/.exec(line)![1]!.length);
  expect(blanks).toEqual([9, 4, 2, 8, 13, 13]);
  const { stdout } = await posts('list', of.apikey, '--json');
  expect(stdout).toContain('"\\u202eright to left"');
  expect(JSON.parse(stdout)).toMatchObject(titles.map((title) => ({ title })));
});

test('a post that moved to another address, and on to a third, is listed once, where it is now', async () => {
  const of = await addSite(server, 'moved.example');
  const at = (name: string) => `https://moved.example/${name}`;
  await write({ canonical_url: at('first'), title: 'Moves' }, of);
  await write({ canonical_url: at('second'), title: 'Moves', urls: [at('first')] }, of);
  await write({ canonical_url: at('third'), title: 'Moves', urls: [at('second')] }, of);
  const listed = JSON.parse((await posts('list', of.apikey, '--json')).stdout) as { url: string }[];
  expect(listed.map(({ url }) => url)).toEqual([at('third')]);
  const shown = JSON.parse((await posts('show', of.apikey, at('first'), '--json')).stdout);
  expect(shown).toMatchObject({ url: at('third'), aliases: expect.arrayContaining([at('first'), at('second')]) });
});

/** Prints as to a terminal that is so many columns wide. */
async function onTerminal(columns: number, words: readonly string[]): Promise<string[]> {
  const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
  Object.assign(process.stdout, { isTTY: true, columns });
  try {
    return (await runInProcess([...words, '--data', server.dataDir])).stdout.trimEnd().split('\n');
  } finally {
    Object.assign(process.stdout, before);
  }
}

test('on a narrow terminal lists fit it, addresses are whole; on a wide one and in a file nothing is shortened', async () => {
  const of = await addSite(server, 'narrow.example', '--timezone', 'Europe/Berlin');
  const hosts = Array.from({ length: 5 }, (_, at) => ['--domain', `edition-${at}.narrow.example`]);
  await runInProcess(['site', 'change', of.apikey, ...hosts.flat(), '--data', server.dataDir]);
  const title = '東京の港で、船が十年ぶりに新しい桟橋に着いた。 The first ferry in ten years came to the new pier';
  const url = `https://narrow.example/2024/05/01/${'a-'.repeat(20)}ferry`;
  await write({ canonical_url: url, title, section: 'News of the harbour', pub_date_tmsp: '2024-05-01' }, of);

  const list = ['posts', 'list', of.apikey];
  expect(await onTerminal(80, list)).toEqual([
    'PUBLISHED   TYPE  SECTION              TITLE',
    '  URL',
    `2024-05-01  post  News of the harbour  ${title.slice(0, 20)}…`,
    `  ${url}`,
  ]);
  const whole = (await posts('list', of.apikey)).stdout.trimEnd().split('\n');
  expect(whole).toHaveLength(2);
  expect(whole[1]).toBe(`2024-05-01  post  News of the harbour  ${title}  ${url}`);
  expect(await onTerminal(250, list)).toEqual(whole);

  const sites = await onTerminal(80, ['site', 'list']);
  expect(sites.filter(({ length }) => length > 80)).toEqual([]);
  expect(sites.find((line) => line.startsWith('narrow.example '))).toMatch(
    /^narrow\.example +Europe\/Berlin {2}edition-0\.\S*… {2}20/,
  );
  const file = (await runInProcess(['site', 'list', '--data', server.dataDir])).stdout;
  expect(file).toContain(`Europe/Berlin  ${hosts.map(([, host]) => host).join(', ')}  20`);
});

test('an unknown page is one clear error', async () => {
  const words = ['posts', 'show', site.apikey, 'https://paper.example/unknown', '--data', server.dataDir];
  const { code, stderr } = await runCommand(words);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'error: paper.example knows no post at https://paper.example/unknown.\n',
  });
});

let removed = 0;
test('a site that is removed and made again has none of its former posts', async () => {
  const id = `removed-${++removed}.example`;
  await write({ canonical_url: `https://${id}/`, title: 'Former' }, await addSite(server, id));
  const related = () => getJson<{ data: unknown[] }>(server, '/v2/related', { apikey: id });
  expect((await related()).data).not.toEqual([]);
  await runInProcess(['site', 'remove', id, '--yes', '--data', server.dataDir]);
  expect(await related()).toMatchObject({ code: 403 });
  await addSite(server, id);
  expect(await related()).toMatchObject({ data: [], success: true });
  expect(JSON.parse((await posts('list', id, '--json')).stdout)).toEqual([]);
});
