// Fills the paper's site: its articles as posts, and a month of readers; on later starts only what is missing.

import type { Experiment } from '../server/experiments/experiment.ts';
import type { Post } from '../server/posts/post.ts';
import type { Library } from '../server/siteIndex/types.ts';
import type { SiteId } from '../server/sites/site.ts';
import type { EventStore, PostStore } from '../server/storage/store.ts';
import type { Article } from './edition.ts';
import { FILM_SECONDS, type PublishedFilm } from './films.ts';
import { type Ledger, writeLedger } from './ledger.ts';
import { plainText } from './paper/markdown.ts';
import { batchToken, type DayOfEvents, eventsBetween, filmUrl, pageUrl } from './world/events.ts';
import type { FilmWorld } from './world/filmViews.ts';
import type { World } from './world/sessions.ts';

/** Rows of one insert. */
const BATCH_ROWS = 10_000;

export interface LoadTarget {
  store: { events: Pick<EventStore, 'append'>; posts: Pick<PostStore, 'save'> };
  library: Pick<Library, 'write'>;
  site: SiteId;
  /** Origin of the paper's URLs. */
  origin: string;
  ledgerPath: string;
}

/**
 * The articles and films published since the last start become posts and videos of the site. Those of a site that
 * cannot have been requested yet go straight to storage, hundreds in one go; later ones are news to its index.
 */
export async function loadArticles(
  target: LoadTarget,
  {
    articles,
    films,
    ledger,
    now,
    freshSite,
  }: { articles: readonly Article[]; films: readonly PublishedFilm[]; ledger: Ledger; now: number; freshSite: boolean },
): Promise<void> {
  const { store, library, site, ledgerPath } = target;
  const isDue = ({ published }: { published: number }) => published > ledger.postsUntil && published <= now;
  const posts = [
    ...articles.filter(isDue).map((article) => toPost(article, { ...target, now })),
    ...films.filter(isDue).map((film) => toVideo(film, { ...target, now })),
  ];
  if (freshSite) await store.posts.save(site, posts);
  else for (const { url, updatedAt: _, wordCount: __, ...patch } of posts) await library.write(site, url, { patch });
  if (posts.length > 0) await writeLedger(ledgerPath, { ...ledger, postsUntil: now });
  ledger.postsUntil = now;
}

export interface LoadTask {
  world: World;
  films: FilmWorld;
  /** Which lists are drawn in variants. Absent: none. */
  experiment?: Experiment | undefined;
  ledger: Ledger;
  now: number;
  /** Aborted: what is begun is finished, and the rest is left for the next start. */
  stopping: AbortSignal;
  /** Called after each day with the events stored so far. */
  onSpan(stored: number): void;
}

/** The events up to `now` that are not stored yet, a day at a time. Resolves with how many. */
export async function loadEvents(target: LoadTarget, task: LoadTask): Promise<number> {
  const { world, films, experiment, ledger, now, stopping, onSpan } = task;
  const { site, origin } = target;
  let stored = 0;
  const to = ledger.pending?.to ?? now;
  for (const span of eventsBetween(world, { site, origin, films, experiment, from: ledger.eventsUntil, to })) {
    await storeSpan(target, ledger, span);
    stored += span.rows.length;
    onSpan(stored);
    if (stopping.aborted) return stored;
  }
  return to === now ? stored : stored + (await loadEvents(target, task));
}

/** Stores the events of a span that begins where those that are stored end; one that is interrupted is stored again. */
export async function storeSpan(
  { store, site, ledgerPath }: LoadTarget,
  ledger: Ledger,
  { from, to, rows }: Omit<DayOfEvents, 'day'>,
): Promise<void> {
  ledger.pending = { from, to };
  await writeLedger(ledgerPath, ledger);
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const token = batchToken({ site, seed: ledger.seed, from, to, part: at / BATCH_ROWS });
    await store.events.append(rows.slice(at, at + BATCH_ROWS), token);
  }
  ledger.eventsUntil = to;
  delete ledger.pending;
  await writeLedger(ledgerPath, ledger);
}

interface Printing {
  origin: string;
  now: number;
}

function toPost(article: Article, printing: Printing): Post {
  const fullContent = plainText(article.body);
  return {
    ...toPiece(article, printing),
    url: pageUrl(article.slug, printing.origin),
    authors: article.authors,
    fullContent,
    wordCount: fullContent.split(/\s+/).length,
  };
}

function toVideo(film: PublishedFilm, printing: Printing): Post {
  const url = filmUrl(film.slug, printing.origin);
  return { ...toPiece(film, printing), url, pageType: 'video', duration: FILM_SECONDS };
}

/** What articles and films have in common. */
function toPiece(
  { slug, title, section, tags, published }: Pick<Article, 'slug' | 'title' | 'section' | 'tags' | 'published'>,
  { origin, now }: Printing,
): Post {
  return {
    url: '',
    pageType: 'post',
    title,
    imageUrl: `${origin}/art/large/${slug}.svg`,
    thumbUrl: `${origin}/art/small/${slug}.svg`,
    pubDate: published,
    section,
    authors: [],
    tags,
    fullContent: '',
    wordCount: 0,
    language: 'en',
    duration: 0,
    postId: slug,
    videoPlatform: '',
    metadata: '',
    updatedAt: now,
  };
}
