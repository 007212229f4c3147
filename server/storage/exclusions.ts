// Hidden URLs as rows: the newest row of each counts, and none counts longer than 90 days.
import { EXCLUSION_DAYS } from '../contract/limits.ts';
import { DAY } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';
import type { ExclusionStore } from './store.ts';

const EXCLUSION_MS = EXCLUSION_DAYS * DAY;

export function createExclusionStore(engine: Engine): ExclusionStore {
  async function write(site: SiteId, url: string, { now, deleted }: { now: number; deleted: 0 | 1 }): Promise<void> {
    const updated_at = await nextVersion(engine, 'exclusions', { key: { site, url }, now });
    await engine.insert('exclusions', [{ site, url, updated_at, deleted }]);
  }

  return {
    async list(site, now) {
      // The engine deletes expired rows later, so the query counts days too.
      const rows = await engine.rows<{ url: string }>(
        `SELECT url FROM exclusions FINAL WHERE site = {site:String} AND updated_at > {since:Int64} ORDER BY url`,
        { site, since: now - EXCLUSION_MS },
      );
      return rows.map((row) => row.url);
    },
    add: (site, url, now) => write(site, url, { now, deleted: 0 }),
    remove: (site, url, now) => write(site, url, { now, deleted: 1 }),
  };
}
