// Hours of busy days that are over, and first views of their visitors, kept under runs.
import { FIRST_VIEW_COLUMNS } from '../traffic/keptFirstViews.ts';
import { HOUR_COLUMNS } from '../traffic/keptHours.ts';
import type { TrafficQuery } from '../traffic/query.ts';
import type { Engine } from './engine.ts';
import { beginOf, createRuns } from './runs.ts';
import { KEPT_DAYS, KEPT_FIRST_VIEWS, KEPT_HOURS } from './schema/keptHours.ts';
import type { SiteDay } from './store.ts';

export interface KeptRecord {
  day: string;
  zone: string;
  uncounted: string;
  counted: number;
  /** Views of earlier days. */
  viewsBefore: number;
}

/** What is kept of a day. */
export interface KeptDay extends KeptRecord {
  /** When it was made, in epoch milliseconds. */
  at: number;
}

export interface KeptHourStore {
  /** Days with at least so many views, from a day on; their sites in order. */
  busy(bounds: { since: string; views: number }): Promise<SiteDay[]>;
  /** What is kept of a site. */
  kept(site: string): Promise<KeptDay[]>;
  /** @param compile The statements whose rows are kept, of hours and of first views, given the number of the run. */
  keep(
    site: string,
    record: KeptRecord,
    now: number,
    compile: (run: number) => [hours: TrafficQuery, firstViews: TrafficQuery],
  ): Promise<void>;
  /** Removes rows of runs that count no more. */
  removeSuperseded(now: number): Promise<void>;
}

const BUSY = `SELECT toString(site_days.site) AS site, toString(site_days.day) AS day FROM site_days WHERE site_days.day >= {since:Date}
GROUP BY site_days.site, site_days.day HAVING sum(views) >= {views:UInt64} ORDER BY site, day DESC`;

const KEPT = `SELECT toString(kept_days.day) AS day, run, toString(kept_days.zone) AS zone, toString(kept_days.uncounted) AS uncounted,
  counted, views_before AS viewsBefore
FROM kept_days FINAL WHERE site = {site:String}`;

export function createKeptHourStore(engine: Engine): KeptHourStore {
  const runs = createRuns(engine, {
    rows: [
      { table: KEPT_HOURS, columns: HOUR_COLUMNS, token: 'hours' },
      { table: KEPT_FIRST_VIEWS, columns: FIRST_VIEW_COLUMNS, token: 'first-views' },
    ],
    days: KEPT_DAYS,
  });
  return {
    busy: (bounds) => engine.rows<SiteDay>(BUSY, bounds),

    async kept(site) {
      const rows = await engine.rows<KeptRecord & { run: number }>(KEPT, { site });
      return rows.map(({ run, ...record }) => ({ ...record, at: beginOf(run) }));
    },

    async keep(site, { day, viewsBefore, ...record }, now, compile) {
      await runs.write({ site, day }, now, compile, { ...record, views_before: viewsBefore });
    },

    removeSuperseded: runs.removeSuperseded,
  };
}
