// A big site in storage, for benches that load it as a server does.

import type { Post } from '../../server/posts/post.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import type { Store } from '../../server/storage/store.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';

export const GROWN_SITE = parseSiteId('grown.example')!;
const SAVED_AT_ONCE = 500;

export async function savePosts(store: Pick<Store, 'posts'>, posts: Iterable<IndexedPost>): Promise<void> {
  let batch: Post[] = [];
  for (const post of posts) {
    batch.push(stored(post));
    if (batch.length < SAVED_AT_ONCE) continue;
    await store.posts.save(GROWN_SITE, batch);
    batch = [];
  }
  await store.posts.save(GROWN_SITE, batch);
}

/** A post as storage has it. */
export function stored({ listed: _, ...post }: IndexedPost): Post {
  return {
    ...post,
    authors: [...post.authors],
    tags: [...post.tags],
    pageType: 'post',
    imageUrl: '',
    thumbUrl: '',
    wordCount: 0,
    language: 'en',
    duration: 0,
    postId: '',
    videoPlatform: '',
    metadata: '',
    updatedAt: 1,
  };
}

/** p50, p99 and the most. */
export function spread(values: readonly number[]): string[] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
  return [at(0.5), at(0.99), at(1)];
}
