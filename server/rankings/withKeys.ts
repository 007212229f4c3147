// Looks up the pages that pass a narrow filter, so that each SELECT of a statement has their keys. Each would look them
// up in the tables of posts and aliases otherwise, and the engine would analyse five SELECTs more for it.
import type { TrafficStore } from '../storage/store.ts';
import { compileKeys, MOST_KEYS } from '../traffic/pages.ts';
import { isOfAllPosts, keysOf, type Scope } from '../traffic/scope.ts';

/** The scope with the keys of its pages; without them where most pages pass, or more than `MOST_KEYS`. */
export async function withKeys(store: TrafficStore, scope: Scope): Promise<Scope> {
  const { pages, posts } = scope;
  const isNarrow = pages !== undefined || (posts !== undefined && !isOfAllPosts(posts));
  if (!isNarrow || keysOf(scope) !== undefined) return scope;
  const rows = await store.run(compileKeys(scope));
  if (rows.length > MOST_KEYS) return scope;
  const keys = rows.map(({ page }) => String(page));
  return { ...scope, ...(posts ? { posts: { ...posts, keys } } : pages && { pages: { ...pages, keys } }) };
}
