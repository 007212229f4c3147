// What is in memory of a site that was removed, by this copy of the server or another: nothing of it may be in the
// answers of a site that is made under the same id.
import type { HotLists } from '../http/hotLists.ts';
import type { Parts } from './assemble.ts';

type Remembering = Pick<Parts, 'sites' | 'library' | 'profiles' | 'readership' | 'crawler'> & {
  lists: Pick<HotLists, 'forget'>;
};

/** Forgets each site that is removed from now on. */
export function forgetRemoved({ sites, library, profiles, readership, crawler, lists }: Remembering): void {
  sites.onRemoved((site) => {
    library.forget(site);
    profiles.forgetSite(site);
    readership.forget(site);
    crawler.forget(site);
    lists.forget(site);
  });
}
