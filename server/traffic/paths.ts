// From where on the site readers came to a post, and where they went from it: page views with an internal referrer. No
// roll-up has pairs of pages, so they are counted from the events of the period.
import { Bindings } from './bindings.ts';
import { asEdge } from './cut.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { ofEvents } from './source.ts';

export interface PathsQuestion {
  scope: Scope;
  /** Keys of all addresses of the post, as decimal text; not empty. */
  pages: readonly string[];
  /** `previous`: the pages that led to it; `next`: those that were opened from it. */
  direction: 'previous' | 'next';
  limit: number;
  /** Records before the first one wanted. */
  offset: number;
}

/** Rows `name, views`: canonical URLs, one more than `limit` where there are more. */
export function compilePaths({ scope, pages, direction, limit, offset }: PathsQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const keys = bind.add(
    pages.map((page) => BigInt(page)),
    'Array(UInt64)',
  );
  const [own, other, address] =
    direction === 'previous'
      ? ['events.post', 'referrer_post', 'referrer_url']
      : ['referrer_post', 'events.post', 'url'];
  const where = [
    ...ofEvents(scope, bind, asEdge(scope.period, scope.zone)),
    `action = 'pageview' AND referrer_type = 'internal'`,
    `${own} IN ${keys} AND ${other} NOT IN ${keys} AND ${other} != 0`,
  ];
  const aliases = `SELECT alias_post, canonical FROM aliases FINAL WHERE site = ${bind.add(scope.site, 'String')}`;
  const sql = `
SELECT name, sum(counted.views) AS views FROM (
  SELECT if(known.canonical = '', seen.address, known.canonical) AS name, seen.views AS views FROM (
    SELECT ${other} AS page, any(${address}) AS address, count() AS views FROM events
    WHERE ${where.join(' AND ')} GROUP BY page
  ) AS seen LEFT JOIN (${aliases}) AS known ON known.alias_post = seen.page
) AS counted
WHERE name NOT IN ${bind.add([...scope.excluded], 'Array(String)')}
GROUP BY name ORDER BY views DESC, name ASC
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}`;
  return { sql, params: bind.params };
}
