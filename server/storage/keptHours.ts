// Hours of busy days that are over, kept under runs.
import { HOUR_COLUMNS } from '../traffic/keptHours.ts';
import type { TrafficQuery } from '../traffic/query.ts';
import type { Engine } from './engine.ts';
import { createRuns } from './runs.ts';
import { KEPT_DAYS, KEPT_HOURS } from './schema/keptHours.ts';
import type { SiteDay } from './store.ts';

export interface KeptRecord {
  day: string;
  zone: string;
  uncounted: string;
  counted: number;
}

export interface KeptHourStore {
  /** Days with at least so many views, from a day on; their sites in order. */
  busy(of: { since: string; views: number }): Promise<SiteDay[]>;
  /** What is kept of a site. */
  kept(site: string): Promise<KeptRecord[]>;
  /** @param compile The statement whose rows are kept, given the number of the run. */
  keep(site: string, record: KeptRecord, now: number, compile: (run: number) => TrafficQuery): Promise<void>;
  /** Removes rows of runs that count no more. */
  removeSuperseded(now: number): Promise<void>;
}

const BUSY = `SELECT toString(site_days.site) AS site, toString(site_days.day) AS day FROM site_days WHERE site_days.day >= {since:Date}
GROUP BY site_days.site, site_days.day HAVING sum(views) >= {views:UInt64} ORDER BY site, day DESC`;

export function createKeptHourStore(engine: Engine): KeptHourStore {
  const runs = createRuns(engine, { rows: KEPT_HOURS, columns: HOUR_COLUMNS, days: KEPT_DAYS, token: 'hours' });
  return {
    busy: (of) => engine.rows<SiteDay>(BUSY, of),

    kept: (site) =>
      engine.rows<KeptRecord>(
        `SELECT toString(kept_days.day) AS day, toString(kept_days.zone) AS zone, toString(kept_days.uncounted) AS uncounted, counted
         FROM kept_days FINAL WHERE site = {site:String}`,
        { site },
      ),

    async keep(site, { day, ...record }, now, compile) {
      await runs.write({ site, day }, now, compile, record);
    },

    removeSuperseded: runs.removeSuperseded,
  };
}
