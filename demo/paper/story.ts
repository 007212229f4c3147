// An article as it is teased on home and section pages.
import { html } from 'hono/html';
import { HOUR } from '../../server/durations.ts';
import { type Article, PAPER_ZONE } from '../edition.ts';
import { type Html, sectionPath } from './layout.ts';

const SHORT = new Intl.DateTimeFormat('en-US', { timeZone: PAPER_ZONE, day: 'numeric', month: 'short' });

/** `lead` opens the home page; `card` has a cover; `line` is a headline with its date. */
export type StoryStyle = 'lead' | 'card' | 'line';

/** @param level of the headline, one below the heading it stands under. */
export function story(article: Article, { as, level, now }: { as: StoryStyle; level: 2 | 3; now: number }): Html {
  const headline = html`<a href="/article/${article.slug}">${article.title}</a>`;
  return html`<article class="story ${as}">
  ${as === 'line' ? '' : cover(article, { eager: as === 'lead' })}
  <div class="story-text">
    <p class="kicker"><a href="${sectionPath(article.section)}">${article.section}</a></p>
    ${level === 2 ? html`<h2 class="headline">${headline}</h2>` : html`<h3 class="headline">${headline}</h3>`}
    ${as === 'line' ? '' : html`<p class="standfirst">${article.excerpt}</p>`}
    <p class="credit">${as === 'line' ? '' : html`<span>${byline(article)}</span> · `}${when(article.published, now)}</p>
  </div>
</article>`;
}

/** A cover that leads to its article; decoration only, so it has no text of its own. */
function cover(article: Article, { eager }: { eager: boolean }): Html {
  const size = eager ? 'large' : 'small';
  return html`<a class="cover" href="/article/${article.slug}" tabindex="-1" aria-hidden="true"><img src="/art/${size}/${article.slug}.svg" alt="" width="480" height="270" ${eager ? 'fetchpriority=high' : 'loading=lazy'} decoding="async"></a>`;
}

/** “A. Writer and B. Writer”; more than three are “A. Writer and others”. */
export function byline({ authors }: Article): string {
  if (authors.length > 3) return `${authors[0]} and others`;
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(authors);
}

/** A time element: hours for what is new, else the day. */
export function when(time: number, now: number): Html {
  const hours = Math.floor((now - time) / HOUR);
  const words =
    hours < 1 ? 'Just in' : hours < 24 ? `${hours} ${hours === 1 ? 'hour' : 'hours'} ago` : SHORT.format(time);
  return html`<time datetime="${new Date(time).toISOString()}">${words}</time>`;
}
