// What followed the clicks of a period: kept views of days that are settled, and reports and events of the others.
import { Bindings } from '../bindings.ts';
import { asEdge } from '../cut.ts';
import { pagesThatCount } from '../pages.ts';
import type { TrafficQuery, TrafficRow } from '../query.ts';
import type { Scope } from '../scope.ts';
import { inDays, ofEvents } from '../source.ts';
import { causedViews } from './causedViews.ts';
import { type FiguresQuestion, QUALITY_SECONDS } from './question.ts';
import { chosen, measures, postOf } from './rows.ts';

/** Days of a period that have clicks. */
export interface ClickDays {
  /** Runs that kept what followed the clicks of a day. */
  runs: readonly string[];
  /** Of which nothing is kept yet. */
  open: readonly string[];
}

/** Rows `date, run`: 0 of a day that is not settled. */
export function compileClickDays({ site, zone, period }: Pick<Scope, 'site' | 'zone' | 'period'>): TrafficQuery {
  const bind = new Bindings(site);
  const [edge] = asEdge(period, zone).edges;
  const of = `site = ${bind.add(site, 'String')} AND ${edge === undefined ? '0' : inDays(edge, bind)}`;
  const sql = `SELECT toString(clicked.day) AS date, toString(settled.run) AS run
    FROM (SELECT day FROM ledger_totals WHERE ${of} GROUP BY day HAVING sum(clicks) > 0) AS clicked
    LEFT JOIN (SELECT day, run FROM settled_days FINAL WHERE ${of}) AS settled ON settled.day = clicked.day`;
  return { sql, params: bind.params };
}

export function toClickDays(rows: readonly TrafficRow[]): ClickDays {
  const isOpen = ({ run }: TrafficRow) => run === '0';
  return {
    runs: rows.filter((row) => !isOpen(row)).map(({ run }) => String(run)),
    open: rows.filter(isOpen).map(({ date }) => String(date)),
  };
}

/** Which clicks, and the SQL of what they are counted by, over a row of the ledger. */
type ClicksQuestion = FiguresQuestion & { key: string };

/** SELECTs of rows `key, of_post, …measures` of the clicks of a period. */
export function outcomeRows(question: ClicksQuestion, { runs, open }: ClickDays, bind: Bindings): string[] {
  const { scope, filters, key } = question;
  const counts = pagesThatCount(scope, bind);
  const asked = [
    ...ofEvents(scope, bind, { edges: asEdge(scope.period, scope.zone).edges }),
    ...chosen(filters, bind),
    ...(counts === undefined ? [] : [counts]),
  ];
  const read = (from: string, where: readonly string[]) =>
    `SELECT ${key} AS key, ${postOf(question)}, ${FOLLOWED} FROM ${from} WHERE ${where.join(' AND ')}`;
  const kept = () => read('caused_views', [...asked, `run IN ${bind.add(runs.map(BigInt), 'Array(UInt64)')}`]);
  return [
    ...(runs.length === 0 ? [] : [kept()]),
    ...(open.length === 0 ? [] : [read(`(${causedViews({ scope, days: open }, bind)})`, asked)]),
  ];
}

const FOLLOWED = measures({
  quality_clicks: `seconds >= ${QUALITY_SECONDS}`,
  views_caused: '1',
  engaged_seconds: 'seconds',
});
