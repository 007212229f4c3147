// The search of the paper: a form that leads to this page, on which the paper's server writes what Afterword found. Its
// script (static/search.js) asks for the same page while a reader types.
import { html } from 'hono/html';
import type { Envelope, ErrorBody, PostRecord } from '../../server/contract/wire.ts';
import { PAPER_ZONE } from '../edition.ts';
import { type Html, layout, PAPER_NAME } from './layout.ts';
import type { PaperView } from './paper.ts';

/** Readers do not wait longer for an answer. */
const PATIENCE_MS = 5_000;
const ON_A_PAGE = 10;

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: PAPER_ZONE, dateStyle: 'long' });

export interface Search {
  /** As it was typed; empty: nothing was. */
  query: string;
  /** Of the results; 1 is the first. */
  page: number;
  /** Whether the last word may be unfinished. */
  isTyping: boolean;
}

interface Found {
  posts: PostRecord[];
  hasMore: boolean;
}

/** @returns The page, and whether Afterword answered. */
export async function searchPage(view: PaperView, search: Search): Promise<{ page: Html; answered: boolean }> {
  const { query } = search;
  const found = query === '' ? { posts: [], hasMore: false } : await ask(view, search);
  const main = html`
<div class="search">
  <h1 class="section-name">Search</h1>
  <form role="search" action="/search">
    <label for="q">Words, a “phrase” or the address of an article</label>
    <div class="search-field">
      <input type="search" id="q" name="q" value="${query}" maxlength="200" autocomplete="off" enterkeyhint="search" ${query === '' ? 'autofocus' : ''}>
      <button>Search</button>
    </div>
  </form>
  <p class="credit" id="said" role="status">${said(search, found)}</p>
  <div id="found">
    <ol class="lines" start="${(search.page - 1) * ON_A_PAGE + 1}">${(found?.posts ?? []).map(result)}</ol>
    ${pages(search, found)}
  </div>
</div>
<script type="module" src="/search.js"></script>`;
  const page = layout(view, {
    title: query === '' ? `Search — ${PAPER_NAME}` : `${query} — Search — ${PAPER_NAME}`,
    description: `Search ${PAPER_NAME}.`,
    // All searches are one page, which search engines leave out: what readers look for is in no list of pages.
    path: '/search',
    head: html`<meta name="robots" content="noindex">`,
    main,
  });
  return { page, answered: found !== undefined };
}

/** @returns undefined where Afterword cannot be asked. */
async function ask({ afterword, siteId }: PaperView, { query, page, isTyping }: Search): Promise<Found | undefined> {
  const params = new URLSearchParams({ apikey: siteId, q: query, limit: String(ON_A_PAGE), page: String(page) });
  if (isTyping) params.set('prefix', '1');
  try {
    const response = await fetch(`${afterword}/v2/search?${params}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const answer = (await response.json()) as Envelope<PostRecord> | ErrorBody;
    // Words that are none, or too long, are refused as parameters: they find nothing.
    if (!answer.success) return answer.code === 422 ? { posts: [], hasMore: false } : undefined;
    return { posts: answer.data, hasMore: answer.links.next !== null };
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError || isTimeout(error)) return undefined;
    throw error;
  }
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

function said({ query, page }: Search, found: Found | undefined): string {
  if (found === undefined) return 'The search does not answer. Try again in a moment.';
  if (query === '') return '';
  const count = found.posts.length;
  if (count === 0) return page === 1 ? `Nothing found for “${query}”.` : `Nothing more found for “${query}”.`;
  const first = (page - 1) * ON_A_PAGE + 1;
  if (page === 1 && !found.hasMore) return `${count} ${count === 1 ? 'article' : 'articles'} for “${query}”.`;
  return `Articles ${first} to ${first + count - 1} for “${query}”.`;
}

/** Everything of a result is in its record. */
function result({ url, title, section, author, pub_date: date, thumb_url_medium: picture }: PostRecord): Html {
  return html`<li class="story line result">
  <div class="story-text">
    <p class="kicker">${section}</p>
    <h2 class="headline"><a href="${url}">${title}</a></h2>
    <p class="credit">${author}${date ? html` · <time datetime="${date}Z">${DAY.format(new Date(`${date}Z`))}</time>` : ''}</p>
  </div>
  ${picture ? html`<img src="${picture}" alt="" width="480" height="270" loading="lazy" decoding="async">` : ''}
</li>`;
}

function pages({ query, page }: Search, found: Found | undefined): Html | string {
  const link = (to: number, rel: 'prev' | 'next', text: string) =>
    html`<a href="/search?${new URLSearchParams({ q: query, page: String(to) }).toString()}" rel="${rel}">${text}</a>`;
  const back = page > 1 ? link(page - 1, 'prev', 'Earlier results') : '';
  const on = found?.hasMore ? link(page + 1, 'next', 'More results') : '';
  return back || on ? html`<nav class="pages" aria-label="Pages of results">${back}${on}</nav>` : '';
}
