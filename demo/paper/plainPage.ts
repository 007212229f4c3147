// An article without any script: the lists are HTML that the paper's server asked Afterword for, and one that the browser
// loads in a frame, as pages that may not run scripts have it.
import { html, raw } from 'hono/html';
import type { Article } from '../edition.ts';
import { type Html, layout, PAPER_NAME, sectionPath } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import type { PaperView } from './paper.ts';
import { byline } from './story.ts';

/** Readers do not wait for a list. */
const PATIENCE_MS = 1_000;

export async function plainPage(view: PaperView, article: Article): Promise<Html> {
  const url = `${view.origin}/article/${article.slug}`;
  const query = new URLSearchParams({ apikey: view.siteId, url, limit: '4', layout: 'list', heading: 'Read next' });
  const related = await fragment(`${view.afterword}/v2/fragment/related?${query}`);
  const framed = new URLSearchParams({
    apikey: view.siteId,
    limit: '5',
    days: '7',
    layout: 'compact',
    heading: 'Most read this week',
    document: '1',
  });
  const main = html`
<article class="piece">
  <header class="piece-head">
    <p class="kicker"><a href="${sectionPath(article.section)}">${article.section}</a></p>
    <h1>${article.title}</h1>
    <p class="credit">By <strong>${byline(article)}</strong> · This page runs no script. <a href="/article/${article.slug}">The page with them</a></p>
  </header>
  <div class="prose">${raw(renderMarkdown(article.body))}</div>
</article>
<div class="after">
  <div>${raw(related)}</div>
  <aside><iframe title="Most read this week" src="${view.afterword}/v2/fragment/top?${framed}" width="100%" height="420" loading="lazy"></iframe></aside>
</div>`;
  return layout(view, {
    title: `${article.title} — ${PAPER_NAME}`,
    description: article.excerpt,
    path: `/article/${article.slug}`,
    section: article.section,
    plain: true,
    main,
  });
}

/** The list as HTML; nothing where Afterword does not answer: the article stands for itself. */
async function fragment(address: string): Promise<string> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.ok ? await response.text() : '';
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return '';
    throw error;
  }
}
