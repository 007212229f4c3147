// What was counted for a few known posts. First their addresses, then one narrow read by key: distinct visitors are
// expensive, and are asked for the records that are shown, never for a whole list.
import { Bindings } from './bindings.ts';
import { columnsOf, type Metric } from './metrics.ts';
import { addressRows } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { measureRows } from './source.ts';
import { mergedBy, pageVisitors } from './visitorSource.ts';

/**
 * Of so few pages, each thread would hold a sketch a page of its own, and bringing them together takes as long as
 * reading them.
 */
const FEW = 50;

/** A page as traffic knows it, and the record it belongs to. */
export interface Address {
  /** Key of the page, as decimal text. */
  page: string;
  /** Canonical URL, or whatever the record is named. */
  name: string;
}

/** Rows `page, name`: every address of these canonical URLs. */
export function compileAddresses(scope: Scope, urls: readonly string[]): TrafficQuery {
  const bind = new Bindings(scope.site);
  return { sql: `SELECT toString(page) AS page, name FROM (${addressRows(scope, urls, bind)})`, params: bind.params };
}

export interface CountQuestion {
  scope: Scope;
  addresses: readonly Address[];
  metrics: readonly Metric[];
}

/** Rows `name, …columns`, one for each name that had traffic, in no order. */
export function compileCounts({ scope, addresses, metrics }: CountQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const names = [...new Set(addresses.map(({ name }) => name))];
  const places = new Map(names.map((name, place) => [name, place]));
  const keys = bind.add(
    addresses.map(({ page }) => BigInt(page)),
    'Array(UInt64)',
  );
  const owners = bind.add(
    addresses.map(({ name }) => places.get(name)!),
    'Array(UInt32)',
  );
  const pages = `post IN ${keys}`;
  // A join copies every sketch: only where a page has several names, as a post by two authors.
  const single = new Set(addresses.map(({ page }) => page)).size === addresses.length;
  const owned = `(SELECT pair.1 AS post, pair.2 AS place FROM (SELECT arrayJoin(arrayZip(${keys}, ${owners})) AS pair)) AS owned`;
  const grouped = (rows: string, columns: string) =>
    single
      ? `SELECT transform(post, ${keys}, ${owners}, toUInt32(0)) AS place, ${columns} FROM (${rows}) GROUP BY place`
      : `SELECT owned.place AS place, ${columns} FROM (${rows}) AS counted INNER JOIN ${owned} ON owned.post = counted.post GROUP BY place`;
  const { measures, visitors } = columnsOf(metrics);
  const parts = [
    ...(measures.length === 0
      ? []
      : [
          {
            columns: measures as readonly string[],
            sql: grouped(
              measureRows(scope, measures, bind, { pages }),
              measures.map((name) => `sum(${name}) AS ${name}`).join(', '),
            ),
          },
        ]),
    ...visitors.map((kind) => ({
      columns: [kind] as readonly string[],
      sql: grouped(pageVisitors(scope, kind, bind, { pages }), `${mergedBy()} AS ${kind}`),
    })),
  ];
  const all = parts.flatMap(({ columns }) => columns);
  const padded = parts.map(({ columns, sql }) => {
    const selected = all.map((column) =>
      columns.includes(column) ? `toInt64(${column}) AS ${column}` : `toInt64(0) AS ${column}`,
    );
    return `SELECT place, ${selected.join(', ')} FROM (${sql})`;
  });
  const sql = `
SELECT ${bind.add(names, 'Array(String)')}[place + 1] AS name, ${all.map((column) => `sum(${column}) AS ${column}`).join(', ')}
FROM (${padded.join('\nUNION ALL\n')}) GROUP BY place${addresses.length > FEW ? '' : ' SETTINGS max_threads = 2'}`;
  return { sql, params: bind.params };
}
