// A post as a record of /related.
import type { ItemSource, RelatedRecord } from '../contract/wire.ts';
import type { PostCard } from './post.ts';
import { type ThumbnailOf, toAlternativeRecords } from './toPostRecord.ts';

export function toRelatedRecord(post: PostCard & { source: ItemSource }, thumbnailOf: ThumbnailOf): RelatedRecord {
  const alternatives = toAlternativeRecords(post, thumbnailOf);
  return {
    title: post.title,
    url: post.url,
    link: post.url,
    author: post.authors.join(', '),
    authors: post.authors,
    section: post.section,
    pub_date: post.pubDate === null ? '' : `${new Date(post.pubDate).toISOString().slice(0, 19)}Z`,
    tags: post.tags,
    image_url: post.imageUrl,
    thumb_url_medium: thumbnailOf(post),
    source: post.source,
    ...(alternatives && { alternatives }),
  };
}
