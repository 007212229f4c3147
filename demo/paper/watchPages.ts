// The films: a page of them all with the most watched, and a page each with the film and what to read next.
import { html, raw } from 'hono/html';
import { COVER } from '../art/cover.ts';
import { FILM_SECONDS, type PublishedFilm } from '../films.ts';
import { jsonForScript } from './escape.ts';
import { type Html, layout, PAPER_NAME, sectionPath } from './layout.ts';
import type { PaperView } from './paper.ts';
import { relatedSlot, topSlot } from './slots.ts';
import { when } from './story.ts';

const filmPath = (slug: string) => `/watch/${slug}`;

export function watchPage(view: PaperView): Html {
  const now = view.now();
  const main = html`
<h1 class="section-name">Watch</h1>
<div class="cards films">${view.films.map(
    (film) => html`<article class="story card">
  <a class="cover" href="${filmPath(film.slug)}" tabindex="-1" aria-hidden="true"><img src="/art/small/${film.slug}.svg" alt="" width="480" height="270" loading="lazy" decoding="async"></a>
  <div class="story-text">
    <h2 class="headline"><a href="${filmPath(film.slug)}">${film.title}</a></h2>
    <p class="standfirst">${film.excerpt}</p>
    <p class="credit"><span>${FILM_SECONDS} seconds</span> · ${when(film.published, now)}</p>
  </div>
</article>`,
  )}</div>
<section class="for-you">${mostWatched(3)}</section>
<section>${topSlot({ heading: 'Rather read? This week’s most read', limit: 8, days: 7, layout: 'row' })}</section>`;
  return layout(view, {
    title: `Watch — ${PAPER_NAME}`,
    description: 'Short films about the work of government.',
    path: '/watch',
    main,
  });
}

export function filmPage(view: PaperView, film: PublishedFilm): Html {
  const url = view.origin + filmPath(film.slug);
  const main = html`
<article class="piece">
  <header class="piece-head">
    <p class="kicker"><a href="${sectionPath(film.section)}">${film.section}</a></p>
    <h1>${film.title}</h1>
    <p class="standfirst">${film.excerpt}</p>
  </header>
  <figure class="piece-cover">
    <video controls preload="metadata" playsinline loop width="${COVER.width}" height="${COVER.height}" poster="/art/large/${film.slug}.svg" src="/films/${film.slug}.webm" data-url="${url}" title="${film.title}"></video>
  </figure>
</article>
<section class="for-you">${mostWatched(2)}</section>
<section>${relatedSlot({ heading: 'Read next', limit: 8, layout: 'row' })}</section>`;
  return layout(view, {
    title: `${film.title} — ${PAPER_NAME}`,
    description: film.excerpt,
    path: filmPath(film.slug),
    section: film.section,
    head: metadata(view, film),
    main,
  });
}

const mostWatched = (limit: number) =>
  topSlot({ heading: 'Most watched', limit, days: 30, layout: 'grid', type: 'videos' });

function metadata({ origin }: PaperView, film: PublishedFilm): Html {
  const url = origin + filmPath(film.slug);
  const linked = {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: film.title,
    headline: film.title,
    description: film.excerpt,
    url,
    contentUrl: `${origin}/films/${film.slug}.webm`,
    thumbnailUrl: `${origin}/art/small/${film.slug}.svg`,
    image: `${origin}/art/large/${film.slug}.svg`,
    uploadDate: new Date(film.published).toISOString(),
    datePublished: new Date(film.published).toISOString(),
    duration: `PT${FILM_SECONDS}S`,
    articleSection: film.section,
    keywords: film.tags,
  };
  return html`<meta property="og:type" content="video.other">
<meta property="og:title" content="${film.title}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${origin}/art/large/${film.slug}.svg">
<script type="application/ld+json">${raw(jsonForScript(linked))}</script>`;
}
