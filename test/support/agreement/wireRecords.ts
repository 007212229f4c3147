// Records of the interface, written out by hand from its document.
import type { Post } from '../../../server/posts/post.ts';
import type { World } from '../worlds.ts';
import { isPublished } from './conditions.ts';
import type { NaiveRecord } from './countNaively.ts';

/** What a list says of a post beside numbers. */
export function describedAs({ url, ...post }: Post): object {
  return {
    title: post.title,
    url,
    link: url,
    author: post.authors.join(', '),
    authors: post.authors,
    section: post.section,
    tags: post.tags,
    pub_date: post.pubDate === null ? '' : new Date(post.pubDate).toISOString().slice(0, 19),
    image_url: post.imageUrl,
    thumb_url_medium: post.thumbUrl === '' ? post.imageUrl : post.thumbUrl,
    full_content_word_count: post.wordCount,
    metadata: post.metadata,
  };
}

/** A page with its metadata; where it has none, or its date is to come, by its URL alone. */
export function describedIn(world: World, url: string, passes: (post: Post) => boolean): object {
  const post = world.posts.find((known) => known.url === url);
  if (post && (isPublished(world)(post) || passes(post))) return describedAs(post);
  const bare = {
    imageUrl: '',
    thumbUrl: '',
    pubDate: null,
    section: '',
    authors: [],
    tags: [],
    wordCount: 0,
    metadata: '',
  };
  return describedAs({ ...bare, url, title: url } as unknown as Post);
}

export const postAt = ({ posts }: World, url: string): Post => posts.find((post) => post.url === url)!;

export const postRecord = (world: World, { name, hits, metrics }: Omit<NaiveRecord, 'type'>): object => ({
  ...describedAs(postAt(world, name)),
  _hits: hits,
  metrics,
});

/** Lists that count referred views call them by another name. */
export const asReferred = <T extends { hits: number }>(record: T) => ({
  ...record,
  metrics: { referrers_views: record.hits },
});
