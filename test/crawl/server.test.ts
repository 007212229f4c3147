// The crawler on the built server: from a first view to the lists, on request, and from the command line.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';

let web: Server;
let origin = '';
/** Path → page; a path that is not here is never answered. */
const pages = new Map<string, string>();
const asked: string[] = [];
let server: TestServer;
let site: TestSite;

const article = (title: string) => `<!doctype html><html lang="en"><title>${title}</title>
  <script type="application/ld+json">{"@type":"NewsArticle","headline":"${title}","datePublished":"2024-05-07","author":"Ada Quay"}</script>
  <article><h1>${title}</h1>${`<p>The harbour council talks about ${title}, and about ropes.</p>`.repeat(20)}</article>`;

beforeAll(async () => {
  web = createServer((request, response) => {
    asked.push(request.url!);
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    const page = pages.get(request.url!);
    if (page !== undefined) response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  server = await startServer({ flags: ['--allow-private-crawl'] });
  site = await addSite(server, 'harbour.example', '--domain', new URL(origin).host);
});
afterAll(async () => {
  await server.kill();
  web.closeAllConnections();
  web.close();
  await removeDataDirs();
});

const view = (path: string, by = server, idsite = site.apikey) =>
  fetch(`${by.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events: [{ idsite, action: 'pageview', url: origin + path }] }),
  });

interface Titles {
  data: { title: string; url: string; author: string }[];
}

const ask = async (path: string, params: Record<string, string> = {}) =>
  (await getJson<Titles>(server, path, { apikey: site.apikey, ...params })).data;

const crawl = (...words: string[]) => runInProcess(['crawl', ...words, '--data', server.dataDir]);

test('the server says loudly that it reads private addresses', () => {
  const warning = server.log().find(({ msg }) => String(msg).includes('--allow-private-crawl'));
  expect(warning).toMatchObject({ level: 'warn' });
});

test('an article that was not announced is in /related and /top soon after its first view', async () => {
  pages.set('/pier', article('The pier'));
  await view('/pier?utm_source=mail');
  const related = await until(
    'it is in /related',
    async () => (await ask('/v2/related')).length > 0 && ask('/v2/related'),
  );
  expect(related).toMatchObject([{ title: 'The pier', url: `${origin}/pier`, author: 'Ada Quay' }]);
  // Asked once: a list of what is read most is kept for some seconds.
  await allStored(server);
  expect(await ask('/v2/top/posts')).toMatchObject([{ title: 'The pier' }]);
});

test('a site that is removed and made again has the pages that are viewed then, also those of the site before', async () => {
  pages.set('/quay', article('The quay'));
  const name = `again-${Date.now()}.example`;
  const isRead = async () => (await getJson<Titles>(server, '/v2/related', { apikey: name })).data.length > 0;
  for (const time of ['first', 'second']) {
    await addSite(server, name, '--domain', new URL(origin).host);
    await view('/quay', server, name);
    await until(`it is in /related for the ${time} time`, isRead);
    await runInProcess(['site', 'remove', name, '--yes', '--data', server.dataDir]);
  }
});

test('posts and films that are named by an id count as soon as their publisher declares it', async () => {
  const home = `https://told-${Date.now()}.example`;
  const told = await addSite(server, new URL(home).host);
  const tell = (kind: string, metadata: object) =>
    postJson(server, `/v2/metadata/${kind}`, { apikey: told.apikey, secret: told.write_secret, metadata });
  const send = (rqs: object) =>
    fetch(`${server.url}/mobileproxy`, { method: 'POST', body: new URLSearchParams({ rqs: JSON.stringify(rqs) }) });
  await tell('posts', {
    canonical_url: `${home}/a`,
    title: 'Told',
    post_id: '17',
    full_content: 'Ropes.',
  });
  await tell('videos', { canonical_url: `${home}/film`, title: 'Film', post_id: 'film-4' });
  const now = Math.floor(Date.now() / 1000);
  const film = { action: 'videostart', url: `${home}/a`, metadata: { link: 'film-4' }, ts: now };
  await send({
    data: { idsite: told.apikey },
    events: [{ postid: '17', ts: now - 20 }, { postid: 17, ts: now - 10 }, film],
  });
  const counted = async (path: string, params: Record<string, string> = {}) => {
    const asked = { apikey: told.apikey, secret: told.secret, ...params };
    const { data } = await getJson<{ data: { title: string; _hits: number }[] }>(server, path, asked);
    return data.map(({ title, _hits }) => `${title} ${_hits}`);
  };
  await until(
    'both count',
    async () =>
      [
        ...(await counted('/v2/analytics/post/detail', { url: `${home}/a` })),
        ...(await counted('/v2/analytics/videos')),
      ].join() === 'Told 2,Film 1',
  );
});

test('a publisher has a page read again, and what it sent before stands', async () => {
  pages.set('/crane', article('The crane'));
  const metadata = { canonical_url: `${origin}/crane`, title: 'Sent title' };
  await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  const ping = new URL(`/${site.apikey}/ping_crawl`, server.url);
  ping.searchParams.set('secret', site.write_secret);
  ping.searchParams.set('url', `${origin}/crane`);
  const answer = await fetch(ping, { method: 'POST' }).then((response) => response.json());
  expect(answer).toEqual({ data: { url: `${origin}/crane`, status: 'queued' }, success: true });
  await until('the page is asked for', () => asked.includes('/crane'));
  await until('it is read', async () =>
    (await ask('/v2/related')).some(({ url, author }) => url === `${origin}/crane` && author === 'Ada Quay'),
  );
  const words = ['posts', 'show', site.apikey, `${origin}/crane`, '--json', '--data', server.dataDir];
  expect(JSON.parse((await runInProcess(words)).stdout)).toMatchObject({
    title: 'Sent title',
    authors: ['Ada Quay'],
    page_type: 'post',
    word_count: expect.closeTo(200, -2),
  });
});

test('afterword crawl shows each field with where it was read, and keeps the page', async () => {
  pages.set(
    '/ropes',
    article('The ropes').replace('</title>', '</title><meta name="parsely-section" content="Trade">'),
  );
  const dry = await crawl(`${origin}/ropes`, '--dry-run');
  expect(dry.stdout).toContain('Nothing was written.');
  const { code, stdout, stderr } = await crawl(`${origin}/ropes`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Kept in harbour.example as ${origin}/ropes`);
  expect(stdout).toMatch(/^title +json-ld +The ropes$/m);
  expect(stdout).toMatch(/^section +parsely-meta +Trade$/m);
  expect(stdout).toMatch(/^language +html +en$/m);
  expect(stdout).toMatch(/^tags +- +-$/m);
  expect(stdout).toMatch(/^word_count +readability +\d+$/m);
  const json = JSON.parse((await crawl(`${origin}/ropes`, '--json', '--dry-run')).stdout);
  expect(json.fields).toContainEqual({ name: 'authors', value: ['Ada Quay'], source: 'json-ld' });
});

test.each([
  [['not an address'], '"not an address" is no http or https address.'],
  [['https://nobody.example/a'], 'No site has the host nobody.example.'],
  [
    ['https://nobody.example/a', '--site', 'harbour.example'],
    'nobody.example is no host of harbour.example. (foreign-host)',
  ],
  [['https://harbour.example/a', '--site', 'unknown.example'], 'There is no site unknown.example.'],
])('afterword crawl %j says what is wrong', async (words, sentence) => {
  const { code, stdout, stderr } = await crawl(...words);
  expect(code).toBeGreaterThan(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(sentence);
});

test('a page made to keep a parser busy costs its own thread at most: requests are answered meanwhile', async () => {
  pages.set(
    '/busy',
    `<title>Busy</title><meta property="og:type" content="article">${'<div>text, and more, and more '.repeat(110).concat('</div>'.repeat(110)).repeat(60)}`,
  );
  const reading = crawl(`${origin}/busy`, '--dry-run', '--json');
  const start = performance.now();
  let slowest = 0;
  let ended = false;
  void reading.then(() => {
    ended = true;
  });
  await until('it has been read, or given up', async () => {
    const asked = performance.now();
    await getJson(server, '/readyz');
    slowest = Math.max(slowest, performance.now() - asked);
    return ended;
  });
  const whole = performance.now() - start;
  const { code, stderr, stdout } = await reading;
  expect(code === 0 ? stdout : stderr).toMatch(/Busy|longer than/);
  // Who waits for the page waits for most of that time.
  expect(slowest).toBeLessThan(whole / 3);
  pages.set('/after', article('After'));
  expect((await crawl(`${origin}/after`, '--dry-run')).stdout).toContain('After');
});

test('what waits survives kill -9, and a server that reads a silent page stops at once', async () => {
  const flags = ['--allow-private-crawl'];
  let own = await startServer({ flags });
  await addSite(own, site.apikey, '--domain', new URL(origin).host);
  const before = asked.length;
  const askedFor = () => asked.slice(before).filter((path) => path === '/silent').length;
  await view('/silent', own);
  await until('the silent page is asked for', () => askedFor() > 0);
  await own.kill();
  own = await startServer({ dataDir: own.dataDir, flags });
  await until('it is asked for again', () => askedFor() > 1);
  const start = performance.now();
  expect(await own.stop()).toBe(0);
  // Sooner than the page would be given up.
  expect(performance.now() - start).toBeLessThan(9_500);
});

test('without the flag a page on this machine is refused, from the command line too', async () => {
  await server.stop();
  const before = asked.length;
  const words = ['crawl', `${origin}/pier`, '--data', server.dataDir];
  const { code, stderr } = await runCommand(words);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'error: 127.0.0.1 leads to 127.0.0.1, which is not an address of the public internet. (private-address)\n' +
      '  For development only, start the server with --allow-private-crawl.\n',
  });
  expect(asked).toHaveLength(before);
  expect((await runCommand([...words, '--allow-private-crawl', '--dry-run'])).stdout).toContain('The pier');
  const [, ...rest] = words;
  expect((await runCommand(['crawl', '--dry-run', '--allow-private-crawl', ...rest])).stdout).toContain('The pier');
});
