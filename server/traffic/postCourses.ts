// Readers of a few known posts by interval: distinct visitors of each, counted from events.
import { Bindings } from './bindings.ts';
import type { Address } from './countPosts.ts';
import { asEdge } from './cut.ts';
import { distinctCount, PRECISION } from './distinctCount.ts';
import type { Period } from './period.ts';
import { placingOf } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { ofEvents } from './source.ts';

export interface CoursesQuestion {
  /** The whole period. */
  scope: Scope;
  /** Of the same period, shorter than days; not empty. */
  intervals: readonly Period[];
  /** Every address of the posts; not empty. */
  addresses: readonly Address[];
}

/** Rows `name, place, visitors`: the name of a post, the place of an interval, from 0, and how many read it then. */
export function compileCourses({ scope, intervals, addresses }: CoursesQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const names = [...new Set(addresses.map(({ name }) => name))];
  const keys = bind.add(
    addresses.map(({ page }) => BigInt(page)),
    'Array(UInt64)',
  );
  const owners = bind.add(
    addresses.map(({ name }) => names.indexOf(name)),
    'Array(UInt32)',
  );
  const placing = placingOf({ intervals, interval: 'minute', zone: scope.zone }, bind);
  const { edges } = asEdge(scope.period, scope.zone);
  const where = [...ofEvents(scope, bind, { edges, pages: `post IN ${keys}` }), `action = 'pageview'`, 'visitor != 0'];
  const sql = `SELECT ${bind.add(names, 'Array(String)')}[owner + 1] AS name, place, visitors FROM (
    SELECT transform(post, ${keys}, ${owners}, toUInt32(0)) AS owner, ${placing.ofEvent} AS place,
      ${distinctCount(`uniqCombined64(${PRECISION})(visitor)`, PRECISION)} AS visitors
    FROM events WHERE ${where.join(' AND ')} GROUP BY owner, place)`;
  return { sql, params: bind.params };
}
