// Looks up the pages of a site that had traffic and do not count.
import type { TrafficStore } from '../storage/store.ts';
import type { Scope } from '../traffic/scope.ts';
import { compileUncounted, MOST_UNCOUNTED } from '../traffic/totals.ts';

/** Keys of the pages; undefined: more than can be taken off. */
export async function readUncounted(store: TrafficStore, scope: Scope): Promise<readonly string[] | undefined> {
  const rows = await store.run(compileUncounted(scope));
  return rows.length > MOST_UNCOUNTED ? undefined : rows.map(({ page }) => String(page));
}
