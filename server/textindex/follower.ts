// An index that follows the index of posts and shares its numbers: the search index.

import type { IndexedPost } from './catalogue.ts';

export interface Follower {
  /** Adds or replaces the post of this number; catalogue and forward index have it already. */
  put(number: number, post: IndexedPost): void;
  /** Adds a post that was restored from a snapshot under this number; the restored postings hold its words. */
  restorePost(number: number, post: IndexedPost): void;
  /** Called before a post is removed; its number is reused later. */
  remove(number: number): void;
}
