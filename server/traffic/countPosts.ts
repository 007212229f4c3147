// What was counted for some known posts, all their addresses together, whether they had traffic or not.
import { Bindings } from './bindings.ts';
import { columnsOf, type Metric } from './metrics.ts';
import { aliasRows, pagesOf } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { measureRows } from './source.ts';
import { MERGED, pageVisitors } from './visitorSource.ts';

export interface CountQuestion {
  scope: Scope;
  /** Canonical URLs. */
  urls: readonly string[];
  metrics: readonly Metric[];
}

/** Rows `name, …columns`, one for each URL, in no order. */
export function compileCountPosts({ scope, urls, metrics }: CountQuestion): TrafficQuery {
  const bind = new Bindings();
  const pages = pagesOf(scope, urls, bind);
  const { measures, visitors } = columnsOf(metrics);
  const canonical = (rows: string, columns: string) =>
    `SELECT if(known.canonical_post = 0, counted.post, known.canonical_post) AS page, ${columns} FROM (${rows}) AS counted
    LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = counted.post GROUP BY page`;
  const sums = measures.map((measure) => `sum(${measure}) AS ${measure}`);
  const joins = [
    ...(measures.length === 0
      ? []
      : [
          {
            name: 'measured',
            columns: measures,
            sql: canonical(measureRows(scope, measures, bind, { pages }), sums.join(', ')),
          },
        ]),
    ...visitors.map((kind) => ({
      name: `of_${kind}`,
      columns: [kind],
      sql: canonical(pageVisitors(scope, kind, bind, { pages }), `${MERGED} AS ${kind}`),
    })),
  ];
  const columns = joins.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column} AS ${column}`));
  const sql = `
SELECT wanted.name AS name, ${columns.join(', ')}
FROM (SELECT arrayJoin(${bind.add(urls, 'Array(String)')}) AS name) AS wanted
${joins.map(({ name, sql }) => `LEFT JOIN (${sql}) AS ${name} ON ${name}.page = sipHash64(wanted.name)`).join('\n')}`;
  return { sql, params: bind.params };
}
