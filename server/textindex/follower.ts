// An index that follows the index of posts and uses its numbers: the search.

import type { IndexedPost } from './catalogue.ts';

export interface Follower {
  /** A post is there under this number, new or described anew; catalogue and forward index entries have it. */
  put(number: number, post: IndexedPost): void;
  /** A post is back under the number it had: what is known of its words is right. */
  restorePost(number: number, post: IndexedPost): void;
  /** A post is about to be removed; its number is reused later. */
  remove(number: number): void;
}
