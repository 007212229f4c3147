// Finds the post behind an address while the site's index is not in memory.
import { lookUpsOf } from '../posts/canonicalUrl.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';

/**
 * @returns The canonical URL of the post at the address, in any form it is looked up under; undefined where there is
 * none.
 */
export async function resolveInStorage(posts: Store['posts'], site: SiteId, url: string): Promise<string | undefined> {
  const addresses = lookUpsOf(url);
  const [found, aliases] = await Promise.all([posts.get(site, addresses), posts.aliases(site, addresses)]);
  // A post that has moved is still stored under its former address. An alias of itself is none.
  const known = addresses.map((address) => aliases.get(address) ?? found.find((post) => post.url === address)?.url);
  return known.find((canonical) => canonical !== undefined);
}
