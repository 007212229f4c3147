// A site with other settings, whatever it had before.
import type { SiteDirectory } from '../../server/sites/directory.ts';
import type { Site } from '../../server/sites/site.ts';

export const replaceSite = (sites: Pick<SiteDirectory, 'change'>, site: Site): Promise<Site> =>
  sites.change(site.id, () => site);
