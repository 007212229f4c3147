// Page views by the kind of their source and by quarter of an hour: from the roll-up of referrers, or from events where
// some of its traffic does not count.
import { QUARTER } from '../durations.ts';
import { Bindings } from './bindings.ts';
import { asEdge } from './cut.ts';
import { pagesThatCount } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import { REFERRER_FACETS, type Scope } from './scope.ts';
import { everywhere, inDays, ofEvents, rollUpHas } from './source.ts';

/** Rows `facet, quarter, views`: a facet of referrers, and quarters since 1970. The period is not empty. */
export function compileSourceViews(scope: Scope): TrafficQuery {
  const bind = new Bindings(scope.site);
  const rows = isRolled(scope) ? rollUpRows(scope, bind) : eventRows(scope, bind);
  return { sql: `SELECT facet, quarter, sum(n) AS views FROM (${rows}) GROUP BY facet, quarter`, params: bind.params };
}

/** The roll-up knows no pages, and whole quarters. */
const isRolled = ({ posts, pages, excluded, period: { start, end } }: Scope): boolean =>
  posts === undefined &&
  pages === undefined &&
  excluded.size === 0 &&
  start % QUARTER === 0 &&
  (end + 1) % QUARTER === 0;

function rollUpRows(scope: Scope, bind: Bindings): string {
  const { start, end } = scope.period;
  const [first, last] = [start / QUARTER, (end + 1) / QUARTER - 1].map((one) => bind.add(one, 'UInt32'));
  const where = [
    ...everywhere(scope, bind, {}),
    ...rollUpHas({ facets: REFERRER_FACETS }, bind),
    ...asEdge(scope.period, scope.zone).edges.map((edge) => inDays(edge, bind)),
    `quarter BETWEEN ${first} AND ${last}`,
  ];
  return `SELECT toString(facet) AS facet, quarter, views AS n FROM facet_quarters WHERE ${where.join(' AND ')}`;
}

function eventRows(scope: Scope, bind: Bindings): string {
  const { edges } = asEdge(scope.period, scope.zone);
  const where = [...ofEvents(scope, bind, { edges, pages: pagesThatCount(scope, bind) }), `action = 'pageview'`];
  return `SELECT concat('referrer_', toString(referrer_type)) AS facet, toUInt32(intDiv(time, ${QUARTER})) AS quarter,
    toUInt64(1) AS n FROM events WHERE ${where.join(' AND ')}`;
}
