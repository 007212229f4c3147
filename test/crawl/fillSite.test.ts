// `afterword crawl --sitemap` and `--feed` on the built server: lists hold posts before the first reader comes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand, startCommand } from '../support/command.ts';
import { doneInProcess, runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type ArchiveSite, articlePage, openArchiveSite, sitemapIndex, urlSet, XML } from './archiveSite.ts';

let server: TestServer;
const opened: ArchiveSite[] = [];
beforeAll(async () => {
  server = await startServer({ flags: ['--allow-private-crawl'] });
});
afterAll(async () => {
  await server.kill();
  for (const web of opened) web.close();
  await removeDataDirs();
});

let sites = 0;
/** A site of its own for each test and try: its pages are on ports that no other has. */
async function openSite(ports = 1, on = server) {
  const web = await openArchiveSite(ports);
  opened.push(web);
  const id = `archive-${++sites}.example`;
  const domains = web.origins.flatMap((origin) => ['--domain', new URL(origin).host]);
  await addSite(on, id, ...domains);
  return { web, id, origin: web.origins[0]! };
}

const crawl = (on: TestServer, ...words: string[]) => runInProcess(['crawl', ...words, '--data', on.dataDir]);

async function crawlJson(on: TestServer, ...words: string[]) {
  const { code, stdout, stderr } = await crawl(on, ...words, '--json');
  if (code !== 0) throw new Error(`${stderr}${stdout}`);
  return JSON.parse(stdout);
}

interface Titles {
  data: { title: string; url: string }[];
}

const related = async (id: string, params: Record<string, string> = {}) =>
  (await getJson<Titles>(server, '/v2/related', { apikey: id, limit: '10', ...params })).data;

