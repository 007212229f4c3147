// `afterword forget`: a visitor is erased everywhere, everybody else stays.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const article = (name: string) => `https://memory.example/${name}`;

let server: TestServer;
let site: TestSite;

/** What the API says of distinct visitors and views. */
async function numbers() {
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const params = { apikey: site.apikey, secret: site.secret, period_start: '2d', sort: 'visitors', ...more };
    const { data } = await getJson<{ data: Record<string, unknown>[] }>(server, `/v2/analytics/${path}`, params);
    return data;
  };
  await allStored(server);
  const posts = await ask('posts');
  const campaigns = await ask('campaigns', { campaign_key: 'source' });
  const fresh = await ask('posts', { sort: 'visitors_new' });
  return {
    posts: Object.fromEntries(posts.map(({ title, _hits, metrics }) => [title, { _hits, ...(metrics as object) }])),
    campaigns: Object.fromEntries(
      campaigns.map(({ name, metrics }) => [name, (metrics as { visitors: number }).visitors]),
    ),
    fresh: Object.fromEntries(
      fresh.map(({ title, metrics }) => [title, (metrics as { visitors_new: number }).visitors_new]),
    ),
  };
}

const history = async (uuid: string) =>
  (await getJson<{ data: { urls: string[] } }>(server, '/v2/history', { apikey: site.apikey, uuid })).data.urls;

beforeEach(async () => {
  server = await startServer();
  site = await addSite(server, 'memory.example');
  for (const title of ['one', 'two']) {
    const metadata = { canonical_url: article(title), title };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  }
  const views = [
    ['ann', 'one'],
    ['ann', 'one'],
    ['ann', 'two'],
    ['bob', 'one'],
    ['eve', 'two'],
  ] as const;
  const events = views.map(([visitor, title], index) => ({
    idsite: site.apikey,
    action: 'pageview',
    url: `${article(title)}?utm_source=news`,
    eid: `view-${index}`,
    data: { parsely_site_uuid: visitor },
  }));
  await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events }),
  });
  for (const [uuid, title] of views)
    await getJson(server, '/v2/profile', { apikey: site.apikey, uuid, url: article(title) });
});

afterEach(async () => {
  await server.stop();
  await removeDataDirs();
});

async function forget(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess(['forget', ...words, '--json', '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test('views stay, the visitor is in no count and has no profile until it comes back; the others are where they were', async () => {
  const before = await numbers();
  expect(before).toEqual({
    posts: { one: { _hits: 3, visitors: 2 }, two: { _hits: 2, visitors: 2 } },
    campaigns: { news: 3 },
    fresh: { one: 2, two: 2 },
  });
  expect((await history('ann')).sort()).toEqual([article('one'), article('two')]);

  expect(await forget('--visitor', 'ann')).toEqual([{ apikey: 'memory.example', events: 3, visits: 2 }]);
  expect(await numbers()).toEqual({
    posts: { one: { _hits: 3, visitors: 1 }, two: { _hits: 2, visitors: 1 } },
    campaigns: { news: 2 },
    fresh: { one: 1, two: 1 },
  });
  expect(await history('ann')).toEqual([]);
  expect(await history('bob')).toEqual([article('one')]);

  const { stdout } = await runInProcess(['export', 'views', site.apikey, '--data', server.dataDir]);
  const owners = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).visitor_hash);
  expect(owners.filter((owner) => owner === '0')).toHaveLength(3);
  expect(new Set(owners).size).toBe(3);

  // Once more there is nothing left to erase, and nothing changes.
  const after = await numbers();
  expect(await forget('--visitor', 'ann', '--site', site.apikey)).toEqual([
    { apikey: 'memory.example', events: 0, visits: 0 },
  ]);
  expect(await numbers()).toEqual(after);

  // Who comes back is counted again.
  const event = {
    idsite: site.apikey,
    action: 'pageview',
    url: article('one'),
    eid: 'back',
    data: { parsely_site_uuid: 'ann' },
  };
  await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events: [event] }),
  });
  expect((await numbers()).posts.one).toEqual({ _hits: 4, visitors: 2 });
  await forget('--visitor', 'ann');
  await forget('--visitor', 'eve');
  expect((await numbers()).posts).toEqual({ one: { _hits: 4, visitors: 1 }, two: { _hits: 2, visitors: 0 } });
});

