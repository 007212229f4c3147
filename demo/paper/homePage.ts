// The front page: the lead story, the newest, what others read most, what this reader may like, and the sections.
import { html } from 'hono/html';
import { SECTIONS } from '../articles/sections.ts';
import type { Article } from '../edition.ts';
import { type Html, layout, PAPER_NAME, sectionPath } from './layout.ts';
import type { PaperView } from './paper.ts';
import { relatedSlot, topSlot } from './slots.ts';
import { story } from './story.ts';

export function homePage(view: PaperView): Html {
  const now = view.now();
  const lead = chooseLead(view.published);
  const others = view.published.filter((article) => article !== lead);
  const main = html`
<h1 class="visually-hidden">${PAPER_NAME}, today</h1>
<div class="front">
  <div class="front-lead">${lead ? story(lead, { as: 'lead', level: 2, now }) : ''}</div>
  <aside class="front-side">${topSlot({ heading: 'Most read today', limit: 5, days: 1, layout: 'list', image: '1' })}</aside>
  <section class="front-new" aria-label="Latest">${others.slice(0, 4).map((article) => story(article, { as: 'card', level: 2, now }))}</section>
</div>
<section class="for-you">${relatedSlot({ heading: 'Picked for you', limit: 3, layout: 'grid' })}</section>
<div class="desks">
${SECTIONS.map((name) => {
  const [first, ...rest] = others.slice(4).filter((article) => article.section === name);
  if (!first) return '';
  return html`<section class="desk" aria-labelledby="desk-${name}">
  <h2 id="desk-${name}"><a href="${sectionPath(name)}">${name}</a></h2>
  ${story(first, { as: 'card', level: 3, now })}
  ${rest.slice(0, 3).map((article) => story(article, { as: 'line', level: 3, now }))}
</section>`;
})}
</div>`;
  return layout(view, {
    title: `${PAPER_NAME} — how government gets made`,
    description: 'Technology, design and the work of government.',
    path: '/',
    main,
  });
}

/** The longest read among the newest with a headline that fits: a short note makes a poor front page. */
function chooseLead(published: readonly Article[]): Article | undefined {
  const newest = published.slice(0, 8);
  const fitting = newest.filter((article) => article.title.length <= 70);
  return (fitting.length > 0 ? fitting : newest).sort((a, b) => b.body.length - a.body.length)[0];
}
