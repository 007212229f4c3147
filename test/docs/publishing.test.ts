// docs/publishing.md says what the code does: its examples are run, and its table of sources is compared with the reader of pages.
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../server/posts/readPage/readPage.ts';
import { type ArchiveSite, articlePage, openArchiveSite, urlSet, XML } from '../crawl/archiveSite.ts';
import { BROWSER } from '../support/beacons.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { readGuide } from './guides/guide.ts';

const guide = readGuide('publishing.md');
const { section, block } = guide;

const READ = 'What is read from a page, and in which order';
const DRAWN = 'Applications drawn in the browser';

/** One way to say each field, by the column of the table. */
const SAID: Record<string, Partial<Record<string, (value: string) => string>>> = {
  'parsely-meta': Object.fromEntries(
    ['type', 'title', 'image-url', 'pub-date', 'section', 'author', 'tags', 'post-id'].map((name) => [
      `parsely-${name}`,
      (value: string) => `<meta name="parsely-${name}" content="${value}">`,
    ]),
  ),
  'parsely-page': Object.fromEntries(
    ['type', 'title', 'image_url', 'pub_date', 'section', 'authors', 'author', 'tags', 'post_id'].map((name) => [
      name,
      (value: string) => `<meta name="parsely-page" content='${JSON.stringify({ [name]: value })}'>`,
    ]),
  ),
  'json-ld': Object.fromEntries(
    [
      '@type',
      'headline',
      'name',
      'thumbnailUrl',
      'image',
      'datePublished',
      'dateCreated',
      'articleSection',
      'creator',
      'author',
      'keywords',
    ].map((name) => [
      name,
      (value: string) =>
        `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', [name]: value })}</script>`,
    ]),
  ),
  opengraph: Object.fromEntries(
    [
      'og:type',
      'article:published_time',
      'og:title',
      'twitter:title',
      'og:image',
      'twitter:image',
      'article:section',
      'article:author',
      'article:tag',
    ].map((name) => [name, (value: string) => `<meta property="${name}" content="${value}">`]),
  ),
  html: {
    '<title>': (value) => `<title>${value}</title>`,
    '<h1>': (value) => `<h1>${value}</h1>`,
    '<link rel="image_src">': (value) => `<link rel="image_src" href="${value}">`,
    '<time itemprop="datePublished">': (value) => `<time itemprop="datePublished" datetime="${value}">then</time>`,
    '<time>': (value) => `<time datetime="${value}">then</time>`,
    'rel="author"': (value) => `<a rel="author" href="/">${value}</a>`,
    ...Object.fromEntries(
      ['thumbnail', 'date', 'section', 'author', 'keywords', 'news_keywords'].map((name) => [
        name,
        (value: string) => `<meta name="${name}" content="${value}">`,
      ]),
    ),
  },
};

/** Row of the table → field of the reader, and what a page says of it. */
const FIELDS = {
  Kind: ['pageType', 'Article'],
  Title: ['title', 'Words'],
  Picture: ['imageUrl', 'https://example.com/a.jpg'],
  Date: ['pubDate', '2026-03-01'],
  Section: ['section', 'Words'],
  Authors: ['authors', 'Words'],
  Tags: ['tags', 'Words'],
  'Post id': ['postId', 'Words'],
} as const;

const rows = section(READ)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| Field'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const columns = Object.keys(SAID);
const wordsOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, words]) => words!);

