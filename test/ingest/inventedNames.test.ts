// A sender who invents addresses by the thousand, at the built server: what the readers of other networks read still counts, and is
// still read by the crawler.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
let sites = 0;
/** A network of its own for each try: events are counted for a network, too. */
const attacker = () => `198.18.${sites}.7`;
const TOKEN = 'token-of-the-test';

let web: Server;
let origin = '';
const asked: string[] = [];
let server: TestServer;
let site: TestSite;

const article = (title: string) => `<!doctype html><html lang="en"><title>${title}</title>
  <script type="application/ld+json">{"@type":"NewsArticle","headline":"${title}","datePublished":"2024-05-07"}</script>
  <article><h1>${title}</h1>${`<p>The harbour council talks about ${title}.</p>`.repeat(20)}</article>`;

beforeAll(async () => {
  web = createServer((request, response) => {
    asked.push(request.url!);
    if (!request.url!.startsWith('/real')) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(article(request.url!.slice(1)));
  });
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  server = await startServer({
    flags: ['--trusted-proxies', '1', '--allow-private-crawl'],
    env: { AFTERWORD_METRICS_TOKEN: TOKEN },
  });
});
// A site of its own for each try.
beforeEach(async () => {
  asked.length = 0;
  site = await addSite(server, `paper-${++sites}.example`, '--domain', new URL(origin).host);
});
afterAll(async () => {
  await server.kill();
  web.closeAllConnections();
  web.close();
  await removeDataDirs();
});

const home = () => `https://${site.apikey}`;

async function send(from: string, events: readonly object[]): Promise<void> {
  const response = await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER, 'X-Forwarded-For': from },
    body: JSON.stringify({ events: events.map((event) => ({ idsite: site.apikey, action: 'pageview', ...event })) }),
  });
  expect([response.status, await response.text()]).toEqual([200, '{"success":true}']);
}

let invented = 0;
/** Events that name three new addresses each: of a page, of a video, of a page it was come from. */
const inventions = (count: number) =>
  Array.from({ length: count }, () => {
    const name = `${home()}/${(invented++).toString(36)}`;
    return { action: 'videostart', url: `${name}-p`, urlref: `${name}-r`, metadata: { link: `${name}-v` } };
  });

/** Four batches, 3,400 events, 10,200 names: more than a site may bring in an hour. */
async function attack(): Promise<void> {
  for (let batch = 0; batch < 4; batch++) await send(attacker(), inventions(850));
}

/** One view from each of a hundred networks. */
async function readByAll(url: string, meanwhile: () => Promise<void>): Promise<void> {
  for (let quarter = 0; quarter < 4; quarter++) {
    const readers = Array.from({ length: 25 }, (_, reader) => `203.0.${quarter * 25 + reader}.9`);
    await Promise.all([meanwhile(), ...readers.map((reader) => send(reader, [{ url }]))]);
  }
}

const declare = (url: string, fields: object = {}) =>
  postJson(server, '/v2/metadata/posts', {
    apikey: site.apikey,
    secret: site.write_secret,
    metadata: { canonical_url: url, title: 'Breaking', full_content: 'What happened.', ...fields },
  });

interface Records {
  data: { url: string; metrics: { views: number } }[];
}

const metrics = async () =>
  await (await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })).text();

async function viewsOf(url: string): Promise<number | undefined> {
  await until('all events are in the tables', async () => /^afterword_spool_groups 0$/m.test(await metrics()));
  const params = { apikey: site.apikey, secret: site.secret, limit: '100' };
  const { data } = await getJson<Records>(server, '/v2/analytics/posts', params);
  return data.find((record) => record.url === url)?.metrics.views;
}

const topOf = async () => (await getJson<Records>(server, '/v2/top/posts', { apikey: site.apikey })).data;

test('a post its publisher declares is counted whole, and in the public list, after one address used up its names', async () => {
  await attack();
  const url = `${home()}/breaking`;
  await declare(url);
  await readByAll(url, () => send(attacker(), inventions(100)));
  expect(await viewsOf(url)).toBe(100);
  expect((await topOf()).map((record) => record.url)).toEqual([url]);
});

test('a new article that was not declared is counted, too, while the sender continues', async () => {
  await attack();
  const url = `${home()}/undeclared`;
  await readByAll(url, () => send(attacker(), inventions(100)));
  // Its readers were counted before anyone knew what it is.
  await declare(url);
  expect(await viewsOf(url)).toBe(100);
});

test('what is beyond the allowance is a metric of its site, and doctor says what happens', async () => {
  await attack();
  const found = new RegExp(`afterword_ingest_events_total\\{site="${site.apikey}",outcome="too-many-urls"\\} (\\d+)`);
  expect(Number(found.exec(await metrics())?.[1])).toBeGreaterThan(2_800);
  const { stdout } = await runInProcess(['doctor', '--data', server.dataDir]);
  expect(stdout).toContain('one sender that invents addresses');
});

test('an article seen from several networks is read before addresses that one network brought', async () => {
  const bogus = Array.from({ length: 150 }, (_, page) => ({ url: `${origin}/bogus-${page}` }));
  await send(attacker(), bogus);
  await until('the crawler works on them', async () => asked.includes('/bogus-0'));
  for (const reader of [1, 2, 3, 4]) await send(`203.0.${reader}.9`, [{ url: `${origin}/real` }]);
  await declare(`${origin}/real-declared`, { full_content: '' });
  await send('203.0.113.9', [{ url: `${origin}/real-declared` }]);
  await until('both are read', async () => asked.includes('/real') && asked.includes('/real-declared'));
  expect(asked.filter((path) => path.startsWith('/bogus')).length).toBeLessThan(40);
});

test('lists are counted by the names that the site and its experiment give them, after invented segments used up its labels', async () => {
  const [slot, name] = ['after-article', 'grid-or-list'];
  const variants = [
    { name: 'plain', share: 50 },
    { name: 'tiles', share: 50, layout: 'grid' },
  ];
  const keys = { apikey: site.apikey, secret: site.write_secret };
  await postJson(server, '/v2/experiments', { ...keys, add: { name, slot, goal: 'clicks', variants } });
  // A twentieth of what a site may bring in an hour, from each of twenty networks.
  for (let network = 0; network < 20; network++) {
    const segments = Array.from({ length: 110 }, () => ({
      url: home(),
      data: { segments: [(invented++).toString(36)] },
    }));
    await send(`198.${sites}.${network}.7`, segments);
  }
  const report = { list: 'related', slot, layout: 'grid', experiment: name, variant: 'tiles', shown: true };
  await send('203.0.1.9', [{ action: 'list', url: home(), lists: [report, { ...report, slot: '2' }] }]);
  const groupsBy = async (group: string) => {
    const params = { apikey: site.apikey, secret: site.secret, group };
    return (await getJson<{ data: { name: string }[] }>(server, '/v2/lists', params)).data.map((list) => list.name);
  };
  const isThere = async () => (await groupsBy('list')).length > 0;
  await until('the report is in the tables', isThere);
  for (const [group, names] of Object.entries({
    list: ['related'],
    slot: ['2', slot],
    layout: ['grid'],
    experiment: [name],
    variant: ['tiles'],
  }))
    expect([group, (await groupsBy(group)).sort()]).toEqual([group, names]);
});
