// Page views of a site, whatever page they are of: of the last hours by age, and of quarters of an hour long ago. For
// alarms, which ask whether the tag works and the site is read; nothing is left out of them.
import { MINUTE, QUARTER } from '../durations.ts';
import { Bindings } from './bindings.ts';
import type { Period } from './period.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { dayOf } from './zone.ts';

type Question = Pick<Scope, 'site' | 'zone' | 'period'>;

/** Rows `age, views, last`: whole minutes before the end of the period, views of that minute, time of its last view. */
export function compileViewsByAge({ site, zone, period }: Question): TrafficQuery {
  const bind = new Bindings(site);
  const { until, views } = viewsIn(period, zone, bind);
  const sql = `SELECT intDiv(${until} - toInt64(time), ${MINUTE}) AS age, count() AS views, max(time) AS last
    ${views} GROUP BY age`;
  return { sql, params: bind.params };
}

/** Row `last`: the time of the last view in the period, 0 where there is none. */
export function compileLastView({ site, zone, period }: Question): TrafficQuery {
  const bind = new Bindings(site);
  const { views } = viewsIn(period, zone, bind);
  return { sql: `SELECT max(time) AS last ${views}`, params: bind.params };
}

/** What follows the columns of a SELECT of the views of a period, and its bound end. */
function viewsIn({ start, end }: Period, zone: string, bind: Bindings): { until: string; views: string } {
  const [from, until] = [bind.add(start, 'Int64'), bind.add(end, 'Int64')];
  const days = `${bind.add(dayOf(start, zone), 'Date')} AND ${bind.add(dayOf(end, zone), 'Date')}`;
  const views = `FROM events WHERE site = {site:String} AND day BETWEEN ${days} AND action = 'pageview'
      AND time BETWEEN ${from} AND ${until}`;
  return { until, views };
}

/** Rows `quarter, views`. @param quarters Since 1970; not empty. */
export function compileQuarters(
  { site, zone }: Pick<Scope, 'site' | 'zone'>,
  quarters: readonly number[],
): TrafficQuery {
  const bind = new Bindings(site);
  const days = [...new Set(quarters.map((quarter) => dayOf(quarter * QUARTER, zone)))];
  const sql = `SELECT quarter, sum(views) AS views FROM site_quarters
    WHERE site = {site:String} AND day IN ${bind.add(days, 'Array(Date)')}
      AND quarter IN ${bind.add(quarters, 'Array(UInt32)')} GROUP BY quarter`;
  return { sql, params: bind.params };
}
