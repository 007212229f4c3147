// What followed the clicks of days that are over, and of busy days up to a moment, kept under runs. Reading the rows is
// traffic's part.
import { KEPT_COLUMNS } from '../traffic/ledger/causedViews.ts';
import type { TrafficQuery } from '../traffic/query.ts';
import { addDays } from '../traffic/zone.ts';
import type { Engine } from './engine.ts';
import { createRuns, firstRunAt } from './runs.ts';
import { CAUSED_VIEWS, SETTLED_DAYS } from './schema/causedViews.ts';
import type { SiteDay } from './siteDay.ts';

/** A day that may be settled. */
export interface UnsettledDay extends SiteDay {
  /** Page views of the day. */
  views: number;
}

export interface SettledDayStore {
  /**
   * Days with clicks that were not settled, or to which something came since, and those that have not ended.
   * @param range.since Earlier days are not looked at.
   * @param range.aliasesSince Epoch milliseconds: aliases that became known earlier are not looked at.
   */
  unsettled(range: { since: string; aliasesSince: number }): Promise<UnsettledDay[]>;
  /**
   * Keeps what followed the clicks of a day.
   * @param siteDay.openFrom Epoch milliseconds: what followed later clicks is not kept, and the day stays unsettled.
   * Default: all is kept.
   * @param compile The statement whose rows are kept, given the number of the run.
   * @returns false where events or reports of the day are gone: then nothing changes.
   */
  settle(
    siteDay: SiteDay & { openFrom?: number | undefined },
    now: number,
    compile: (run: number) => TrafficQuery,
  ): Promise<boolean>;
  /** Removes rows of runs that count no more. */
  removeSuperseded(now: number): Promise<void>;
}

/** What may follow the clicks of a day is of that day and the next one. */
const WITH_NEXT = 'site = {site:String} AND day IN {days:Array(Date)}';

/** By the sums of a site: they grow with each view, engaged second and click that may change what followed one. */
const COUNTED = `SELECT sum(n) AS counted FROM (
  SELECT views + engaged_seconds AS n FROM site_days WHERE ${WITH_NEXT}
  UNION ALL SELECT clicks AS n FROM ledger_totals WHERE ${WITH_NEXT})`;

/** The same number by the rows themselves. */
const STORED = `SELECT sum(n) AS counted FROM (
  SELECT countIf(action = 'pageview') + sumIf(seconds, action = 'heartbeat') AS n FROM events WHERE ${WITH_NEXT}
  UNION ALL SELECT sum(arraySum(ledger.clicks)) AS n FROM ledger WHERE ${WITH_NEXT} AND has_clicks = true)`;

/** Days with clicks whose sums are not those that they were settled by. */
const GROWN = `SELECT toString(summed.site) AS site, toString(summed.settles) AS day, summed.viewed AS views
FROM (
  SELECT site, settles, sum(n) AS counted, sumIf(views, day = settles) AS viewed FROM (
    SELECT site, day, views + engaged_seconds AS n, views, 0 AS clicks FROM site_days WHERE day >= {since:Date}
    UNION ALL SELECT site, day, clicks AS n, 0 AS views, clicks FROM ledger_totals WHERE day >= {since:Date}
  ) ARRAY JOIN [day, day - 1] AS settles
  GROUP BY site, settles HAVING sumIf(clicks, day = settles) > 0
) AS summed
LEFT JOIN (SELECT site, day, counted FROM settled_days FINAL) AS settled ON settled.site = summed.site AND settled.day = summed.settles
WHERE settled.counted != summed.counted`;

/** Settled days of a site on which pages were viewed, or clicked on, whose posts have become known since. */
const RENAMED = `SELECT {site:String} AS site, toString(settled.day) AS day, 0 AS views
FROM (SELECT day, run FROM settled_days FINAL WHERE site = {site:String} AND run < {run:UInt64}) AS settled
INNER JOIN (
  SELECT DISTINCT arrayJoin([day, day - 1]) AS settles FROM (
    SELECT day FROM post_days WHERE site = {site:String} AND day >= {since:Date} AND post IN {posts:Array(UInt64)}
    UNION ALL
    SELECT day FROM ledger_days WHERE site = {site:String} AND day >= {since:Date} AND post IN {posts:Array(UInt64)} AND clicks > 0)
) AS seen ON seen.settles = settled.day`;

const NEW_ALIASES = `SELECT toString(site) AS site, groupArray(toString(alias_post)) AS posts, max(updated_at) AS at
FROM aliases WHERE updated_at >= {since:Int64} GROUP BY site`;

export function createSettledDayStore(engine: Engine): SettledDayStore {
  const runs = createRuns(engine, {
    rows: [{ table: CAUSED_VIEWS, columns: KEPT_COLUMNS, token: 'settle' }],
    days: SETTLED_DAYS,
  });
  const count = async (sql: string, values: { site: string; days: string[] }) =>
    Number((await engine.rows<{ counted: number }>(sql, values))[0]?.counted ?? 0);

  return {
    async unsettled({ since, aliasesSince }) {
      const grown = await engine.rows<UnsettledDay>(GROWN, { since });
      const others: UnsettledDay[] = [];
      const renamed = await engine.rows<{ site: string; posts: string[]; at: number }>(NEW_ALIASES, {
        since: aliasesSince,
      });
      for (const { site, posts, at } of renamed)
        others.push(
          ...(await engine.rows<UnsettledDay>(RENAMED, {
            site,
            posts: posts.map(BigInt),
            since,
            run: firstRunAt(at + 1),
          })),
        );
      return [...new Map([...others, ...grown].map((one) => [`${one.site} ${one.day}`, one])).values()];
    },

    async settle({ site, day, openFrom = 0 }, now, compile) {
      const of = { site, days: [day, addDays(day, 1)] };
      const counted = await count(COUNTED, of);
      // Rows may be gone that were counted: then what was kept of them is better than what can be made now.
      if ((await count(STORED, of)) < counted) return false;
      const record = { counted: openFrom === 0 ? counted : 0, open_from: openFrom };
      await runs.write({ site, day }, now, (run) => [compile(run)], record);
      return true;
    },

    removeSuperseded: runs.removeSuperseded,
  };
}
