// `afterword headline …` beside a running server and without one, and what an export has of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { doneInProcess, runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

let server: TestServer;
let site: TestSite;
beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example');
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const done = (...words: string[]) => doneInProcess([...words, '--data', server.dataDir]);

let posts = 0;
async function newPost(): Promise<string> {
  posts += 1;
  const url = `https://paper.example/${posts}`;
  const metadata = { canonical_url: url, title: 'The last ferry', image_url: `${url}.jpg` };
  const { apikey, write_secret: secret } = site;
  expect(await postJson(server, '/v2/metadata/posts', { apikey, secret, metadata })).toMatchObject({ success: true });
  return url;
}

const today = () => new Date().toISOString().slice(0, 10);

test('titles and pictures are added, listed and stopped', async () => {
  const url = await newPost();
  const lines = (state: string) => `${url}  ${state}, since ${today()}
   1   33 %  The last ferry
   2   33 %  A boat
   3   33 %  The last ferry  https://paper.example/boat.jpg
`;
  const added = ['--title', 'A boat', '--image', 'https://paper.example/boat.jpg'];
  expect(await done('headline', 'add', site.apikey, `${url}?utm_source=x`, ...added)).toBe(lines('running'));
  expect(await done('headline', 'list', site.apikey)).toContain(lines('running'));
  expect(await done('headline', 'stop', site.apikey, url)).toBe(
    `Stopped: lists show the post’s own title and picture at ${url}.\n`,
  );
  expect(await done('headline', 'list', site.apikey)).toContain(lines('stopped'));
});

test('what an export has is compared where it is imported', async () => {
  const url = await newPost();
  await done('headline', 'add', site.apikey, url, '--title', 'A boat');
  const other = await addSite(server, `copy-${posts}.example`);
  const file = join(makeDataDir(), 'posts.ndjson');
  const line = (await done('export', 'posts', site.apikey)).split('\n').find((text) => text.includes(`"${url}"`)) ?? '';
  expect(JSON.parse(line)).toMatchObject({ alternatives: [{ title: 'A boat' }] });
  writeFileSync(file, line);
  await done('import', 'posts', other.apikey, file);
  expect(await done('headline', 'list', other.apikey)).toContain('   2   50 %  A boat\n');
});

test.each<[string, (url: string) => string[], number, string]>([
  ['nothing to compare', (url) => ['add', 'paper.example', url], 2, 'Give a --title or an --image to compare.'],
  ['an unknown post', () => ['add', 'paper.example', 'https://paper.example/x', '--title', 'A'], 1, 'knows no post at'],
  ['an unknown site', (url) => ['add', 'none.example', url, '--title', 'A'], 1, 'none.example'],
  ['markup', (url) => ['add', 'paper.example', url, '--title', '<b>A</b>'], 2, 'must be plain text'],
  ['the end of none', (url) => ['stop', 'paper.example', url], 1, 'Nothing is compared at'],
])('refused: %s', async (_, words, code, sentence) => {
  const answer = await command('headline', ...words(await newPost()));
  expect(answer).toMatchObject({ code, stdout: '' });
  expect(answer.stderr).toContain(sentence);
});

test('without a running server, the commands open the data themselves', async () => {
  const url = await newPost();
  await done('headline', 'add', site.apikey, url, '--title', 'A boat');
  const alone = await startServer();
  const { apikey } = await addSite(alone, 'alone.example');
  const page = 'https://alone.example/a';
  await alone.stop();
  const file = join(makeDataDir(), 'posts.ndjson');
  writeFileSync(file, JSON.stringify({ canonical_url: page, title: 'A' }));
  for (const words of [
    ['import', 'posts', apikey, file],
    ['headline', 'add', apikey, page, '--title', 'B'],
  ])
    expect((await runCommand([...words, '--data', alone.dataDir])).stderr).toBe('');
  const { stdout } = await runCommand(['headline', 'list', apikey, '--json', '--data', alone.dataDir]);
  expect(JSON.parse(stdout)).toMatchObject([
    { url: page, state: 'running', alternatives: [{ title: 'A' }, { title: 'B' }] },
  ]);
});
