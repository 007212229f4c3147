// The frame around every page of the paper: head, masthead, navigation, footer, and the pasted tag.
import { html, raw } from 'hono/html';
import { SECTIONS, type SectionName } from '../articles/sections.ts';
import { PAPER_ZONE } from '../edition.ts';
import { MARK } from './mark.ts';
import type { PaperView } from './paper.ts';

/** Text that `html` has already made safe. */
export type Html = ReturnType<typeof html>;

export const PAPER_NAME = 'The Public Lantern';

export interface Page {
  title: string;
  description: string;
  /** Path of the page, without the origin; left out for what has no address of its own. */
  path?: string;
  /** The section the navigation marks. */
  section?: SectionName;
  /** Without any script. */
  plain?: boolean;
  /** More for the head: metadata of an article. */
  head?: Html;
  main: Html;
}

/** A whole document. */
export function layout(view: PaperView, page: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
${page.path === undefined ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${view.origin}${page.path}">`}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/paper.css">
${page.head ?? ''}
${page.plain ? '' : html`<script async src="${view.afterword}/afterword.js" data-site="${view.siteId}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the news</a>
<header class="masthead">
  <div class="masthead-line">
    <span>${longDate(view.now())}</span>
    <span class="motto">How government gets made, in the open</span>
    <nav aria-label="More"><a href="/search">Search</a> <a href="/watch">Watch</a> <a href="/room">Reading room</a> <a href="/_behind">What Afterword knows</a>${view.console ? html` <a href="/_console">Console</a>` : ''}</nav>
  </div>
  <a class="nameplate" href="/">${raw(MARK)}<span>${PAPER_NAME}</span></a>
  <nav class="sections" aria-label="Sections">
    ${SECTIONS.map((name) => html`<a href="${sectionPath(name)}" ${page.section === name ? raw('aria-current="page"') : ''}>${name}</a>`)}
  </nav>
</header>
<main id="main">
${page.main}
</main>
<footer class="colophon">
  <p><strong>${PAPER_NAME}</strong> is not a real newspaper. It is the demonstration of Afterword: the lists of related and most-read articles come from one pasted tag and a server on this machine.</p>
  <p>Articles: the blog of 18F, a work of the United States Government in the public domain, dated anew. Covers are drawn from a seed. <a href="/_behind">See what Afterword knows about you</a>.</p>
</footer>
</body>
</html>`;
}

export function sectionPath(name: SectionName): string {
  return `/section/${name.toLowerCase()}`;
}

const LONG = new Intl.DateTimeFormat('en-US', {
  timeZone: PAPER_ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** “Saturday, November 21, 2026”, by the paper's clocks. */
function longDate(time: number): string {
  return LONG.format(time);
}
