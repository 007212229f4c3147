// `afterword import` and `afterword export`, beside a running server and without one.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { startImport } from './startImport.ts';

const DAY = 86_400_000;
const yesterday = Date.now() - DAY;
const files = makeDataDir();
const write = (name: string, text: string) => {
  writeFileSync(join(files, name), text);
  return join(files, name);
};

let server: TestServer;
let site: TestSite;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

async function run(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runInProcess([...words, '--json', '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Views by URL, as the API lists them. */
async function views(): Promise<Record<string, number>> {
  const params = { apikey: site.apikey, secret: site.secret, period_start: '5d', limit: 100 };
  const { data } = await getJson<{ data: { url: string; _hits: number }[] }>(server, '/v2/analytics/posts', params);
  return Object.fromEntries(data.map(({ url, _hits }) => [url, _hits]));
}

/** Views that are exported. */
async function stored(): Promise<number> {
  const { stdout } = await runInProcess(['export', 'views', site.apikey, '--data', server.dataDir]);
  return stdout.split('\n').length - 1;
}

let sites = 0;
const page = (n: number) => `https://${site.apikey}/${n}`;

test('posts and views from files are in the lists, each once, however often the files are brought', async () => {
  // A site has a file once, so that a second try of this test is about another.
  site = await addSite(server, `old-${++sites}.example`);
  const posts = [1, 2, 3].map((n) => ({
    canonical_url: page(n),
    title: `Post ${n}, "quoted"`,
    tags: ['a', 'b'],
    urls: [`${page(n)}?p=${n}`],
  }));
  const postFile = write(
    'posts.ndjson',
    [...posts, { title: 'no url' }, 7].map((line) => JSON.stringify(line)).join('\n'),
  );
  expect(await run('import', 'posts', site.apikey, postFile)).toMatchObject({
    lines: 5,
    outcomes: { stored: 3, 'bad canonical_url': 1, 'bad metadata': 1 },
    before: false,
  });

  const rows = [1, 1, 1, 2, 2].map(
    (n, index) => `"${page(n)}",${new Date(yesterday + index * 1000).toISOString()},v${index},"a ""b"", c"`,
  );
  const viewFile = write(
    'views.csv',
    `\uFEFFurl,date,visitor,note\r\n${rows.join('\r\n')}\r\nhttps://other.example/,2024-01-01,x,\r\n`,
  );
  expect(await run('import', 'views', site.apikey, viewFile)).toMatchObject({
    lines: 6,
    outcomes: { stored: 5 },
    before: false,
  });
  expect(await views()).toEqual({ [page(1)]: 3, [page(2)]: 2 });

  const copy = write('the-same-under-another-name.csv', readFileSync(viewFile, 'utf8'));
  const packed = join(files, 'the-same-gzipped.csv.gz');
  writeFileSync(packed, gzipSync(readFileSync(viewFile)));
  for (const file of [viewFile, copy, packed]) {
    expect(await run('import', 'views', site.apikey, file)).toMatchObject({ outcomes: { stored: 5 }, before: true });
  }
  expect(await views()).toEqual({ [page(1)]: 3, [page(2)]: 2 });

  const shown = await run('posts', 'show', site.apikey, `${page(3)}?p=3`);
  expect(shown).toMatchObject({ url: page(3), title: 'Post 3, "quoted"', tags: ['a', 'b'] });
});

test('a log under the names that published logs give, gzipped, is brought as one under ours is', async () => {
  const earlier = (await views())[page(2)] ?? 0;
  const visit = randomUUID();
  const log = (heading: string) =>
    gzipSync([heading, ...[0, 1].map((n) => [`${visit}-${n}`, page(2), yesterday + n].join('\t'))].join('\n'));
  const usual = join(files, `${visit}.tsv.gz`);
  writeFileSync(usual, log('session_id\titem_id\ttimestamp'));
  expect(await run('import', 'views', site.apikey, usual)).toMatchObject({ lines: 2, outcomes: { stored: 2 } });
  const own = join(files, `${visit}-own.tsv.gz`);
  writeFileSync(own, log('who\twhat\twhen'));
  const unnamed = await runCommand(['import', 'views', site.apikey, own, '--data', server.dataDir]);
  expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining('has no column url, date') });
  const names = ['--visitor-column', 'who', '--item-column', 'what', '--time-column', 'when'];
  expect(await run('import', 'views', site.apikey, own, ...names)).toMatchObject({ outcomes: { stored: 2 } });
  expect((await views())[page(2)]).toBe(earlier + 4);
});

test('an import that was killed continues where it was', async () => {
  const earlier = (await views())[page(3)] ?? 0;
  // Known by its content: a second try of this test brings another.
  const visit = randomUUID();
  const lines = Array.from({ length: 30_000 }, (_, n) =>
    JSON.stringify({ url: page(3), date: yesterday + n, visitor: `${visit}-${n % 99}` }),
  );
  const file = write(`${visit}.ndjson`, lines.join('\n'));
  const cut = await startImport(server.dataDir, 'views', site.apikey, file);
  await cut.hasBegun();
  cut.child.kill('SIGKILL');
  expect(await cut.ended).toBe(137);
  expect((await views())[page(3)]).toBeGreaterThan(earlier + 2000);
  const { outcomes, before } = await run('import', 'views', site.apikey, file);
  expect({ outcomes, before }).toEqual({ outcomes: { stored: 30_000 }, before: false });
  expect((await views())[page(3)]).toBe(earlier + 30_000);
});

test('what is exported builds the same site elsewhere, without a server too', async () => {
  const elsewhere = makeDataDir();
  await copyEmptyDatabase(join(elsewhere, 'engine'));
  const there = (...words: string[]) => runCommand([...words, '--data', elsewhere]);
  expect(await there('site', 'add', site.apikey)).toMatchObject({ code: 0 });
  for (const kind of ['posts', 'views']) {
    const file = join(files, `${kind}-exported.ndjson`);
    expect(await runInProcess(['export', kind, site.apikey, '-o', file, '--data', server.dataDir])).toMatchObject({
      code: 0,
    });
    expect(await there('import', kind, site.apikey, file)).toMatchObject({ code: 0 });
    const { stdout } = await there('export', kind, site.apikey);
    const sorted = (text: string) => text.trim().split('\n').sort();
    expect(sorted(stdout)).toEqual(sorted(readFileSync(file, 'utf8')));
    expect(sorted(stdout).length).toBeGreaterThanOrEqual(3);
  }
});

test('a post whose page is gone comes back as such, and one that has moved without its former address', async () => {
  site = await addSite(server, `moved-${++sites}.example`);
  const metadata = (n: number, more = {}) => ({ canonical_url: page(n), title: `Post ${n}`, ...more });
  for (const one of [metadata(1), metadata(2), metadata(3, { urls: [page(2)] })])
    await postJson(server, '/v2/metadata/posts', { ...site, secret: site.write_secret, metadata: one });
  const gone = '2026-05-01T09:30:00.000Z';
  const first = write('gone.ndjson', `${JSON.stringify(metadata(1, { gone, sent_fields: [] }))}\n`);
  await run('import', 'posts', site.apikey, first);
  const lines = async (of: string) => {
    const { stdout } = await runInProcess(['export', 'posts', of, '--data', server.dataDir]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const exported = await lines(site.apikey);
  expect(exported).toMatchObject([
    { canonical_url: page(1), gone },
    { canonical_url: page(3), urls: [page(2)] },
  ]);
  const { apikey: copy } = await addSite(server, `copy-${sites}.example`, '--domain', site.apikey);
  const file = write('posts-moved.ndjson', exported.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await run('import', 'posts', copy, file);
  expect(await lines(copy)).toEqual(exported);
  const { stdout } = await runInProcess(['doctor', '--data', server.dataDir]);
  expect(stdout).toContain(`1 post of ${copy} is in no list, because the page is gone`);
  const noTime = write('no-time.ndjson', JSON.stringify(metadata(4, { gone: 'yes' })));
  const { code, stderr } = await runInProcess(['import', 'posts', copy, noTime, '--data', server.dataDir]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('bad gone') });
});

test('a post with more addresses than one call of the interface takes comes back with all of them', async () => {
  const of = await addSite(server, `old-${++sites}.example`);
  const post = `https://${of.apikey}/1`;
  const urls = Array.from({ length: 1_050 }, (_, at) => `${post}?version=${at}`).sort();
  const file = write(`${of.apikey}-posts.ndjson`, JSON.stringify({ canonical_url: post, title: 'One', urls }));
  expect(await run('import', 'posts', of.apikey, file)).toMatchObject({ outcomes: { stored: 1 } });
  const { stdout } = await runInProcess(['export', 'posts', of.apikey, '--data', server.dataDir]);
  expect(JSON.parse(stdout).urls.sort()).toEqual(urls);
});

test('views and items of lists beyond the limit of new addresses come back as they were exported', async () => {
  const of = await addSite(server, `old-${++sites}.example`);
  const exported = { referrer_type: 'direct', visitor_hash: '7', channel: 'website', device: 'desktop' };
  const report = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true };
  const lines = [
    { url: '(other)', date: new Date(yesterday).toISOString(), action: 'pageview', ...exported },
    {
      ...{ url: `https://${of.apikey}/1`, date: new Date(yesterday).toISOString(), action: 'list', ...exported },
      lists: [{ ...report, seen: [[1, '(other)', 'words']], clicked: [] }],
    },
  ];
  const file = write(`${of.apikey}.ndjson`, lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(await run('import', 'views', of.apikey, file)).toMatchObject({ outcomes: { stored: 2 } });
  const { stdout } = await runInProcess(['export', 'views', of.apikey, '--data', server.dataDir]);
  const written = stdout.trim().split('\n');
  expect(written.map((line) => JSON.parse(line))).toEqual(lines);
});

test.each([
  [['import', 'views', 'old-1.example', '/nonexistent.csv'], 'cannot be read (ENOENT)'],
  [['import', 'views', 'none.example', import.meta.filename], 'There is no site none.example'],
  [['import', 'views', 'old-1.example', import.meta.filename], 'use --format'],
  [['export', 'views', 'none.example'], 'There is no site none.example'],
  [['export', 'views', 'old-1.example', '--from', 'soon'], '--from and --to take a date'],
])('%j is one clear error', async (words, sentence) => {
  const { code, stdout, stderr } = await runInProcess([...words, '--data', server.dataDir]);
  expect({ failed: code > 0, stdout }).toEqual({ failed: true, stdout: '' });
  expect(stderr).toContain(sentence);
});

test('a file comes in again after its site was removed and made again', async () => {
  site = await addSite(server, `again-${++sites}.example`);
  const file = write('again.csv', `url,date\n${page(1)},${new Date(yesterday).toISOString()}\n`);
  expect(await run('import', 'views', site.apikey, file)).toMatchObject({ outcomes: { stored: 1 }, before: false });
  await run('site', 'remove', site.apikey, '--yes');
  site = await addSite(server, site.apikey);
  expect(await stored()).toBe(0);
  expect(await run('import', 'views', site.apikey, file)).toMatchObject({ outcomes: { stored: 1 }, before: false });
  expect(await stored()).toBe(1);
});

test('an import whose site is removed and made again meanwhile ends, and the same file counts once there', async () => {
  site = await addSite(server, `again-${++sites}.example`);
  const lines = Array.from({ length: 30_000 }, (_, n) => JSON.stringify({ url: page(3), date: yesterday + n }));
  const file = write('meanwhile.ndjson', lines.join('\n'));
  const begun = await startImport(server.dataDir, 'views', site.apikey, file);
  await begun.hasBegun();
  begun.child.kill('SIGSTOP');
  await run('site', 'remove', site.apikey, '--yes');
  site = await addSite(server, site.apikey);
  begun.child.kill('SIGCONT');
  expect(await begun.ended).toBe(1);
  expect(begun.output.stderr).toContain(`The site ${site.apikey} was removed and made again`);
  expect(await run('import', 'views', site.apikey, file)).toMatchObject({
    outcomes: { stored: 30_000 },
    before: false,
  });
  expect(await stored()).toBe(30_000);
});

test('a CSV with a broken quote names the line', async () => {
  const file = write('broken.csv', 'url,date\n"https://old-1.example/1,2024-01-01\n');
  const { code, stderr } = await runInProcess(['import', 'views', site.apikey, file, '--data', server.dataDir]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/broken\.csv is no CSV: .*line 2/) });
});

test('a CSV of posts has several authors, tags and addresses with bars between, and says so where they have commas', async () => {
  const of = await addSite(server, `old-${++sites}.example`);
  const address = (n: number) => `https://${of.apikey}/${n}`;
  const lines = [
    'canonical_url,title,authors,tags,urls',
    `${address(1)},One,"King, Jr.|Ann",sea | ferries,${address(1)}?a=x|y|${address(1)}/amp`,
    `${address(2)},Two,Bob,islands,`,
    `${address(3)},Three,"Ann, Bob",islands,`,
  ];
  const file = write(`posts-${sites}.csv`, lines.join('\n'));
  const { stdout } = await runInProcess(['import', 'posts', of.apikey, file, '--data', server.dataDir]);
  expect(stdout).toContain('2 of 3 posts stored.');
  expect(stdout).toContain(
    'left out: 1 bad authors, the first on line 4: a comma may be part of a name: between several',
  );
  const shown = async (n: number) => await run('posts', 'show', of.apikey, address(n));
  expect(await shown(1)).toMatchObject({
    authors: ['King, Jr.', 'Ann'],
    tags: ['sea', 'ferries'],
    aliases: [`${address(1)}/amp`, `${address(1)}?a=x|y`],
  });
  expect(await shown(2)).toMatchObject({ authors: ['Bob'], tags: ['islands'], aliases: [] });
});
