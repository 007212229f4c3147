// Small worlds of posts for tests of the ranking.

import { Behaviour } from '../../server/readers/behaviour/behaviour.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { Recommendation, RecommendRequest } from '../../server/recommend/request.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';

export const DAY = 86_400_000;
export const NOW = Date.UTC(2026, 5, 1);

export const at = (name: string): string => `https://news.example/${name}`;

/** A post, listed and a day old unless said otherwise. */
export function post(name: string, changes: Partial<IndexedPost> = {}): IndexedPost {
  return {
    url: at(name),
    title: name,
    fullContent: '',
    section: '',
    authors: [],
    tags: [],
    pubDate: NOW - DAY,
    listed: true,
    ...changes,
  };
}

export function indexOf(posts: readonly IndexedPost[]): PostIndex {
  const index = new PostIndex();
  for (const one of posts) index.put(one);
  settle(index);
  return index;
}

/** Does all background work at once. */
export function settle(index: PostIndex): void {
  for (const _ of index.tidy());
}

export function request(changes: Partial<RecommendRequest> = {}): RecommendRequest {
  return {
    filters: {},
    excluded: new Set(),
    sort: 'score',
    limit: 10,
    page: 1,
    respectEmpty: true,
    ...changes,
  };
}

/** Names of the posts recommended, best first. */
export function names(found: readonly Recommendation[]): string[] {
  return found.map(({ url }) => url.slice(at('').length));
}

export function ask(index: PostIndex, changes: Partial<RecommendRequest>, now = NOW): string[] {
  return names(recommend(index, request(changes), now));
}

/** What readers read, one after another: `first>second>third` by name, an hour ago. */
export function learned(...sessions: readonly string[]): Behaviour {
  const behaviour = new Behaviour();
  for (const [visitor, read] of sessions.entries()) {
    for (const name of read.split('>')) {
      behaviour.learn({ time: NOW - 3_600_000 + visitor * 1000, visitor: `reader ${visitor}`, post: at(name) });
    }
  }
  return behaviour;
}
