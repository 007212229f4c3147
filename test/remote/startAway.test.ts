// A server that is started while its ClickHouse server is away takes events from the first moment, says what it cannot do, and becomes whole
// by itself when the database is back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Readiness } from '../../server/cli/health.ts';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { bread, emptyDatabases, ferry, harbour, openSite, view, viewsOf } from './journey.ts';

let clickhouse: ClickHouse;
let flags: string[];
const servers: TestServer[] = [];

beforeAll(async () => {
  clickhouse = await startClickHouse(makeDataDir());
  flags = ['--clickhouse-url', clickhouse.url];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await clickhouse.kill();
  await removeDataDirs();
});

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** A view by the reader of this machine, who brings no id. */
async function anonymousView(server: TestServer, url: string, eid: string = crypto.randomUUID()): Promise<void> {
  const body = JSON.stringify({
    events: [{ idsite: 'journey.example', action: 'pageview', url, eid }],
  });
  const { status } = await fetch(`${server.url}/events`, { method: 'POST', body, headers: { 'User-Agent': BROWSER } });
  expect(status).toBe(200);
}

const readiness = (server: TestServer) => getJson<Readiness>(server, '/readyz');

const ask = async (server: TestServer, path: string, params: Record<string, string>) => {
  const answer = await fetch(`${server.url}/v2${path}?${new URLSearchParams(params)}`);
  const text = await answer.text();
  return {
    status: answer.status,
    index: answer.headers.get('Afterword-Index'),
    kept: answer.headers.get('Cache-Control'),
    text,
    listed: [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url),
  };
};

/** What readers see while the site is in no memory: posts of its snapshot, without those that were hidden. */
async function expectSnapshots(server: TestServer, { apikey }: TestSite): Promise<void> {
  const standIn = { status: 200, index: 'loading', kept: 'private, no-store' };
  // A reader does not wait for a snapshot: on a busy machine the first answers are empty.
  await until('the snapshot is read', async () => (await ask(server, '/related', { apikey, url: harbour })).listed[0]);
  for (const url of [harbour, 'https://journey.example/amp/harbour'])
    expect(await ask(server, '/related', { apikey, url })).toMatchObject({ ...standIn, listed: [ferry] });
  const personal = await ask(server, '/related', { apikey, uuid: 'stranger' });
  expect(personal).toMatchObject({ ...standIn, listed: expect.arrayContaining([ferry, harbour]) });
  expect(personal.listed).not.toContain(bread);
  const html = await ask(server, '/fragment/related', { apikey, url: `${harbour}?utm_source=mail` });
  expect(html).toMatchObject({ ...standIn, text: expect.stringContaining(ferry) });
  const unseen = await ask(server, '/related', { apikey: 'unseen.example' });
  expect(unseen).toMatchObject({ ...standIn, text: expect.stringContaining('"data":[]') });
}

