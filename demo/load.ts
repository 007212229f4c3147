// Fills the paper's site: its articles as posts, and a month of readers; on later starts only what is missing.

import type { Library } from '../server/deps.ts';
import type { Post } from '../server/posts/post.ts';
import type { SiteId } from '../server/sites/site.ts';
import type { EventStore, PostStore } from '../server/storage/store.ts';
import type { Article } from './edition.ts';
import { type Ledger, writeLedger } from './ledger.ts';
import { plainText } from './paper/markdown.ts';
import { batchToken, eventsBetween, pageUrl } from './world/events.ts';
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
 * The articles published since the last start become posts of the site. Resolves with how many.
 * Those of a site that nobody can have asked for yet go straight to storage, hundreds in one go; later ones are news to its index.
 */
export async function loadArticles(
  target: LoadTarget,
  {
    articles,
    ledger,
    now,
    freshSite,
  }: { articles: readonly Article[]; ledger: Ledger; now: number; freshSite: boolean },
): Promise<number> {
  const { store, library, site, ledgerPath } = target;
  const due = articles.filter(({ published }) => published > ledger.postsUntil && published <= now);
  const posts = due.map((article) => toPost(article, { ...target, now }));
  if (freshSite) await store.posts.save(site, posts);
  else for (const { url, updatedAt: _, wordCount: __, ...patch } of posts) await library.write(site, url, { patch });
  if (due.length > 0) await writeLedger(ledgerPath, { ...ledger, postsUntil: now });
  ledger.postsUntil = now;
  return due.length;
}

export interface LoadTask {
  world: World;
  ledger: Ledger;
  now: number;
  /** Aborted: what is begun is finished, and the rest is left for the next start. */
  stopping: AbortSignal;
  /** Called after each day with the events stored so far. */
  onSpan(stored: number): void;
}

/** The events up to `now` that are not stored yet, a day at a time. Resolves with how many. */
export async function loadEvents(target: LoadTarget, task: LoadTask): Promise<number> {
  const { world, ledger, now, stopping, onSpan } = task;
  const { store, site, origin, ledgerPath } = target;
  let stored = 0;
  const to = ledger.pending?.to ?? now;
  for (const span of eventsBetween(world, { site, origin, from: ledger.eventsUntil, to })) {
    ledger.pending = { from: span.from, to: span.to };
    await writeLedger(ledgerPath, ledger);
    for (let at = 0; at < span.rows.length; at += BATCH_ROWS) {
      const token = batchToken({ site, seed: ledger.seed, from: span.from, to: span.to, part: at / BATCH_ROWS });
      await store.events.append(span.rows.slice(at, at + BATCH_ROWS), token);
    }
    stored += span.rows.length;
    ledger.eventsUntil = span.to;
    delete ledger.pending;
    await writeLedger(ledgerPath, ledger);
    onSpan(stored);
    if (stopping.aborted) return stored;
  }
  return to === now ? stored : stored + (await loadEvents(target, task));
}

function toPost(article: Article, { origin, now }: { origin: string; now: number }): Post {
  const fullContent = plainText(article.body);
  return {
    url: pageUrl(article.slug, origin),
    pageType: 'post',
    title: article.title,
    imageUrl: `${origin}/art/large/${article.slug}.svg`,
    thumbUrl: `${origin}/art/small/${article.slug}.svg`,
    pubDate: article.published,
    section: article.section,
    authors: article.authors,
    tags: article.tags,
    fullContent,
    wordCount: fullContent.split(/\s+/).length,
    language: 'en',
    duration: 0,
    postId: article.slug,
    videoPlatform: '',
    metadata: '',
    updatedAt: now,
  };
}
