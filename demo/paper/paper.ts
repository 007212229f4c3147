// The newspaper's web server: home, sections, articles in three dresses, films, covers, a search, and a page that
// shows what Afterword knows.
import { readFileSync } from 'node:fs';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { drawCover } from '../art/cover.ts';
import { SECTIONS } from '../articles/sections.ts';
import type { Brought } from '../brought.ts';
import type { Article } from '../edition.ts';
import { demoFile } from '../files.ts';
import type { PublishedFilm } from '../films.ts';
import { articlePage } from './articlePage.ts';
import { behindPage } from './behindPage.ts';
import type { ConsoleDoor } from './consoleDoor.ts';
import { homePage } from './homePage.ts';
import { FAVICON } from './mark.ts';
import { notFoundPage } from './notFoundPage.ts';
import { plainPage } from './plainPage.ts';
import { roomPage } from './roomPage.ts';
import { searchPage } from './searchPage.ts';
import { sectionPage } from './sectionPage.ts';
import { filmPage, watchPage } from './watchPages.ts';

export interface PaperSettings {
  /** Newest first, those of the days to come included. */
  articles: readonly Article[];
  /** Newest first. */
  films: readonly PublishedFilm[];
  /** Epoch milliseconds; what is dated later is not out yet. */
  now(): number;
  /** Where the paper's canonical URLs live, e.g. `http://localhost:8090`. */
  origin: string;
  /** Where the Afterword server answers, e.g. `http://localhost:8080`. */
  afterword: string;
  /** The paper's Site ID there. */
  siteId: string;
  /** What its lists brought. Absent: the paper does not say it. */
  brought?: () => Promise<Brought>;
  /** Signs the visitor in to the console. Absent: there is none. */
  console?: ConsoleDoor;
}

/** What a page is made from. */
export interface PaperView extends PaperSettings {
  /** The articles that are out, newest first. */
  published: readonly Article[];
}

const STYLES = readFileSync(demoFile('paper/static/paper.css'), 'utf8');
const SCRIPTS = ['behind.js', 'room.js', 'search.js'] as const;
const FILM_FOLDER = demoFile('paper/static/films');
/** Pixels of the two sizes a cover comes in. */
const COVER_WIDTHS = { large: 1200, small: 480 } as const;

export function createPaper(settings: PaperSettings): Hono {
  const paper = new Hono();
  const bySlug = new Map(settings.articles.map((article) => [article.slug, article]));
  const covers = new Map<string, string>();

  const view = (): PaperView => {
    const now = settings.now();
    return { ...settings, published: settings.articles.filter((article) => article.published <= now) };
  };
  const find = (slug: string) => {
    const article = bySlug.get(slug);
    return article && article.published <= settings.now() ? article : undefined;
  };

  const findFilm = (slug: string) => settings.films.find((film) => film.slug === slug);

  paper.use(async (context, next) => {
    await next();
    const plain = context.req.path.startsWith('/plain/');
    context.header('Content-Security-Policy', plain ? plainPolicy(settings) : policy(settings));
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Referrer-Policy', 'no-referrer-when-downgrade');
  });
  paper.get('/', (context) => context.html(homePage(view())));
  paper.get('/section/:name', (context) => {
    const section = SECTIONS.find((name) => name.toLowerCase() === context.req.param('name'));
    return section ? context.html(sectionPage(view(), section)) : missing(context, view());
  });
  paper.get('/article/:slug', (context) => {
    const article = find(context.req.param('slug'));
    return article ? context.html(articlePage(view(), article)) : missing(context, view());
  });
  paper.get('/art/:size{(?:large|small)}/:file', (context) => {
    const size = context.req.param('size') as keyof typeof COVER_WIDTHS;
    const slug = context.req.param('file').replace(/\.svg$/, '');
    const article = find(slug) ?? findFilm(slug);
    if (!article) return missing(context, view());
    const key = `${size}/${article.slug}`;
    const cover =
      covers.get(key) ?? drawCover({ slug: article.slug, section: article.section, width: COVER_WIDTHS[size] });
    covers.set(key, cover);
    return asset(context, { body: cover, type: 'image/svg+xml' });
  });
  paper.get('/plain/:slug', async (context) => {
    const article = find(context.req.param('slug'));
    return article ? context.html(await plainPage(view(), article)) : missing(context, view());
  });
  paper.get('/watch', (context) => context.html(watchPage(view())));
  paper.get('/watch/:slug', (context) => {
    const film = findFilm(context.req.param('slug'));
    return film ? context.html(filmPage(view(), film)) : missing(context, view());
  });
  paper.get(
    '/films/:file',
    serveStatic({ root: FILM_FOLDER, rewriteRequestPath: (path) => path.slice('/films'.length) }),
  );
  paper.get('/search', async (context) => {
    const { q = '', page = '', typing } = context.req.query();
    const search = { query: q.trim().slice(0, MOST_TYPED), page: pageIn(page), isTyping: typing === '1' };
    const { page: body, answered } = await searchPage(view(), search);
    return context.html(body, answered ? 200 : 503);
  });
  paper.get('/room', (context) => context.html(roomPage(view())));
  paper.get('/room/:slug', (context) => {
    const article = find(context.req.param('slug'));
    return article ? context.html(roomPage(view(), article)) : missing(context, view());
  });
  paper.get('/_behind', async (context) => context.html(behindPage(view(), await settings.brought?.())));
  if (settings.console) paper.get('/_console', settings.console);
  paper.get('/titles.json', (context) =>
    context.json(Object.fromEntries(view().published.map(({ slug, title }) => [slug, title]))),
  );
  paper.get('/paper.css', (context) => asset(context, { body: STYLES, type: 'text/css; charset=utf-8' }));
  for (const name of SCRIPTS) {
    const body = readFileSync(demoFile(`paper/static/${name}`), 'utf8');
    paper.get(`/${name}`, (context) => asset(context, { body, type: 'text/javascript; charset=utf-8' }));
  }
  paper.get('/favicon.svg', (context) => asset(context, { body: FAVICON, type: 'image/svg+xml' }));
  paper.get('/robots.txt', (context) => context.text('User-agent: *\nAllow: /\n'));
  paper.notFound((context) => missing(context, view()));
  return paper;
}

/** Characters of a search, as many as its field takes. */
const MOST_TYPED = 200;
/** Of results: Afterword has 2,000 of them at most. */
const LAST_PAGE = 200;

const pageIn = (text: string): number => (/^\d{1,3}$/.test(text) ? Math.min(Math.max(1, Number(text)), LAST_PAGE) : 1);

/** Strict on purpose: the pasted tag has to work under a policy that a careful publisher would set. */
function policy({ afterword, origin }: PaperSettings): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'self' ${afterword}`,
    `connect-src 'self' ${afterword}`,
    `img-src 'self' ${origin} ${afterword}`,
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** No script at all; lists bring their style with them. */
function plainPolicy({ afterword, origin }: PaperSettings): string {
  return [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' ${origin} ${afterword}`,
    `frame-src ${afterword}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function asset(context: Context, { body, type }: { body: string; type: string }): Response {
  return context.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
}

function missing(context: Context, view: PaperView): Response | Promise<Response> {
  return context.html(notFoundPage(view), 404);
}