describe('the table of what is read', () => {
  test('has a row for each field', () => {
    expect(rows.map(([field]) => field)).toEqual(Object.keys(FIELDS));
  });

  test.each(
    rows.flatMap(([row = '', ...cells]) =>
      cells.flatMap((cell, at) => wordsOf(cell).map((words) => ({ row, at, words }))),
    ),
  )('$row is read from $words', ({ row, at, words }) => {
    const [field, value] = FIELDS[row as keyof typeof FIELDS];
    const source = columns[at]!;
    const say = SAID[source]?.[words];
    if (say === undefined) throw new Error(`No page says ${words} in this test.`);
    const { sources } = readPage({ url: 'https://example.com/a', html: say(value) }, () => true);
    expect(sources[field]).toBe(source);
  });

  test.each(rows)('%s is taken from the leftmost that has it', (row, ...cells) => {
    const [field, value] = FIELDS[row as keyof typeof FIELDS];
    const said = cells.flatMap((cell, at) => {
      const [words] = wordsOf(cell);
      return words === undefined ? [] : [{ source: columns[at]!, html: SAID[columns[at]!]![words]!(value) }];
    });
    for (const [from, { source }] of said.entries()) {
      // The strongest word is said last: no order of the page decides.
      const html = said
        .slice(from)
        .map((one) => one.html)
        .reverse()
        .join('');
      expect(readPage({ url: 'https://example.com/a', html }, () => true).sources[field]).toBe(source);
    }
  });
});

describe('the examples', () => {
  let server: TestServer;
  let site: TestSite;
  let web: ArchiveSite;
  let origin = '';
  beforeAll(async () => {
    web = await openArchiveSite();
    origin = web.origins[0]!;
    server = await startServer({ flags: ['--allow-private-crawl'] });
    site = await addSite(server, 'example.com', '--domain', new URL(origin).host);
  });
  afterAll(async () => {
    await server.kill();
    web.close();
    await removeDataDirs();
  });

  const titles = async (): Promise<string[]> => {
    const { data } = await getJson(server, '/v2/related', { apikey: site.apikey });
    return (data as { title: string }[]).map(({ title }) => title);
  };
  /** Nothing of the test leaves this machine. */
  const here = (text: string) =>
    text.replaceAll('https://stats.example.com', server.url).replaceAll('https://example.com', origin);

  test('the page with JSON-LD is read as the guide shows', async () => {
    web.files.set('/bread-without-kneading', { body: block(READ, 'html') });
    const words = ['crawl', `${origin}/bread-without-kneading`, '--dry-run', '--data', server.dataDir];
    const { stdout } = await runInProcess(words);
    const [, shown] = stdout.split('\n\n');
    expect(block(READ, 'text')).toBe(shown);
  });

  test('an application that is drawn in the browser is no post, until its metadata is sent', async () => {
    const shell = { body: '<!doctype html><title>SPA</title><div id="app"></div><script src="/app.js"></script>' };
    web.files.set('/articles/17', shell);
    const { stdout } = await runInProcess(['crawl', `${origin}/articles/17`, '--data', server.dataDir]);
    expect(stdout).toMatch(/^page_type +- +other$/m);
    expect(stdout).toMatch(
      /The page names no type, and its text has \d words, where an article has 100: it is no post/,
    );
    expect(await titles()).toEqual([]);

    const [, address = '', body = ''] = /curl (\S+) .*? -d '([^']*)'/s.exec(here(section(DRAWN))) ?? [];
    const sent = body.replace('WRITE_SECRET', site.write_secret);
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: sent,
    });
    expect(await answer.json()).toEqual({ data: [], success: true });
    expect(await titles()).toEqual(['Bread without kneading']);
    // Read once more, the page takes nothing back.
    await runInProcess(['crawl', `${origin}/articles/17`, '--data', server.dataDir]);
    expect(await titles()).toEqual(['Bread without kneading']);
  });

  test('a post is hidden by the call of the guide, and a page that says so is none', async () => {
    const url = `${origin}/an-article`;
    const secret = site.write_secret;
    await postJson(server, '/v2/metadata/posts', {
      apikey: site.apikey,
      secret,
      metadata: { canonical_url: url, title: 'A' },
    });
    await until('it is in the list', async () => (await titles()).includes('A'));
    const questions = here(section('Questions of the first day'));
    const [, header = '', address = ''] = /^curl -H '(\S+: .*?)' '(.*?)'$/m.exec(questions) ?? [];
    const [name = '', value = ''] = header.replace('SECRET', site.secret).split(': ');
    const answer = await fetch(address, { headers: { [name]: value } });
    expect(await answer.json()).toEqual({ data: [], success: true });
    await until('it is in no list', async () => !(await titles()).includes('A'));
    const [, tag = ''] = /`(<meta .*?>)`/.exec(questions) ?? [];
    const page = block(READ, 'html');
    const typeOf = (head: string) =>
      readPage({ url, html: page.replace('<title>', `${head}<title>`) }, () => true).patch.pageType;
    expect([typeOf(''), typeOf('<meta name="robots" content="noindex">'), typeOf(tag)]).toEqual([
      'post',
      'post',
      'other',
    ]);
  });

  test('metadata sent with a view makes a post where the site allows it', async () => {
    const [, command = ''] = /npx afterword (site change .*)/.exec(section(DRAWN)) ?? [];
    await runInProcess([...command.split(' '), '--data', server.dataDir]);
    const answers: Promise<Response>[] = [];
    const send = (url: string, init: RequestInit) => {
      answers.push(fetch(url, { ...init, headers: { 'User-Agent': BROWSER } }));
    };
    runInNewContext(here(block(DRAWN, 'js')), { fetch: send });
    expect((await answers[0])?.status).toBe(200);
    await until('the post is in the list', async () => (await titles()).includes('Rye for beginners'));
  });
});

