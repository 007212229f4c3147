// A post as the records of lists: /top, /related, and the lists that need a secret.
import type { AlternativeRecord, ItemSource, PostRecord, RelatedRecord, TopRecord } from '../contract/wire.ts';
import { threeDecimals } from '../threeDecimals.ts';
import { runningOf } from './alternatives.ts';
import type { Post, PostCard } from './post.ts';

/** What a list needs to know of a post. */
export type ListedPost = Omit<
  Post,
  'fullContent' | 'pageType' | 'language' | 'duration' | 'postId' | 'videoPlatform' | 'updatedAt'
>;

/** A page that nothing is known of: its URL is its title. */
export const unknownPage = (url: string): ListedPost => ({
  url,
  title: url,
  imageUrl: '',
  thumbUrl: '',
  pubDate: null,
  section: '',
  authors: [],
  tags: [],
  wordCount: 0,
  metadata: '',
});

/** The address lists show a post's picture at: a smaller one where there is one; "" for none. */
export type ThumbnailOf = (post: Pick<Post, 'thumbUrl' | 'imageUrl'>) => string;

/**
 * What a list may show of a post to a reader, by number.
 * @returns undefined where it is always the same.
 */
function toAlternativeRecords(
  post: Pick<ListedPost, 'title' | 'imageUrl' | 'thumbUrl' | 'alternatives'>,
  thumbnailOf: ThumbnailOf,
): AlternativeRecord[] | undefined {
  const running = runningOf(post);
  return running?.shares.map((share, index) => {
    const { title = post.title, imageUrl } = running.others[index - 1] ?? {};
    const picture = imageUrl === undefined ? post : { thumbUrl: '', imageUrl };
    return {
      title,
      image_url: picture.imageUrl,
      thumb_url_medium: thumbnailOf(picture),
      share: threeDecimals(share),
    };
  });
}

/** Record of /top: says an order, never a number. */
export function toTopRecord(post: ListedPost, thumbnailOf: ThumbnailOf): TopRecord {
  const alternatives = toAlternativeRecords(post, thumbnailOf);
  return { ...toRecord(post, thumbnailOf), ...(alternatives && { alternatives }) };
}

function toRecord(post: ListedPost, thumbnailOf: ThumbnailOf): Omit<TopRecord, 'alternatives'> {
  return {
    title: post.title,
    url: post.url,
    link: post.url,
    author: post.authors.join(', '),
    authors: post.authors,
    section: post.section,
    tags: post.tags,
    pub_date: toPubDate(post.pubDate),
    image_url: post.imageUrl,
    thumb_url_medium: thumbnailOf(post),
    full_content_word_count: post.wordCount,
    metadata: post.metadata,
  };
}

/** Record of the lists that need a secret. */
export function toPostRecord(
  post: ListedPost,
  thumbnailOf: ThumbnailOf,
  counted: { hits: number; metrics: Record<string, number> },
): PostRecord {
  return { ...toRecord(post, thumbnailOf), _hits: counted.hits, metrics: counted.metrics };
}

/** Record of /related; its date names the zone. */
export function toRelatedRecord(post: PostCard & { source: ItemSource }, thumbnailOf: ThumbnailOf): RelatedRecord {
  const alternatives = toAlternativeRecords(post, thumbnailOf);
  return {
    title: post.title,
    url: post.url,
    link: post.url,
    author: post.authors.join(', '),
    authors: post.authors,
    section: post.section,
    pub_date: post.pubDate === null ? '' : `${toPubDate(post.pubDate)}Z`,
    tags: post.tags,
    image_url: post.imageUrl,
    thumb_url_medium: thumbnailOf(post),
    source: post.source,
    ...(alternatives && { alternatives }),
  };
}

/** `YYYY-MM-DDTHH:MM:SS`, UTC, no zone; "" when unknown. */
function toPubDate(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 19);
}
