// The newspaper's pages through its front door.
import { beforeAll, describe, expect, it } from 'vitest';
import { SECTIONS } from '../../demo/articles/sections.ts';
import { type Article, openEdition, publicationDates } from '../../demo/edition.ts';
import { openFilms } from '../../demo/films.ts';
import { renderMarkdown } from '../../demo/paper/markdown.ts';
import { createPaper } from '../../demo/paper/paper.ts';
import { BROUGHT } from './brought.ts';

const NOW = Date.parse('2026-03-18T15:00:00Z');
const DAY = 86_400_000;
const ORIGIN = 'http://localhost:8090';

let articles: Article[];
let get: (path: string) => Promise<{ status: number; type: string; text: string; policy: string }>;

function open(edition: readonly Article[]): typeof get {
  const paper = createPaper({
    articles: edition,
    films: openFilms(NOW),
    now: () => NOW,
    origin: ORIGIN,
    afterword: 'http://localhost:8080',
    siteId: 'lantern-8090',
    brought: async () => BROUGHT,
  });
  return async (path) => {
    const answer = await paper.request(path);
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      policy: answer.headers.get('content-security-policy') ?? '',
      text: await answer.text(),
    };
  };
}

beforeAll(() => {
  articles = openEdition(NOW);
  get = open(articles);
});

/** Addresses of this paper that a page links to or loads. */
function localLinks(page: string): string[] {
  return [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path!);
}

describe('the newspaper', () => {
  it('links to nothing that is not there', async () => {
    const seen = new Set(['/']);
    for (const path of seen) {
      const { status, type, text } = await get(path);
      expect(`${path} ${status}`).toBe(`${path} 200`);
      if (type.startsWith('text/html')) for (const link of localLinks(text)) seen.add(link);
    }
    expect(seen.size).toBeGreaterThan(100);
  });

  it('says behind the lists what they brought, and what the experiment found so far', async () => {
    const { text } = await get('/_behind');
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('Read next, below every article Lists shown 61,204 Items seen 367,224 Clicks 7,821');
    expect(words).toContain('Click rate 2.13 % 2.08 % to 2.18 % Page views caused 7,630 5.22 % of all');
    expect(words).toContain('subject leads: clicks a list 12.63 % against 11.80 % of read-next. This is not decided.');
    expect(words).toContain('More on this subject 5,501 12.63 % 1.94');
  });

  it('prints every article that is out, with its tag, its lists and its metadata', async () => {
    for (const article of articles.filter(({ published }) => published <= NOW)) {
      const { status, text } = await get(`/article/${article.slug}`);
      expect(status).toBe(200);
      expect(text).toContain(
        '<script async src="http://localhost:8080/afterword.js" data-site="lantern-8090"></script>',
      );
      expect(text).toContain(`<link rel="canonical" href="${ORIGIN}/article/${article.slug}">`);
      expect(text).toContain('data-afterword="related"');
      expect(text).toContain('data-afterword="top"');
      const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)!;
      expect(JSON.parse(json!)).toMatchObject({
        '@type': 'NewsArticle',
        headline: article.title,
        url: `${ORIGIN}/article/${article.slug}`,
        datePublished: new Date(article.published).toISOString(),
        articleSection: article.section,
        keywords: article.tags,
      });
    }
  });

  it('holds back what is dated later', async () => {
    const coming = articles.find(({ published }) => published > NOW)!;
    expect((await get(`/article/${coming.slug}`)).status).toBe(404);
    expect((await get(`/art/large/${coming.slug}.svg`)).status).toBe(404);
    expect((await get('/')).text).not.toContain(`/article/${coming.slug}"`);
  });

  it('says 404 for what it does not have, and offers something else', async () => {
    for (const path of ['/nothing', '/article/nothing', '/section/sports', '/art/large/nothing.svg', '/article/']) {
      const { status, text } = await get(path);
      expect(status).toBe(404);
      expect(text).toContain('This page went out');
      expect(text).not.toContain('rel="canonical"');
    }
  });

  it('runs no script of its own on home, section and article pages, and its policy would not let one run', async () => {
    for (const path of [
      '/',
      '/section/design',
      `/article/${articles.find(({ published }) => published <= NOW)!.slug}`,
    ]) {
      const { text, policy } = await get(path);
      expect(text.match(/<script(?! type="application\/ld\+json")[^>]*>/g)).toHaveLength(1);
      expect(text).not.toMatch(/\son\w+=|style="/);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
    }
  });

  it('prints each article without any script too, under a policy that allows none', async () => {
    const { text, policy } = await get(`/plain/${articles.find(({ published }) => published <= NOW)!.slug}`);
    expect(text).not.toContain('<script');
    expect(text).toContain('http://localhost:8080/v2/fragment/top?');
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("default-src 'none'");
  });

  it('sends a film in the pieces a player asks for', async () => {
    const paper = createPaper({
      articles: [],
      films: openFilms(NOW),
      now: () => NOW,
      origin: ORIGIN,
      afterword: ORIGIN,
      siteId: 'lantern',
    });
    for (const { slug } of openFilms(NOW)) {
      const piece = await paper.request(`/films/${slug}.webm`, { headers: { Range: 'bytes=0-3' } });
      expect(piece.status).toBe(206);
      expect(Buffer.from(await piece.arrayBuffer()).toString('hex')).toBe('1a45dfa3');
    }
    for (const path of ['/films/..%2fpaper.css', '/films/%2e%2e%2fpaper.css', '/films/nothing.webm', '/films/'])
      expect(`${path} ${(await paper.request(path)).status}`).toBe(`${path} 404`);
  });

  it('escapes whatever an article says, wherever it says it', async () => {
    const attack = `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    const hostile: Article = {
      slug: 'hostile',
      title: attack,
      excerpt: attack,
      section: 'Design',
      authors: [attack],
      tags: [attack],
      body: `${attack}\n\n[click](javascript:alert(1)) <script>alert(1)</script> \`${attack}\`\n\n    ${attack}`,
      published: NOW - 1000,
    };
    const visit = open([hostile]);
    for (const path of ['/', '/section/design', '/article/hostile', '/nothing']) {
      const { text } = await visit(path);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('javascript:');
    }
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
      (await visit('/article/hostile')).text,
    )!;
    expect(JSON.parse(json!)).toMatchObject({ headline: attack, author: [{ name: attack }] });
  });

  it('draws each article the same cover every time, in two sizes', async () => {
    const covers = new Set<string>();
    for (const { slug } of articles.filter(({ published }) => published <= NOW).slice(0, 60)) {
      const large = await get(`/art/large/${slug}.svg`);
      expect(large.type).toContain('image/svg+xml');
      expect(large.text).toMatch(/^<svg [^>]*width="1200" height="675"/);
      expect(large.text.length).toBeLessThan(40_000);
      expect(large.text).not.toMatch(/NaN|undefined/);
      expect(await open(articles)(`/art/large/${slug}.svg`)).toEqual(large);
      expect((await get(`/art/small/${slug}.svg`)).text).toMatch(/^<svg [^>]*width="480" height="270"/);
      covers.add(large.text);
    }
    expect(covers.size).toBe(60);
  });
});

