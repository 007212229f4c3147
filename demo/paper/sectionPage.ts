// A section's page: its newest articles, and what is read most in it.
import { html } from 'hono/html';
import type { SectionName } from '../articles/sections.ts';
import { type Html, layout, PAPER_NAME, sectionPath } from './layout.ts';
import type { PaperView } from './paper.ts';
import { topSlot } from './slots.ts';
import { story } from './story.ts';

/** Stories with a cover, then so many headlines. */
const CARDS = 9;
const LINES = 24;

export function sectionPage(view: PaperView, section: SectionName): Html {
  const now = view.now();
  const stories = view.published.filter((article) => article.section === section);
  const main = html`
<h1 class="section-name">${section}</h1>
<div class="section-body">
  <div>
    <div class="cards">${stories.slice(0, CARDS).map((article) => story(article, { as: 'card', level: 2, now }))}</div>
    <h2 class="rule">Earlier</h2>
    <div class="lines">${stories.slice(CARDS, CARDS + LINES).map((article) => story(article, { as: 'line', level: 3, now }))}</div>
  </div>
  <aside>${topSlot({ heading: `Most read in ${section}`, limit: 5, days: 7, layout: 'compact', section })}</aside>
</div>`;
  return layout(view, {
    title: `${section} — ${PAPER_NAME}`,
    description: `${section}: the latest from ${PAPER_NAME}.`,
    path: sectionPath(section),
    section,
    main,
  });
}
