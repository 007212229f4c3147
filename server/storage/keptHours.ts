// Hours of busy days that are over, kept under runs as what followed clicks is (settledDays.ts).
import { HOUR_COLUMNS } from '../traffic/keptHours.ts';
import type { TrafficQuery } from '../traffic/query.ts';
import type { Engine } from './engine.ts';
import { ABANDONED_MS, firstRunAt, nextRun, type RunOfSite, removeRuns } from './runs.ts';
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

const LAST_RUN = 'SELECT max(run) AS run FROM kept_days WHERE site = {site:String} AND day = {day:Date}';

const SUPERSEDED = `SELECT toString(kept.site) AS site, toString(kept.day) AS day, toString(kept.run) AS run
FROM (SELECT DISTINCT site, day, run FROM kept_hours WHERE run < {before:UInt64}) AS kept
LEFT ANTI JOIN (SELECT site, day, run FROM kept_days FINAL) AS known
  ON known.site = kept.site AND known.day = kept.day AND known.run = kept.run`;

export function createKeptHourStore(engine: Engine): KeptHourStore {
  return {
    busy: (of) => engine.rows<SiteDay>(BUSY, of),

    kept: (site) =>
      engine.rows<KeptRecord>(
        `SELECT toString(kept_days.day) AS day, toString(kept_days.zone) AS zone, toString(kept_days.uncounted) AS uncounted, counted
         FROM kept_days FINAL WHERE site = {site:String}`,
        { site },
      ),

    async keep(site, record, now, compile) {
      const [last] = await engine.rows<{ run: number }>(LAST_RUN, { site, day: record.day });
      const run = nextRun(now, last?.run ?? 0);
      const { sql, params } = compile(run);
      const rows = await engine.lines(sql, params, 'TabSeparated');
      const text = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
      await engine.insert(KEPT_HOURS.name, { columns: HOUR_COLUMNS, text }, `hours-${site}-${record.day}-${run}`);
      await engine.insert(KEPT_DAYS.name, [{ site, run, ...record }]);
    },

    async removeSuperseded(now) {
      await removeRuns(
        engine,
        KEPT_HOURS,
        await engine.rows<RunOfSite>(SUPERSEDED, { before: firstRunAt(now - ABANDONED_MS) }),
      );
    },
  };
}
