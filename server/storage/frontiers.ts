// What the mix dial gives on the views of each site, as a row of each: written while it is measured, so that every copy
// of the server knows how far it is, and kept.
import type { FrontierRecord } from '../contract/frontier.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';

export interface FrontierStore {
  /** undefined: never measured. `updatedAt`: epoch milliseconds when it was written. */
  find(site: SiteId): Promise<{ record: FrontierRecord; updatedAt: number } | undefined>;
  /** Inserts or replaces. Durable once resolved. */
  save(site: SiteId, record: FrontierRecord, now: number): Promise<void>;
}

export function createFrontierStore(engine: Engine): FrontierStore {
  return {
    async find(site) {
      const [row] = await engine.rows<{ record: string; updated_at: number }>(
        'SELECT record, updated_at FROM frontiers FINAL WHERE site = {site:String}',
        { site },
      );
      return row && { record: JSON.parse(row.record) as FrontierRecord, updatedAt: Number(row.updated_at) };
    },

    async save(site, record, now) {
      const updated_at = await nextVersion(engine, 'frontiers', { key: { site }, now });
      await engine.insert('frontiers', [{ site, record: JSON.stringify(record), updated_at }]);
    },
  };
}