test('events are taken into the log, related posts come from the snapshot, other lists say 503, and all is there when the database is back', async () => {
  await emptyDatabases([clickhouse]);
  // The salt of the day is that of the first copy; the second has agreed on it.
  const other = await startServer({ flags });
  servers.push(other);
  const site = await openSite(other);
  await addSite(other, 'unseen.example');
  const before = await startServer({ flags });
  await until(
    'the copy knows the site',
    async () => (await fetch(`${before.url}/v2/top/posts?apikey=${site.apikey}`)).ok,
  );
  const { apikey, secret } = site;
  await getJson(before, '/v2/exclude/ignore', { apikey, secret, url: bread });
  await until(
    'the copy has the site in memory',
    async () => (await ask(before, '/related', { apikey, url: harbour })).index === null,
  );
  await anonymousView(before, harbour, 'resent');
  await before.stop();
  await clickhouse.kill();

  const server = await startServer({ dataDir: before.dataDir, flags });
  servers.push(server);
  expect(await getJson(server, '/healthz')).toEqual({ alive: true });
  const ready = await fetch(`${server.url}/readyz`);
  expect({ status: ready.status, body: await ready.json() }).toEqual({
    status: 503,
    body: { ready: false, events: 'spooled', reads: 'none', problems: ['The database does not answer.'] },
  });
  await expectSnapshots(server, site);
  for (const path of ['/v2/top/posts', '/v2/search', '/v2/analytics/posts'].map(
    (path) => `${path}?q=ferry&apikey=${apikey}&secret=${secret}`,
  )) {
    const answer = await fetch(`${server.url}${path}`);
    expect({ status: answer.status, retry: answer.headers.get('Retry-After'), body: await answer.json() }).toEqual({
      status: 503,
      retry: '5',
      body: { code: 503, message: 'Service Unavailable: The database does not answer.', success: false },
    });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  }
  await anonymousView(server, harbour);
  await anonymousView(server, harbour);
  // Stored before the restart: its sender did not get the answer.
  await anonymousView(server, harbour, 'resent');
  expect(await view(server, bread, 4)).toBe(true);
  expect(await view(server, 'https://elsewhere.example/page')).toBe(true);
  // A page of another host is known as one.
  const report = await (await fetch(`${server.url}/metrics`)).text();
  expect(report).toMatch(/outcome="foreign-host"\} 1$/m);

  clickhouse = await clickhouse.startAgain();
  await until('the server is ready', async () => (await readiness(server)).ready);
  await until('all events are counted', async () => (await viewsOf(server, site))[harbour] === 3);
  expect((await ask(server, '/exclude/list', { apikey, secret })).text).toContain(bread);
  await getJson(server, '/v2/exclude/include', { apikey, secret, url: bread });
  expect(await viewsOf(server, site)).toEqual({ [harbour]: 3, [bread]: 4 });
  // The reader who came before and after the restart is one reader.
  expect(await clickhouse.ask(`SELECT uniqExact(visitor) FROM events WHERE url = '${harbour}'`)).toBe('1');
  const related = await until('the posts are loaded', async () => {
    const answer = await ask(server, '/related', { apikey, url: harbour });
    return answer.index === null ? answer : undefined;
  });
  expect(related).toMatchObject({ status: 200, kept: 'public, max-age=60', listed: [ferry, bread] });
  await addSite(server, 'later.example');
  await addSite(server, 'first.example');
  const hiding = await addSite(server, 'hiding.example');
  const shown = { canonical_url: 'https://hiding.example/shown', title: 'Shown' };
  await until('another copy writes a post of a site', async () => {
    const body = { apikey: hiding.apikey, secret: hiding.write_secret, metadata: shown };
    return (await postJson(other, '/v2/metadata/posts', body)).success;
  });
  const hidden = 'https://hiding.example/hidden';
  await getJson(server, '/v2/exclude/ignore', { apikey: hiding.apikey, secret: hiding.secret, url: hidden });

  clickhouse.freeze();
  try {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    // That the database hangs is known after some seconds: a site of which nothing was ever read is answered before.
    const first = ask(server, '/related', { apikey: 'first.example' }).finally(note('related'));
    // So is one whose hidden URLs are known, and nothing else.
    const known = ask(server, '/related', { apikey: hiding.apikey }).finally(note('related'));
    expect((await ask(server, '/analytics/posts', { apikey, secret })).status).toBe(503);
    note('refused')();
    for (const answer of await Promise.all([first, known]))
      expect(answer).toMatchObject({ status: 200, index: 'loading', kept: 'private, no-store', listed: [] });
    expect(order.splice(0)).toEqual(['related', 'related', 'refused']);

    // From then on no answer waits for it: not for the 1.5 s in which a site that is not in memory has an answer.
    const hanging = fetch(new URL(clickhouse.url).origin, { signal: AbortSignal.timeout(1500) }).then(
      note('hangs'),
      note('hangs'),
    );
    const [list, cold, warm] = await Promise.all([
      ask(server, '/analytics/posts', { apikey, secret }).finally(note('refused')),
      ask(server, '/related', { apikey: 'later.example' }).finally(note('related')),
      ask(server, '/related', { apikey, url: harbour }).finally(note('related')),
      hanging,
    ]);
    expect([list.status, cold.status, cold.index, warm.status]).toEqual([503, 200, 'loading', 200]);
    expect(warm.listed).toEqual([ferry, bread]);
    expect(order.at(-1)).toBe('hangs');
  } finally {
    clickhouse.thaw();
  }
  await until(
    'it answers again',
    async () => (await ask(server, '/analytics/posts', { apikey, secret })).status === 200,
  );
  expect(server.log().filter(({ level }) => level === 'fatal')).toEqual([]);
});

