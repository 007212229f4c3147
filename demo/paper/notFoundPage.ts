// The page for an address that leads nowhere: says so, and offers the newest instead.
import { html } from 'hono/html';
import { type Html, layout, PAPER_NAME } from './layout.ts';
import type { PaperView } from './paper.ts';
import { story } from './story.ts';

export function notFoundPage(view: PaperView): Html {
  const main = html`
<header class="piece-head">
  <p class="kicker">404</p>
  <h1>This page went out</h1>
  <p class="standfirst">Nothing is printed at this address. Here is what is new today.</p>
</header>
<div class="cards">${view.published.slice(0, 6).map((article) => story(article, { as: 'card', level: 2, now: view.now() }))}</div>`;
  return layout(view, { title: `Not found — ${PAPER_NAME}`, description: 'There is no such page.', main });
}