test.concurrent('a fresh site of thirty pages has lists before any reader came', async () => {
  const { web, id, origin } = await openSite(6);
  const urls = Array.from({ length: 30 }, (_, number) => `${web.origins[number % 6]}/a${number}`);
  urls.forEach((_, number) => {
    web.files.set(`/a${number}`, articlePage(number));
  });
  web.files.set('/sitemap.xml', { body: urlSet(urls), type: XML });
  expect(await related(id)).toEqual([]);
  const { code, stdout, stderr } = await crawl(server, '--sitemap', `${origin}/sitemap.xml`);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${id}: 30 pages listed in 1 file.\n  queued: 30\n  read: 30, 30 of them posts\n`,
  });
  expect(stderr).toContain('30 pages to read, the newest first');
  expect(stderr).toContain('Reading pages: 100 %, 30 of 30 pages, 30 posts');
  const beside = await related(id, { url: urls[5]! });
  // The five others about the same, and nothing that is about something else.
  expect(beside.map(({ title }) => title.split(',')[0])).toEqual(Array(5).fill('The harbour'));
  const newest = await related(id, { sort: 'pub_date' });
  expect(newest[0]!.title).toBe('The observatory, part 29');
  // The same command again finds nothing to do, and reads no page again.
  const pages = () => web.asked.filter((path) => path.startsWith('/a'));
  const before = pages();
  const again = await crawlJson(server, '--sitemap', `${origin}/sitemap.xml`);
  expect(again).toMatchObject({
    found: 30,
    queued: { queued: 0, waiting: 0, known: 30 },
    read: { posts: 0, waiting: 0 },
  });
  expect(new Set(before).size).toBe(30);
  expect(pages()).toEqual(before);
});

test.concurrent('an index is followed, gzip is unpacked, and the newest pages are read first', async () => {
  const { web, id, origin } = await openSite();
  const dates = { '/old': '2019-01-01', '/new': '2025-06-01T08:00:00Z', '/middle': '2022-03-04' };
  for (const [index, path] of Object.keys(dates).entries()) web.files.set(path, articlePage(index));
  const entries = Object.entries(dates).map(([path, date]) => [origin + path, date] as const);
  web.files.set('/one.xml.gz', { body: gzipSync(urlSet(entries.slice(0, 1))), type: 'application/x-gzip' });
  web.files.set('/two.xml', {
    body: gzipSync(urlSet(entries.slice(1))),
    type: XML,
    headers: { 'Content-Encoding': 'gzip' },
  });
  const index = sitemapIndex([
    `${origin}/one.xml.gz`,
    `${origin}/two.xml`,
    `${origin}/missing.xml`,
    `${origin}/index.xml`,
  ]);
  web.files.set('/index.xml', { body: index, type: XML });
  const listed = await crawlJson(server, '--sitemap', `${origin}/index.xml`, '--dry-run');
  // The Site ID may stand where --site has it.
  expect(await crawlJson(server, id, '--sitemap', `${origin}/index.xml`, '--dry-run')).toEqual(listed);
  expect(listed.pages.map(({ url }: { url: string }) => url)).toEqual(
    ['/new', '/middle', '/old'].map((path) => origin + path),
  );
  expect(listed).toMatchObject({
    files: 3,
    notes: [`${origin}/missing.xml answers 404: there is no sitemap and no feed to read.`],
  });
  const filled = await crawlJson(server, '--sitemap', `${origin}/index.xml`, '--limit', '2');
  expect(filled).toMatchObject({ site: id, found: 3, queued: { queued: 2 }, read: { posts: 2 } });
  expect(web.asked.filter((path) => path in dates)).toEqual(['/new', '/middle']);
});

test.concurrent('a page says anew what an export had read from it, and not what was sent', async () => {
  const { web, id, origin } = await openSite();
  const post = { canonical_url: `${origin}/a`, title: 'Sent by its system', language: 'de', full_content: 'Old.' };
  const file = join(makeDataDir(), 'posts.ndjson');
  writeFileSync(file, JSON.stringify({ ...post, sent_fields: ['title'] }));
  const run = (...words: string[]) => doneInProcess([...words, '--data', server.dataDir]);
  await run('import', 'posts', id, file);
  web.files.set('/a', articlePage(1));
  await run('crawl', `${origin}/a`);
  const exported = JSON.parse(await run('export', 'posts', id));
  expect(exported).toMatchObject({ title: post.title, language: 'en', sent_fields: ['title'] });
  expect(exported.full_content).toContain('What the orchard needs is repair');
});

test.concurrent('pages that changed since are read again, refused ones and those that are no posts are named', async () => {
  const { web, origin } = await openSite(2);
  const [, other] = web.origins;
  web.files.set('/robots.txt', { body: 'User-agent: AfterwordBot\nDisallow: /closed', type: 'text/plain' });
  web.files.set('/a', articlePage(1));
  web.files.set('/about', { body: '<title>About us</title><p>Who we are.</p>' });
  const pages = [`${origin}/a`, `${other}/about`, `${origin}/closed/b`, `${other}/gone`, 'https://elsewhere.example/c'];
  web.files.set('/s.xml', { body: urlSet(pages), type: XML });
  const { code, stdout } = await crawl(server, '--sitemap', `${origin}/s.xml`);
  expect(code).toBe(0);
  expect(stdout.split('\n').map((row) => row.trim())).toEqual(
    expect.arrayContaining([
      "left out: 1 on hosts that are not the site's; afterword site change <site-id> --domain <host> adds one",
      'read: 2, 1 of them posts',
      `no posts: 1, the first ${other}/about`,
      `refused: 1, robots.txt asks AfterwordBot not to read it (robots), the first ${origin}/closed/b`,
      `refused: 1, it answers 404 or 410 (gone), the first ${other}/gone`,
    ]),
  );
  web.files.set('/a', articlePage(2));
  const now = new Date(Date.now() - 1000).toISOString();
  web.files.set('/s.xml', { body: urlSet([[`${origin}/a`, now], `${other}/about`]), type: XML });
  const again = await crawlJson(server, '--sitemap', `${origin}/s.xml`);
  expect(again).toMatchObject({ queued: { queued: 1, known: 1 }, read: { posts: 1 } });
});

test.concurrent('feeds of every kind fill a site as well', async () => {
  const { web, id, origin } = await openSite(4);
  for (let number = 0; number < 4; number++) web.files.set(`/f${number}`, articlePage(number));
  const at = (number: number) => `${web.origins[number]}/f${number}`;
  web.files.set('/rss', {
    body: `<rss version="2.0"><channel><title>All</title><link>${origin}/</link><item><title>One</title><link>${at(0)}</link>
      <pubDate>Tue, 07 May 2024 09:30:00 GMT</pubDate></item></channel></rss>`,
    type: 'application/rss+xml',
  });
  web.files.set('/atom', {
    body: `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/atom"/><entry><title>Two</title>
      <link rel="alternate" type="text/html" href="${at(1)}"/><updated>2024-05-08T00:00:00Z</updated></entry></feed>`,
    type: 'application/atom+xml',
  });
  web.files.set('/rdf', {
    body: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item rdf:about="x">
      <title>Three</title><link>${at(2)}</link></item></rdf:RDF>`,
    type: 'application/rdf+xml',
  });
  web.files.set('/json', {
    body: JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ id: '4', url: at(3) }] }),
    type: 'application/feed+json',
  });
  const feeds = ['/rss', '/atom', '/rdf', '/json'].flatMap((path) => ['--feed', origin + path]);
  const filled = await crawlJson(server, ...feeds, '--site', id);
  expect(filled).toMatchObject({ files: 4, found: 4, read: { posts: 4 } });
});