describe('the edition', () => {
  it('is the same for the same first start, in the order the articles were written', () => {
    expect(openEdition(NOW)).toEqual(articles);
    const dates = articles.map(({ published }) => published);
    expect(dates).toEqual([...dates].sort((a, b) => b - a));
  });

  it('has news of today, a lively last month, and some for the days to come', () => {
    const dates = publicationDates(articles.length, NOW);
    expect(dates).toHaveLength(articles.length);
    expect(dates.filter((time) => time <= NOW && time > NOW - 2 * DAY).length).toBeGreaterThan(4);
    expect(dates.filter((time) => time <= NOW && time > NOW - 31 * DAY).length).toBeGreaterThan(90);
    expect(dates.filter((time) => time > NOW)).toHaveLength(40);
  });

  it('gives every section articles, every article an author, a text and a name of its own', () => {
    for (const section of SECTIONS)
      expect(articles.filter((article) => article.section === section).length).toBeGreaterThan(15);
    expect(new Set(articles.map(({ slug }) => slug)).size).toBe(articles.length);
    for (const { slug, authors, body, title } of articles) {
      expect(slug).toMatch(/^[a-z0-9-]+$/);
      expect(authors.join()).toMatch(/[A-Z1]/);
      expect(title).not.toMatch(/[<>]/);
      expect(body.length).toBeGreaterThan(1000);
    }
  });
});

describe('Markdown', () => {
  it.each([
    ['paragraphs', 'One\ntwo\n\nthree', '<p>One\ntwo</p><p>three</p>'],
    ['headings below the title', '# A\n\n### B', '<h2>A</h2><h3>B</h3>'],
    ['marks', '**a** *b* `c<d`', '<p><strong>a</strong> <em>b</em> <code>c&lt;d</code></p>'],
    ['lists', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    [
      'links to the web',
      '[a](https://x.example/?a=1&b="2")',
      '<p><a href="https://x.example/?a=1&amp;b=&quot;2&quot;" rel="noopener nofollow">a</a></p>',
    ],
    ['no links to anything else', '[a](javascript:alert(1)) [b](data:text/html,x)', '<p>a b</p>'],
    ['no HTML', 'a <b onclick=x>c</b>', '<p>a c</p>'],
    ['no pictures', 'a ![b](https://x.example/y.png)', '<p>a </p>'],
  ])('renders %s', (_, markdown, html) => {
    expect(renderMarkdown(markdown)).toBe(html);
  });
});
