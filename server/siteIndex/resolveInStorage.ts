// Finds the posts behind addresses while the site's index is not in memory.
import { lookUpsOf } from '../posts/canonicalUrl.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';

/** ClickHouse servers are asked for them, each in several forms, in an address, which may have 1 MiB. */
const AT_ONCE = 20;

/**
 * @returns Of each address the canonical URL of the post at it, in any form it is looked up under; undefined where
 * there is none.
 */
export async function resolveInStorage(
  posts: Store['posts'],
  site: SiteId,
  urls: readonly string[],
): Promise<(string | undefined)[]> {
  const resolved: (string | undefined)[] = [];
  for (let at = 0; at < urls.length; at += AT_ONCE) {
    const forms = urls.slice(at, at + AT_ONCE).map(lookUpsOf);
    const addresses = [...new Set(forms.flat())];
    const [found, aliases] = await Promise.all([posts.get(site, addresses), posts.aliases(site, addresses)]);
    const stored = new Set(found.map(({ url }) => url));
    // A post that has moved is still stored under its former address. An alias of itself is none.
    const ownerOf = (address: string) => aliases.get(address) ?? (stored.has(address) ? address : undefined);
    for (const addressForms of forms)
      resolved.push(addressForms.map(ownerOf).find((canonical) => canonical !== undefined));
  }
  return resolved;
}