test('a second visitor or site is refused, for the first would seem to be erased', async () => {
  const before = await numbers();
  for (const words of [
    ['--visitor', 'ann', '--visitor', 'bob'],
    ['--visitor', 'ann', '--site', 'other.example', '--site', site.apikey],
  ])
    expect(await runInProcess(['forget', ...words, '--data', server.dataDir])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('takes one value, and is given twice: give it once.'),
    });
  expect(await numbers()).toEqual(before);
});

test('what is no visitor is refused in words, and nothing is erased', async () => {
  const before = await numbers();
  for (const [visitor, code, sentence] of [
    ['', 2, "argument '' is invalid. It takes an id of 1 to 8192 characters."],
    ['x'.repeat(8_193), 2, 'is invalid. It takes an id of 1 to 8192 characters.'],
    ['OPTOUT', 2, 'error: OPTOUT is the mark of readers who are not identified: no event is stored as theirs.\n'],
  ] as const) {
    const failed = await runInProcess(['forget', '--visitor', visitor, '--data', server.dataDir]);
    expect(failed).toEqual({ code, stdout: '', stderr: expect.stringContaining(sentence) });
  }
  expect(await numbers()).toEqual(before);
});

test('events that were set aside are not reached, which is said', async () => {
  const refused = join(server.dataDir, 'ingest', 'spool', 'refused');
  mkdirSync(refused, { recursive: true });
  writeFileSync(join(refused, 'aside.tsv'), 'site\turl\n');
  const { code, stderr } = await runInProcess(['forget', '--visitor', 'eve', '--data', server.dataDir]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `warning: nothing is erased from the events that are set aside in ${dirname(refused)} (1 file): afterword spool list names the files.\n`,
  });
});

/** Acknowledged one after the other: the insert of the second one is not due yet. */
async function readOnceMore(): Promise<void> {
  for (const visitor of ['bob', 'ann']) {
    const data = { parsely_site_uuid: visitor };
    const event = { idsite: site.apikey, action: 'pageview', url: article('one'), eid: `late-${visitor}`, data };
    const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events: [event] }) };
    expect((await fetch(`${server.url}/events`, init)).status).toBe(200);
  }
}

test('an event that was acknowledged just before is erased, too', async () => {
  await allStored(server);
  await readOnceMore();
  expect(await forget('--visitor', 'ann')).toEqual([{ apikey: 'memory.example', events: 4, visits: 2 }]);
  expect((await numbers()).posts).toEqual({ one: { _hits: 5, visitors: 1 }, two: { _hits: 2, visitors: 1 } });
});

test('events that a killed server left in its log are counted by the list, and end the command with an error', async () => {
  await allStored(server);
  await readOnceMore();
  await server.kill();
  const { dataDir } = server;
  const list = await runCommand(['spool', 'list', '--data', dataDir]);
  const waits =
    /^To be inserted by a running server: [12] events? in [12] files?\.\nEvery other event that was acknowledged is counted\.\n$/;
  expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(waits) });
  const early = await runCommand(['forget', '--visitor', 'ann', '--data', dataDir]);
  expect(early).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: [12] events? of all sites and visitors/),
  });
  server = await startServer({ dataDir });
  expect(await forget('--visitor', 'ann')).toEqual([{ apikey: 'memory.example', events: 1, visits: 0 }]);
  const { stdout } = await runInProcess(['spool', 'list', '--data', dataDir]);
  expect(stdout).toBe('Every event that was acknowledged is counted.\n');
});

test('a site that does not exist is one clear error', async () => {
  const { code, stderr } = await runCommand([
    'forget',
    '--visitor',
    'x',
    '--site',
    'none.example',
    '--data',
    server.dataDir,
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('There is no site none.example') });
});
