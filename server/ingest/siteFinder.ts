// Finds the site of each event of a batch, which are nearly always of one site.
import type { SiteDirectory } from '../sites/directory.ts';

export function finderOf(sites: Pick<SiteDirectory, 'find'>): SiteDirectory['find'] {
  let last: { id: string; site: ReturnType<SiteDirectory['find']> } | undefined;
  return (id) => {
    if (last?.id !== id) last = { id, site: sites.find(id) };
    return last.site;
  };
}
