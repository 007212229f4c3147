// Page views of every site in the last days, by one question: for the operator, who may have a thousand sites.
import { DAY, QUARTER } from '../durations.ts';
import type { Engine } from './engine.ts';

/** Quarters of the last hour: the one that is not over, and four before it. */
const LAST_QUARTERS = 4;

/** Page views of a site on one day of its own. */
export interface ActiveDay {
  site: string;
  /** `YYYY-MM-DD` in the site's time zone. */
  day: string;
  views: number;
  /** In the last hour, counted from the beginning of a quarter of an hour. */
  lastHour: number;
  /** Epoch milliseconds when the quarter of an hour of the last view began. */
  lastView: number;
}

export interface SiteActivityStore {
  /**
   * The days that are today somewhere on earth, and the ones before, of all sites that have views on them. Pages that
   * are hidden count.
   * @param now Epoch milliseconds.
   */
  read(now: number): Promise<ActiveDay[]>;
}

export function createSiteActivityStore(engine: Engine): SiteActivityStore {
  return {
    async read(now) {
      const rows = await engine.rows<{ name: string; date: string; views: number; recent: number; last: number }>(
        `SELECT toString(site) AS name, toString(day) AS date, sum(site_quarters.views) AS views,
           sumIf(site_quarters.views, quarter >= {recent:UInt32}) AS recent,
           maxIf(quarter, site_quarters.views > 0) AS last
         FROM site_quarters WHERE day >= {since:Date} GROUP BY name, date HAVING views > 0`,
        {
          since: new Date(now - 2 * DAY).toISOString().slice(0, 10),
          recent: Math.floor(now / QUARTER) - LAST_QUARTERS,
        },
      );
      return rows.map(({ name, date, views, recent, last }) => ({
        site: name,
        day: date,
        views: Number(views),
        lastHour: Number(recent),
        lastView: Number(last) * QUARTER,
      }));
    },
  };
}
