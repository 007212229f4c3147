// What becomes of a page that was read: a post of its own, another address of a post, or a page that is no post.

import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import type { Post } from '../posts/post.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteId } from '../sites/site.ts';
import type { CrawledPage } from './readSitePage.ts';

export interface Kept {
  /** Canonical URL of the record that was written. */
  url: string;
  /** A page to be read for itself: what we read only named it. */
  also?: string;
}

export interface KeepOptions {
  site: SiteId;
  /** Address the page was asked for. */
  asked: string;
  page: CrawledPage;
}

export type KeepsPosts = Pick<Library, 'get' | 'resolve' | 'write'>;

/** Resolves when it is durable. Nothing is written where nothing changes. */
export async function keepPage(library: KeepsPosts, { site, asked, page }: KeepOptions): Promise<Kept> {
  const fetched = pageUrl(page.fetched) ?? asked;
  const own = new Set([asked, fetched, withoutQuery(fetched)]);
  const [before] = await library.get(site, [asked]);
  // An address its publisher has described is a post of its own, wherever its page points. And only posts have other
  // addresses: an expired article that leads to the front page, or to a log-in, is not that page.
  const stays = (before?.sent ?? []).length > 0 || page.patch.pageType !== 'post';
  const url = stays ? asked : page.url;
  const aliases = stays ? [] : [asked, fetched].filter((address) => address !== url);
  const owner = await ownerOf(library, site, url);
  if (owner !== undefined) {
    const more = aliases.filter((address) => address !== owner);
    if (more.length > 0) await library.write(site, owner, { patch: {}, aliases: more, by: 'page' });
    return { url: owner };
  }
  const [known] = url === asked ? [before] : await library.get(site, [url]);
  if (own.has(page.url) || stays) {
    if (known === undefined || aliases.length > 0 || differs(known, page.patch))
      await library.write(site, url, { patch: page.patch, aliases, by: 'page' });
    return { url };
  }
  // The post it names may say more about itself: what stands here is taken until it has been read.
  await library.write(site, url, { patch: known === undefined ? page.patch : {}, aliases, by: 'page' });
  return known === undefined ? { url, also: url } : { url };
}

/**
 * The post whose other address this is, where its publisher has described that post: no page takes an address back from
 * it.
 */
async function ownerOf(library: KeepsPosts, site: SiteId, url: string): Promise<string | undefined> {
  const owner = await library.resolve(site, url);
  if (owner === url || owner === withoutQuery(url)) return undefined;
  const [post] = await library.get(site, [owner]);
  return (post?.sent ?? []).length > 0 ? owner : undefined;
}

function differs(known: Post, patch: CrawledPage['patch']): boolean {
  const sent = new Set<string>(known.sent);
  if (known.goneAt !== undefined) return true;
  return (Object.keys(patch) as (keyof typeof patch)[]).some(
    (field) => !sent.has(field) && JSON.stringify(known[field]) !== JSON.stringify(patch[field]),
  );
}
