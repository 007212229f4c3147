// Materialised hours of busy days that are over, and first views of their visitors, stored under runs.
import { FIRST_VIEW_COLUMNS } from '../traffic/materialisedFirstViews.ts';
import { HOUR_COLUMNS } from '../traffic/materialisedHours.ts';
import type { TrafficQuery } from '../traffic/query.ts';
import type { Engine } from './engine.ts';
import { beginOf, createRuns } from './runs.ts';
import { MATERIALISED_DAYS, MATERIALISED_FIRST_VIEWS, MATERIALISED_HOURS } from './schema/materialisedHours.ts';
import type { SiteDay } from './siteDay.ts';

export interface MaterialisedRecord {
  day: string;
  zone: string;
  uncounted: string;
  counted: number;
  /** Views of earlier days. */
  viewsBefore: number;
}

/** The record of a day. */
export interface MaterialisedDay extends MaterialisedRecord {
  /** When it was made, in epoch milliseconds. */
  at: number;
}

export interface MaterialisedHourStore {
  /** Days with at least so many views, from a day on; their sites in order. */
  busy(bounds: { since: string; views: number }): Promise<SiteDay[]>;
  /** Its records. */
  kept(site: string): Promise<MaterialisedDay[]>;
  /** @param compile The statements whose rows are kept, of hours and of first views, given the number of the run. */
  keep(
    site: string,
    record: MaterialisedRecord,
    now: number,
    compile: (run: number) => [hours: TrafficQuery, firstViews: TrafficQuery],
  ): Promise<void>;
  /** Removes rows of runs that count no more. */
  removeSuperseded(now: number): Promise<void>;
}

const BUSY = `SELECT toString(site_days.site) AS site, toString(site_days.day) AS day FROM site_days WHERE site_days.day >= {since:Date}
GROUP BY site_days.site, site_days.day HAVING sum(views) >= {views:UInt64} ORDER BY site, day DESC`;

const KEPT = `SELECT toString(materialised_days.day) AS day, run, toString(materialised_days.zone) AS zone, toString(materialised_days.uncounted) AS uncounted,
  counted, views_before AS viewsBefore
FROM materialised_days FINAL WHERE site = {site:String}`;

export function createMaterialisedHourStore(engine: Engine): MaterialisedHourStore {
  const runs = createRuns(engine, {
    rows: [
      { table: MATERIALISED_HOURS, columns: HOUR_COLUMNS, token: 'hours' },
      { table: MATERIALISED_FIRST_VIEWS, columns: FIRST_VIEW_COLUMNS, token: 'first-views' },
    ],
    days: MATERIALISED_DAYS,
  });
  return {
    busy: (bounds) => engine.rows<SiteDay>(BUSY, bounds),

    async kept(site) {
      const rows = await engine.rows<MaterialisedRecord & { run: number }>(KEPT, { site });
      return rows.map(({ run, ...record }) => ({ ...record, at: beginOf(run) }));
    },

    async keep(site, { day, viewsBefore, ...record }, now, compile) {
      await runs.write({ site, day }, now, compile, { ...record, views_before: viewsBefore });
    },

    removeSuperseded: runs.removeSuperseded,
  };
}