test.concurrent('a Site ID is enough: its sitemap is found by robots.txt, at the usual places, or as the feed of the home page', async () => {
  const { web, id, origin } = await openSite();
  web.files.set('/p', articlePage(1));
  const list = { body: urlSet([`${origin}/p`]), type: XML };
  const files = async () => (await crawlJson(server, id, '--dry-run')).found;
  const none = expect.stringContaining(`No sitemap of ${id} was found`);
  expect(await crawl(server, id)).toMatchObject({ code: 1, stderr: none });
  web.files.set('/', { body: `<title>Home</title><link rel="alternate" type="application/rss+xml" href="/feed">` });
  web.files.set('/feed', { body: `<rss><channel><item><link>${origin}/p</link></item></channel></rss>`, type: XML });
  expect(await files()).toBe(1);
  web.files.set('/sitemap.xml', { body: '', status: 301, headers: { Location: '/sitemap.xml' } });
  web.files.set('/wp-sitemap.xml', list);
  expect(await files()).toBe(1);
  expect(web.asked.at(-1)).toBe('/wp-sitemap.xml');
  const named = `Sitemap: ${origin}/missing.xml\nSitemap: ${origin}/named.xml\n`;
  web.files.set('/robots.txt', { body: named, type: 'text/plain' });
  web.files.set('/named.xml', list);
  expect(await files()).toBe(1);
  expect(web.asked.slice(-2)).toEqual(['/missing.xml', '/named.xml']);
});

