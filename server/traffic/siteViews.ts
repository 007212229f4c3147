// Page views of a site, whatever page they are of: of the last hours by age, and of quarters of an hour long ago. For
// alarms, which ask whether the tag works and the site is read; nothing is left out of them.
import { Bindings } from './bindings.ts';
import type { Period } from './period.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { dayOf, MINUTE, QUARTER } from './zone.ts';

/** Rows `age, views, last`: whole minutes before the end of the period, views of that minute, time of its last view. */
export function compileViewsByAge({ site, zone, period }: Pick<Scope, 'site' | 'zone' | 'period'>): TrafficQuery {
  const bind = new Bindings(site);
  const { start, end }: Period = period;
  const [from, until] = [bind.add(start, 'Int64'), bind.add(end, 'Int64')];
  const days = `${bind.add(dayOf(start, zone), 'Date')} AND ${bind.add(dayOf(end, zone), 'Date')}`;
  const sql = `SELECT intDiv(${until} - toInt64(time), ${MINUTE}) AS age, count() AS views, max(time) AS last
    FROM events WHERE site = {site:String} AND day BETWEEN ${days} AND action = 'pageview'
      AND time BETWEEN ${from} AND ${until} GROUP BY age`;
  return { sql, params: bind.params };
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
