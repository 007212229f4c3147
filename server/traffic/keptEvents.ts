// From which day on the events of a site are kept: sums by day go further back.
import { Bindings } from './bindings.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';

/** Rows `day`: the first day of which single events are kept; none where there is no event. */
export function compileFirstKeptDay({ site }: Pick<Scope, 'site'>): TrafficQuery {
  const { params } = new Bindings(site);
  // In the order of the key: the first row alone is read.
  return {
    sql: 'SELECT toString(day) AS day FROM events WHERE site = {site:String} ORDER BY site, day LIMIT 1',
    params,
  };
}
