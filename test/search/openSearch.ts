// The search of a small site.
import { type SearchRequest, search } from '../../server/search/search.ts';
import { SearchIndex } from '../../server/search/searchIndex.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { at, NOW } from '../recommend/corpus.ts';

export function open(posts: readonly IndexedPost[]) {
  const index = new PostIndex();
  const searchIndex = new SearchIndex(index);
  index.follower = searchIndex;
  for (const one of posts) index.put(one);
  return { index, searchIndex };
}

/** Names of the posts found, best first. */
export const ask = (index: SearchIndex, changes: Partial<SearchRequest>): string[] =>
  search(
    index,
    { query: '', filters: {}, excluded: new Set(), sort: 'score', limit: 100, page: 1, ...changes },
    NOW,
  ).map(({ url }) => url.slice(at('').length));
