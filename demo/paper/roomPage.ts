// The reading room: the same articles in a page that is never left. Its script (static/room.js) puts one article in place of
// another and changes the address, as applications do; the lists follow by themselves.
import { html } from 'hono/html';
import type { Article } from '../edition.ts';
import { type Html, layout, PAPER_NAME } from './layout.ts';
import type { PaperView } from './paper.ts';
import { relatedSlot, topSlot } from './slots.ts';

const ON_THE_SHELF = 14;

/** @param article What lies open; undefined: nothing yet. */
export function roomPage(view: PaperView, article?: Article): Html {
  const shelf = view.published.slice(0, ON_THE_SHELF);
  const main = html`
<div class="room" id="room">
  <nav class="shelf" aria-label="The shelf">
    <h1>Reading room</h1>
    <p class="credit">One page that is never left: its script changes the article and the address, and the lists follow.</p>
    <ul>${shelf.map(({ slug, title }) => html`<li><a href="/room/${slug}" ${slug === article?.slug ? html`aria-current="page"` : ''}>${title}</a></li>`)}</ul>
  </nav>
  <div class="desk-top">
    <div id="open" tabindex="-1" aria-live="polite"${article ? html` data-slug="${article.slug}"` : ''}><p class="standfirst">Take something from the shelf.</p></div>
    <noscript><p>The reading room needs JavaScript; the articles do not.</p></noscript>
    <div class="after-open">${relatedSlot({ heading: 'Read next', limit: 4, layout: 'list' })}</div>
    <div class="after-open">${topSlot({ heading: 'Most read today', limit: 6, days: 1, layout: 'row' })}</div>
  </div>
</div>
<script type="module" src="/room.js"></script>`;
  return layout(view, {
    title: article ? `${article.title} — Reading room` : `Reading room — ${PAPER_NAME}`,
    description: 'The articles of the paper in one page.',
    path: article ? `/article/${article.slug}` : '/room',
    main,
  });
}