test('on this machine: each step as the guide writes it, until a reader sees the list', async () => {
  const steps = [...section('Trying it on your own machine').matchAll(/npx afterword ([^\n#`]+)/g)].map(([, words]) =>
    words!.trim(),
  );
  const web = await openArchiveSite();
  const host = new URL(web.origins[0]!).host.replace('127.0.0.1', 'localhost');
  const run = async (step: string) => {
    const words = steps.find((one) => one.startsWith(step))!.replaceAll('localhost:3000', host);
    const { code, stdout, stderr } = await runInProcess([...words.split(' '), '--data', server.dataDir]);
    if (code !== 0) throw new Error(`${words}: ${stderr}`);
    return stdout;
  };
  const [, ...flags] = steps.find((one) => one.startsWith('serve'))!.split(' ');
  const server = await startServer({ flags });
  const articles = [1, 2, 3].map((number) => `http://${host}/${number === 1 ? 'an-article' : number}`);
  articles.forEach((url, index) => {
    web.files.set(new URL(url).pathname, articlePage(5 * index));
  });
  // Found on this machine, so that nothing is asked of the internet.
  web.files.set('/sitemap.xml', { body: urlSet(articles), type: XML });
  const added = await run('site add example.com');
  expect(added).toContain(`src="${server.url}/afterword.js" data-site="example.com"`);
  expect(added).toContain(`npx afterword crawl --sitemap http://${host}/sitemap.xml --site example.com`);
  await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events: [{ idsite: 'example.com', action: 'pageview', url: articles[0] }] }),
  });
  const related = async (url: string) => {
    const { data } = await getJson(server, '/v2/related', { apikey: 'example.com', url });
    return (data as { url: string }[]).map((post) => post.url);
  };
  await until('the article that was viewed is beside another', async () =>
    (await related(articles[1]!)).includes(articles[0]!),
  );
  expect(await run('crawl example.com')).toContain('known and unchanged: 1\n  queued: 2\n  read: 2, 2 of them posts');
  expect((await related(articles[0]!)).sort()).toEqual(articles.slice(1).sort());
  expect(await run('crawl http://localhost:3000')).toMatch(/^page_type +json-ld +post$/m);
  expect((await run('posts list')).match(/ post /g)).toHaveLength(3);
  await server.kill();
  web.close();
});

test('each step of the guide is a command there is, with its options', async () => {
  const commands = new Set([...guide.text.matchAll(/npx afterword ([^\n#`]+)/g)].map(([, words]) => words!.trim()));
  expect(commands.size).toBeGreaterThan(10);
  for (const words of commands) {
    const [name = '', ...rest] = words.split(/\s+/);
    const path = ['site', 'posts', 'import'].includes(name) ? [name, rest[0]!] : [name];
    const { code, stdout } = await runInProcess([...path, '--help']);
    expect({ words, code }).toEqual({ words, code: 0 });
    for (const flag of rest.filter((word) => word.startsWith('--'))) expect(stdout).toContain(flag);
  }
});
