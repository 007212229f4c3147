// `afterword import vectors`, as an operator runs it: beside a running server, with files that are wrong, and again.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const files = makeDataDir();
/** A file of one line an item; a text stands as it is. */
const write = (name: string, lines: readonly unknown[]) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  writeFileSync(join(files, name), text);
  return join(files, name);
};
const vectors = (name: string, of: Record<string, readonly number[]>) =>
  write(
    name,
    Object.entries(of).map(([post, vector]) => ({ url: at(post), vector })),
  );

let server: TestServer;
let site: TestSite;
const at = (name: string) => `https://${site.apikey}/${name}`;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

let sites = 0;
// Each try has a site of its own.
beforeEach(() => begin(`ferry-${++sites}.example`));

/** A site with a post "a" and three that are as close to it in words. */
async function begin(id: string): Promise<void> {
  site = await addSite(server, id);
  const posts = ['a', 'b', 'c', 'd'].map((name) => ({
    canonical_url: at(name),
    urls: [at(`${name}/print`)],
    title: `Ferry ${name}`,
    full_content: `The ferry leaves the harbour. ${name}1 ${name}2 ${name}3`,
    pub_date_tmsp: '2026-01-01',
    // Two sites never bring the very same file.
    post_id: site.secret,
  }));
  await run('import', 'posts', id, write('posts.ndjson', posts));
}

