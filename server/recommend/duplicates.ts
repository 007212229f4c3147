// Near-duplicates: syndicated copies and updated versions of an article, of which a list shows one.

import { agreement } from './fingerprint.ts';
import type { PostIndex } from './postIndex.ts';
import { cosine } from './vectors.ts';
import { SAME_ARTICLE } from './weights.ts';

/** Posts agreeing in fewer bits than this (of 64) are never the same article: the exact question is not asked. */
const LIKELY_BITS = 44;

/** Whether two posts are the same article, to a few changed sentences. */
export function sameArticle(index: PostIndex, a: number, b: number): boolean {
  return agreement(index.catalogue.prints, a, b) >= LIKELY_BITS && cosine(index, a, b) >= SAME_ARTICLE;
}
