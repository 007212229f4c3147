// What is stored of a post, hidden or not, beside what its page said when the crawler read it last.
import { z } from 'zod';
import type { PostFacts, StoredPostRecord } from '../contract/wire.ts';
import type { PageSaid } from '../crawl/pageSaid.ts';
import type { QueueEntry } from '../crawl/queueEntry.ts';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { url } from '../http/params.ts';
import type { PostCard } from '../posts/post.ts';
import type { SiteId } from '../sites/site.ts';

/** Addresses of one post that are listed, and whose place in the queue is looked up. */
const MAX_ALIASES = 100;

export const storedPost = endpoint({
  summary: 'What is stored of a post, beside what its page said when it was read last.',
  record: 'StoredPost',
  params: z.object({ url }),
  async answer(ask, parts) {
    const { site, params } = ask;
    const canonical = await parts.library.resolve(site.id, params.url);
    const [post] = await parts.store.posts.get(site.id, [canonical]);
    const data = post === undefined ? [] : [await toRecord(parts, site.id, post)];
    return detailOf(parts, ask, { data, metrics: [], sort: 'url' });
  },
});

async function toRecord(parts: Parts, site: SiteId, post: PostCard): Promise<StoredPostRecord> {
  const { store, exclusions, thumbnails } = parts;
  const others = await store.posts.aliasesOf(site, post.url, MAX_ALIASES);
  const [entries, hidden] = await Promise.all([store.crawlQueue.get(site, [post.url, ...others]), exclusions.of(site)]);
  const entry = lastOf(entries, post.url);
  const { wordCount: words, ...stored } = post;
  return {
    stored: toFacts({ ...stored, words }),
    sent: (post.sent ?? []).flatMap((field) => NAMES[field as keyof PageSaid] ?? []),
    read: entry?.said === undefined ? null : toFacts(entry.said),
    aliases: others,
    hidden: hidden.has(post.url),
    gone: post.goneAt === undefined ? null : toIso(post.goneAt),
    thumbnail: (post.imageUrl !== '' && thumbnails?.pathOf(site, post.imageUrl)) || '',
    updated: toIso(post.updatedAt),
    crawl: entry ? toCrawl(entry) : null,
  };
}

/** What its page said last, under whichever address it was read. */
const lastOf = (entries: readonly QueueEntry[], own: string): QueueEntry | undefined =>
  [...entries].sort((a, b) => b.lastRead - a.lastRead || Number(b.url === own) - Number(a.url === own))[0];

const toCrawl = ({
  lastRead,
  due,
  requested,
  lastFailure,
  attempts,
}: QueueEntry): NonNullable<StoredPostRecord['crawl']> => ({
  read: lastRead === 0 ? null : toIso(lastRead),
  due: due === 0 ? null : toIso(due),
  requested,
  failure: lastFailure,
  attempts,
});

const NAMES: Record<keyof PageSaid, keyof PostFacts> = {
  url: 'url',
  pageType: 'page_type',
  title: 'title',
  imageUrl: 'image_url',
  pubDate: 'pub_date',
  section: 'section',
  authors: 'authors',
  tags: 'tags',
  language: 'language',
  words: 'words',
};

const toFacts = (said: PageSaid): PostFacts => ({
  url: said.url,
  page_type: said.pageType,
  title: said.title,
  section: said.section,
  authors: said.authors,
  tags: said.tags,
  pub_date: said.pubDate === null ? '' : toIso(said.pubDate),
  image_url: said.imageUrl,
  language: said.language,
  words: said.words,
});

const toIso = (time: number): string => new Date(time).toISOString();