test('a folder that was moved to a server starts while that server is away, also when it was not started since', async () => {
  for (const sql of ['DROP DATABASE IF EXISTS moved SYNC', 'CREATE DATABASE moved']) await clickhouse.ask(sql);
  const to = clickhouse.url.replace(/\w+$/, 'moved');
  const first = await startServer();
  servers.push(first);
  const site = await openSite(first);
  await addSite(first, 'unseen.example');
  await first.stop();
  const moving = await startServer({ dataDir: first.dataDir });
  servers.push(moving);
  const { apikey, secret } = site;
  await getJson(moving, '/v2/exclude/ignore', { apikey, secret, url: bread });
  await until(
    'the site is in memory',
    async () => (await ask(moving, '/related', { apikey, url: harbour })).index === null,
  );
  expect(await runCommand(['move', '--to', to, '--data', moving.dataDir])).toMatchObject({ code: 0 });
  await moving.stop();
  await clickhouse.kill();
  try {
    const server = await startServer({ dataDir: moving.dataDir, flags: ['--clickhouse-url', to] });
    servers.push(server);
    await expectSnapshots(server, site);
  } finally {
    clickhouse = await clickhouse.startAgain();
  }
});

test('a site into which posts were imported is answered from its snapshot after a start without the database', async () => {
  for (const sql of ['DROP DATABASE IF EXISTS filled SYNC', 'CREATE DATABASE filled']) await clickhouse.ask(sql);
  const engine = ['--clickhouse-url', clickhouse.url.replace(/\w+$/, 'filled')];
  const before = await startServer({ flags: engine });
  servers.push(before);
  const site = await openSite(before);
  const { apikey, secret } = site;
  await getJson(before, '/v2/exclude/ignore', { apikey, secret, url: bread });
  const listed = { index: null, listed: [ferry] };
  const isListed = async () => expect(await ask(before, '/related', { apikey, url: harbour })).toMatchObject(listed);
  await until('the site is in memory', () =>
    isListed().then(
      () => true,
      () => false,
    ),
  );
  await until('the folder has the site', () =>
    readFileSync(join(before.dataDir, 'sites.json'), 'utf8').includes(apikey),
  );
  const file = join(makeDataDir(), 'posts.jsonl');
  writeFileSync(
    file,
    JSON.stringify({ canonical_url: ferry, title: 'Ferry timetable of the harbour changes in autumn' }),
  );
  const imported = await runCommand(['import', 'posts', apikey, file, '--data', before.dataDir]);
  expect(imported).toMatchObject({ code: 0 });
  await until('the site is in memory again', () =>
    isListed().then(
      () => true,
      () => false,
    ),
  );
  await before.stop();
  await clickhouse.kill();
  try {
    const server = await startServer({ dataDir: before.dataDir, flags: engine });
    servers.push(server);
    // Of the posts when it was written, which may be before the last ones came.
    const { listed } = await until('the snapshot is read', async () => {
      const answer = await ask(server, '/related', { apikey, uuid: 'stranger' });
      return answer.listed.length > 0 ? answer : undefined;
    });
    expect(listed).not.toContain(bread);
  } finally {
    clickhouse = await clickhouse.startAgain();
  }
});

test('a first start without the database fails in one sentence, and so does a password that is wrong', async () => {
  const nowhere = clickhouse.url.replace(/:\d+\//, ':1/');
  const first = await runCommand(['serve', '--port', '0', '--data', makeDataDir(), '--clickhouse-url', nowhere]);
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
  const wrong = new URL(clickhouse.url);
  wrong.password = 'another';
  const dataDir = servers[0]!.dataDir;
  await servers.shift()!.stop();
  const refused = await runCommand(['serve', '--port', '0', '--data', dataDir, '--clickhouse-url', wrong.href]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/Authentication failed|password/) });
});