test.concurrent('what cannot be filled is refused in words, and nothing is queued', async () => {
  const { web, id, origin } = await openSite();
  web.files.set('/html', { body: '<!doctype html><title>Not found</title>' });
  web.files.set('/bomb', { body: '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><urlset/>', type: XML });
  web.files.set('/others', { body: urlSet(['https://elsewhere.example/a']), type: XML });
  web.files.set('/away', { body: '', status: 302, headers: { Location: 'https://elsewhere.example/s.xml' } });
  const refused: [words: string[], sentence: string][] = [
    [['--sitemap', `${origin}/html`], 'is no sitemap and no feed: it is an HTML page.'],
    [['--sitemap', `${origin}/missing`], 'answers 404: there is no sitemap and no feed to read.'],
    [['--feed', `${origin}/bomb`], 'it declares entities, which no sitemap and no feed needs'],
    [['--sitemap', `${origin}/others`], "left out: 1 on hosts that are not the site's"],
    [['--sitemap', `${origin}/away`], `elsewhere.example is no host of ${id}. (foreign-host)`],
    [['--sitemap', 'https://cdn.example/s.xml', '--site', id], `is on no host of ${id}: a sitemap has to be on one.`],
    [['--sitemap', 'https://nobody.example/s.xml'], 'No site has the host nobody.example.'],
    [['--sitemap', 'file:///etc/passwd'], 'is no http or https address.'],
    [['--sitemap', `${origin}/others`, '--limit', '0'], '--limit takes a whole number of pages'],
    [[`${origin}/a`, '--sitemap', `${origin}/others`], 'are two things to do: name one.'],
    [[id, '--site', 'other.example'], 'both name the site: leave one out.'],
    [['unknown.example'], 'There is no site unknown.example.'],
    [['not_known.example'], 'There is no site not_known.example.'],
    [[], 'Name a page, a site, --sitemap or --feed.'],
  ];
  for (const [words, sentence] of refused) {
    const { code, stdout, stderr } = await runInProcess(['crawl', ...words, '--data', server.dataDir]);
    expect({ words, stdout, stderr }).toEqual({ words, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(code).toBeGreaterThan(0);
  }
});

test.concurrent('broken off by Ctrl+C or kill, the same command continues, and a server that is gone loses nothing', async () => {
  const { web, origin } = await openSite();
  for (let number = 0; number < 6; number++) web.files.set(`/r${number}`, articlePage(number));
  const urls = Array.from({ length: 6 }, (_, number) => `${origin}/r${number}`);
  web.files.set('/s.xml', { body: urlSet(urls), type: XML });
  const words = ['crawl', '--sitemap', `${origin}/s.xml`, '--data', server.dataDir];
  const reads = () => web.asked.filter((path) => path.startsWith('/r') && path !== '/robots.txt').length;
  const first = await startCommand(words);
  await until('a page was read', () => reads() > 0);
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(1);
  expect(first.output.stdout).toMatch(/still waiting: \d/);
  expect(first.output.stderr).toContain('Broken off. A running server continues reading what waits');
  const second = await startCommand(words);
  await until('it reads', () => second.output.stderr.includes('Reading pages'));
  second.child.kill('SIGKILL');
  await second.ended;
  const third = await runCommand([...words, '--json']);
  expect(third.code).toBe(0);
  const { found, queued, read } = JSON.parse(third.stdout);
  expect({ found, sum: queued.queued + queued.waiting + queued.known, left: read.waiting }).toEqual({
    found: 6,
    sum: 6,
    left: 0,
  });
  expect(reads()).toBe(6);
});

test.concurrent('pages that a site has no room for are left out, and the same command takes them once it has', async () => {
  const { web, id, origin } = await openSite(2);
  for (const number of [0, 1]) web.files.set(`/q${number}`, articlePage(number));
  web.files.set('/s.xml', { body: urlSet(web.origins.map((one, number) => `${one}/q${number}`)), type: XML });
  const most = (posts: string) => doneInProcess(['site', 'change', id, '--max-posts', posts, '--data', server.dataDir]);
  await most('1');
  const said = / read: 1, 1 of them posts\n {2}left out: 1, the site has as many posts as it may/;
  const words = ['--sitemap', `${origin}/s.xml`];
  expect(await crawl(server, ...words)).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
  await most('none');
  expect(await crawlJson(server, ...words)).toMatchObject({ queued: { queued: 1, known: 1 }, read: { posts: 1 } });
});

test.concurrent('without a server the command reads the pages itself, and continues where it was killed', async () => {
  const own = await startServer({ flags: ['--allow-private-crawl'] });
  const { web, id, origin } = await openSite(1, own);
  await own.stop();
  for (let number = 0; number < 4; number++) web.files.set(`/w${number}`, articlePage(number));
  const urls = Array.from({ length: 4 }, (_, number) => `${origin}/w${number}`);
  web.files.set('/s.xml', { body: urlSet(urls), type: XML });
  const words = ['crawl', '--sitemap', `${origin}/s.xml`, '--data', own.dataDir];
  const refused = await runCommand(words);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('not an address of the public internet. (private-address)');
  const reads = () => web.asked.filter((path) => path.startsWith('/w')).length;
  const first = await startCommand([...words, '--allow-private-crawl']);
  await until('a page was read', () => reads() > 0);
  first.child.kill('SIGKILL');
  await first.ended;
  const before = reads();
  const { code, stdout } = await runCommand([...words, '--allow-private-crawl', '--json']);
  expect(code).toBe(0);
  const { found, queued, read } = JSON.parse(stdout);
  expect({ site: id, found, left: read.waiting }).toEqual({ site: id, found: 4, left: 0 });
  expect(queued.queued + queued.waiting + queued.known).toBe(4);
  // What was read before the kill is not read twice, but for the page that was under way.
  expect(reads()).toBeLessThanOrEqual(before + 4);
});
