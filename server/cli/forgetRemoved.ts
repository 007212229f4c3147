// Forgets a removed site, in this copy of the server and in others: no answer of a new site with the same id may hold
// anything of the old one.
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
