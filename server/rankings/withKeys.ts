// Looks up the pages that pass a narrow filter, so that each SELECT of a statement has their keys. Each would look them
// up in the tables of posts and aliases otherwise, and the engine analyse five SELECTs more for it.
import type { TrafficStore } from '../storage/store.ts';
import { compileKeys, MOST_KEYS } from '../traffic/pages.ts';
import { isOfAllPosts, type Scope } from '../traffic/scope.ts';

/**
 * The scope with the keys of its pages. As it is, where it has them, where most pages pass, or more than can be bound.
 */
export async function withKeys(store: TrafficStore, scope: Scope): Promise<Scope> {
  const { pages, posts } = scope;
  const filter = posts ?? pages;
  const isNarrow = pages !== undefined || (posts !== undefined && !isOfAllPosts(posts));
  if (filter?.keys !== undefined || !isNarrow) return scope;
  const rows = await store.run(compileKeys(scope));
  if (rows.length > MOST_KEYS) return scope;
  const keys = rows.map(({ page }) => String(page));
  return posts ? { ...scope, posts: { ...posts, keys } } : { ...scope, pages: { ...pages!, keys } };
}
