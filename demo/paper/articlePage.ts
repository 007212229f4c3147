// An article's page: the text set to be read, its metadata for machines, and the two lists after it.
import { html, raw } from 'hono/html';
import { COVER } from '../art/cover.ts';
import { type Article, PAPER_ZONE } from '../edition.ts';
import { jsonForScript } from './escape.ts';
import { type Html, layout, PAPER_NAME, sectionPath } from './layout.ts';
import { plainText, renderMarkdown } from './markdown.ts';
import type { PaperView } from './paper.ts';
import { relatedSlot, topSlot } from './slots.ts';
import { byline } from './story.ts';

const WORDS_A_MINUTE = 230;
const STAMP = new Intl.DateTimeFormat('en-US', { timeZone: PAPER_ZONE, dateStyle: 'long', timeStyle: 'short' });

export function articlePage(view: PaperView, article: Article): Html {
  const minutes = Math.max(1, Math.round(plainText(article.body).split(/\s+/).length / WORDS_A_MINUTE));
  const main = html`
<article class="piece">
  <header class="piece-head">
    <p class="kicker"><a href="${sectionPath(article.section)}">${article.section}</a></p>
    <h1>${article.title}</h1>
    ${opensWith(article) ? '' : html`<p class="standfirst">${article.excerpt}</p>`}
    <p class="credit">By <strong>${byline(article)}</strong> · <time datetime="${new Date(article.published).toISOString()}">${STAMP.format(article.published)}</time> · ${minutes} min read · <a href="/plain/${article.slug}" rel="nofollow">without scripts</a></p>
  </header>
  <figure class="piece-cover"><img src="/art/large/${article.slug}.svg" alt="" width="${COVER.width}" height="${COVER.height}" fetchpriority="high"></figure>
  <div class="prose">${raw(renderMarkdown(article.body))}</div>
  <ul class="tags" aria-label="Tags">${article.tags.map((tag) => html`<li>${tag}</li>`)}</ul>
</article>
<div class="after">
  <div>${relatedSlot({ name: 'read-next', heading: 'Read next', limit: 6, layout: 'grid' })}</div>
  <aside>${topSlot({ name: 'most-read', heading: 'Most read today', limit: 7, days: 1, layout: 'compact' })}</aside>
</div>`;
  return layout(view, {
    title: `${article.title} — ${PAPER_NAME}`,
    description: article.excerpt,
    path: `/article/${article.slug}`,
    section: article.section,
    head: metadata(view, article),
    main,
  });
}

/** Some excerpts are the first sentences of the text, which need not be read twice. */
function opensWith({ excerpt, body }: Article): boolean {
  return plainText(body).startsWith(excerpt.slice(0, 60));
}

/** What search engines, social networks and Afterword's own crawler read: JSON-LD and Open Graph. */
function metadata({ origin }: PaperView, article: Article): Html {
  const url = `${origin}/article/${article.slug}`;
  const image = `${origin}/art/large/${article.slug}.svg`;
  const published = new Date(article.published).toISOString();
  const linked = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: article.title,
    description: article.excerpt,
    url,
    mainEntityOfPage: url,
    image: { '@type': 'ImageObject', url: image, width: COVER.width, height: COVER.height },
    thumbnailUrl: `${origin}/art/small/${article.slug}.svg`,
    datePublished: published,
    articleSection: article.section,
    author: article.authors.map((name) => ({ '@type': 'Person', name })),
    keywords: article.tags,
    publisher: { '@type': 'Organization', name: PAPER_NAME },
    inLanguage: 'en',
  };
  return html`<meta property="og:type" content="article">
<meta property="og:title" content="${article.title}">
<meta property="og:description" content="${article.excerpt}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${image}">
<meta property="article:published_time" content="${published}">
<script type="application/ld+json">${raw(jsonForScript(linked))}</script>`;
}