async function run(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runInProcess([...words, '--json', '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const bring = (file: string, ...flags: string[]) => run('import', 'vectors', site.apikey, file, ...flags);

async function related(): Promise<string> {
  const { data } = await getJson<{ data: { url: string }[] }>(server, '/v2/related', {
    apikey: site.apikey,
    url: at('a'),
  });
  return data.map(({ url }) => url.slice(at('').length)).join('');
}

test('vectors brought beside a running server change the order soon, stay over a restart, and are changed or replaced', async () => {
  expect(await related()).toBe('bcd');
  const towardsD = vectors('d.ndjson', { a: [1, 0, 0.2], d: [0.9, 0, 0.3], b: [-1, 0, 0.2], 'c/print': [0, 1, 0.2] });
  expect(await bring(towardsD)).toMatchObject({ lines: 4, outcomes: { stored: 4 }, before: false });
  await until('the post alike comes first', async () => (await related()) === 'dbc');
  const explained = await getJson<{ data: { explain: { parts: Record<string, number> } }[] }>(server, '/v2/related', {
    apikey: site.apikey,
    url: at('a'),
    secret: site.secret,
    explain: 1,
  });
  expect(explained.data[0]!.explain.parts.vectors).toBeGreaterThan(1.2);
  expect(await bring(towardsD)).toMatchObject({ before: true, outcomes: { stored: 4 } });

  await server.stop();
  server = await startServer({ dataDir: server.dataDir });
  // While the site is being loaded, lists come from its snapshot, which has no vectors.
  await until('the order is the same after the restart', async () => (await related()) === 'dbc');

  // A line changes one vector, any address of a post will do, and one without a post waits for it.
  const file = vectors('c.ndjson', { 'c/print': [1, 0, 0.2], d: [-1, 0, 0.2], e: [1, 0, 0.2] });
  expect(await bring(file)).toMatchObject({ outcomes: { stored: 2, early: 1 } });
  await until('the other post comes first', async () => (await related()).startsWith('c'));
  const { stdout } = await runInProcess(['import', 'vectors', site.apikey, file, '--data', server.dataDir]);
  expect(stdout).toContain('3 of 3 vectors stored.');
  expect(stdout).toContain('for posts that are not known yet: 1');
  const post = { canonical_url: at('e'), title: 'Ferry e', full_content: 'The ferry leaves the harbour. e1 e2 e3' };
  await run('import', 'posts', site.apikey, write('e.ndjson', [{ ...post, pub_date_tmsp: '2026-01-01' }]));
  await until('its post is lifted too', async () => /^(ce|ec)/.test(await related()));

  // Vectors of another model take the place of all, but a wrong file of none.
  const other = vectors('other.ndjson', { a: [1, 0.1], b: [1, 0.2], c: [-1, 0.3], d: [-1, 0.1] });
  const refused = await runInProcess(['import', 'vectors', site.apikey, other, '--data', server.dataDir]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('left out: 4 other-dimension, the first on line 1');
  const wrong = write('wrong.ndjson', [{ url: at('a') }, { url: at('b'), vector: [1, 2] }]);
  const kept = await runInProcess(['import', 'vectors', site.apikey, wrong, '--replace', '--data', server.dataDir]);
  expect(kept.stderr).toMatch(/Line 1 of .*wrong\.ndjson is no vector.*Nothing was removed/);
  expect(await related()).toMatch(/^(ce|ec)/);
  expect(await bring(other, '--replace')).toMatchObject({ outcomes: { stored: 4 }, before: false });
  expect(await related()).toMatch(/^b/);
  // Said again, it is done again.
  expect(await bring(other, '--replace')).toMatchObject({ outcomes: { stored: 4 }, before: false });
});

test('what is no vector is left out, with the first line of each kind', async () => {
  const file = write('mixed.ndjson', [
    { url: at('b'), vector: [0.5, 1, 0] },
    'no json',
    [1, 2, 3],
    { url: 'ftp://ferry.example/', vector: [1, 2, 3] },
    { url: at('b'), vector: [1, '2', 3] },
    `{"url": "${at('b')}", "vector": [1, 1e999, 3]}`,
    { url: at('b'), vector: [1] },
    { url: at('b'), vector: Array.from({ length: 4097 }, () => 1) },
    { url: at('b'), vector: [0, 0, 0] },
    { url: at('b'), vector: [1, 2] },
  ]);
  const { code, stdout } = await runCommand(['import', 'vectors', site.apikey, file, '--data', server.dataDir]);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    '1 of 10 vectors stored.',
    expect.stringMatching(/2 no-object, the first on line 2: no JSON object/),
    expect.stringMatching(/1 no-url, the first on line 4/),
    expect.stringMatching(/4 no-vector, the first on line 5: no "vector" of 2 to 4096 numbers/),
    expect.stringMatching(/1 zero-vector, the first on line 9/),
    expect.stringMatching(/1 other-dimension, the first on line 10: .*--replace/),
  ]);
});

test('a site that was removed leaves no vectors behind', async () => {
  const id = site.apikey;
  await bring(vectors('gone.ndjson', { a: [1, 0, 0.2], b: [-1, 0, 0.2], c: [-1, 0, 0.2], d: [0.9, 0, 0.3] }));
  await until('the post alike comes first', async () => (await related()).startsWith('d'));
  await run('site', 'remove', id, '--yes');
  await begin(id);
  expect(await related()).toBe('bcd');
});

test('a file whose vectors another one replaced comes in again', async () => {
  const [close, across, away] = [
    [0.9, 0, 0.3],
    [0, 1, 0.2],
    [-1, 0, 0.2],
  ];
  const first = vectors('first.ndjson', { a: [1, 0, 0.2], b: away, c: across, d: close });
  const second = vectors('second.ndjson', { a: [1, 0, 0.2], b: close, c: across, d: away });
  expect(await bring(first)).toMatchObject({ outcomes: { stored: 4 }, before: false });
  expect(await bring(second, '--replace')).toMatchObject({ outcomes: { stored: 4 }, before: false });
  await until('the post that is close by the second comes first', async () => (await related()).startsWith('b'));
  expect(await bring(first)).toMatchObject({ outcomes: { stored: 4 }, before: false });
  await until('the post that is close by the first comes first', async () => (await related()).startsWith('d'));
});

test('a file that was killed at its last batch comes in again, where another one replaced its vectors', async () => {
  const [first, second] = [1, 2].map((one) => vectors(`killed-${one}.ndjson`, { a: [1, one], b: [one, 1] }));
  await bring(first!);
  const folder = join(server.dataDir, 'imports');
  const isOfSite = (name: string) => readFileSync(join(folder, name), 'utf8').includes(`"${site.apikey}"`);
  const id = readdirSync(folder).find(isOfSite)!.replace('.json', '');
  // What a command leaves that was killed after its batch was stored and before it noted the answer.
  writeFileSync(
    join(folder, `import-${id}.stored`),
    JSON.stringify({ token: `import-${id}-0`, outcomes: ['stored', 'stored'] }),
  );
  await bring(second!, '--replace');
  expect(readdirSync(folder).filter((name) => name.includes(id))).toEqual([]);
  expect(await bring(first!)).toMatchObject({ outcomes: { stored: 2 }, before: false });
});
