// The page that shows what Afterword knows of this reader: the profile's history and the lists it leads to; and what
// lists brought from all readers.
import { html } from 'hono/html';
import type { Brought } from '../brought.ts';
import { broughtSection } from './broughtSection.ts';
import { type Html, layout, PAPER_NAME } from './layout.ts';
import type { PaperView } from './paper.ts';

/** @param brought Absent: the page does not say it. */
export function behindPage(view: PaperView, brought?: Brought): Html {
  const main = html`
<div class="behind" id="behind" data-afterword-origin="${view.afterword}" data-site-id="${view.siteId}">
  <header class="piece-head">
    <p class="kicker">Behind the lists</p>
    <h1>What Afterword knows about you</h1>
    <p class="standfirst">An id made by your own browser and the articles you opened in the last seven days. Read a few, come back, and see how the picks moved.</p>
  </header>
  <noscript><p>Without JavaScript nothing is known and nothing is sent.</p></noscript>
  <p>Your id: <code id="visitor">looking…</code></p>
  <p><button type="button" id="forget" hidden>Forget me</button></p>
  <h2>What you read, newest first</h2>
  <ol id="history"></ol>
  <h2>Picked for you now</h2>
  <ol id="picks"></ol>
  <h2>Most read in the last 24 hours, by everyone</h2>
  <ol id="top"></ol>
  ${brought === undefined ? '' : broughtSection(brought)}
</div>
<script type="module" src="/behind.js"></script>`;
  return layout(view, {
    title: `What Afterword knows — ${PAPER_NAME}`,
    description: 'The profile behind the lists.',
    path: '/_behind',
    main,
  });
}
