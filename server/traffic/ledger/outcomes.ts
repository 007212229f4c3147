// What followed the clicks of a period: kept views of days that are settled, wholly or up to some moment, and reports
// and events of the others.
import { Bindings } from '../bindings.ts';
import { asEdge } from '../cut.ts';
import { pagesThatCount } from '../pages.ts';
import type { TrafficQuery, TrafficRow } from '../query.ts';
import { ofRuns, type RunOfDay } from '../runsOfDays.ts';
import type { Scope } from '../scope.ts';
import { inDays, ofEvents } from '../source.ts';
import { causedViews, type DayOfClicks } from './causedViews.ts';
import { type FiguresQuestion, QUALITY_SECONDS } from './question.ts';
import { chosen, measures, postOf } from './rows.ts';

/** Days of a period that have clicks. */
export interface ClickDays {
  /** Of which what followed the clicks is kept. */
  kept: readonly RunOfDay[];
  /** Clicks of which nothing is kept yet. */
  open: readonly DayOfClicks[];
}

/** Rows `date, run, open_from`: zeros of a day that is not settled. */
export function compileClickDays({ site, zone, period }: Pick<Scope, 'site' | 'zone' | 'period'>): TrafficQuery {
  const bind = new Bindings(site);
  const [edge] = asEdge(period, zone).edges;
  const of = `site = ${bind.add(site, 'String')} AND ${edge === undefined ? '0' : inDays(edge, bind)}`;
  const sql = `SELECT toString(clicked.day) AS date, toString(settled.run) AS run, settled.open_from AS open_from
    FROM (SELECT day FROM ledger_totals WHERE ${of} GROUP BY day HAVING sum(clicks) > 0) AS clicked
    LEFT JOIN (SELECT day, run, open_from FROM settled_days FINAL WHERE ${of}) AS settled ON settled.day = clicked.day`;
  return { sql, params: bind.params };
}

export function toClickDays(rows: readonly TrafficRow[]): ClickDays {
  const open = rows.filter(({ run, open_from }) => run === '0' || Number(open_from) > 0);
  return {
    kept: rows.filter(({ run }) => run !== '0').map(({ date, run }) => ({ day: String(date), run: String(run) })),
    open: open.map(({ date, open_from }) => ({ day: String(date), from: Number(open_from) })),
  };
}

/** Which clicks, and the SQL of what they are counted by, over a row of the ledger. */
type ClicksQuestion = FiguresQuestion & { key: string };

/** SELECTs of rows `key, of_post, …measures` of the clicks of a period. */
export function outcomeRows(question: ClicksQuestion, { kept, open }: ClickDays, bind: Bindings): string[] {
  const { scope, filters, key } = question;
  const counts = pagesThatCount(scope, bind);
  const asked = [
    ...ofEvents(scope, bind, { edges: asEdge(scope.period, scope.zone).edges }),
    ...chosen(filters, bind),
    ...(counts === undefined ? [] : [counts]),
  ];
  const read = (from: string, where: readonly string[]) =>
    `SELECT ${key} AS key, ${postOf(question)}, ${FOLLOWED} FROM ${from} WHERE ${where.join(' AND ')}`;
  return [
    ...(kept.length === 0 ? [] : [read('caused_views', [...asked, ...ofRuns(kept, bind)])]),
    ...(open.length === 0 ? [] : [read(`(${causedViews({ scope, days: open }, bind)})`, asked)]),
  ];
}

const FOLLOWED = measures({
  quality_clicks: `seconds >= ${QUALITY_SECONDS}`,
  views_caused: '1',
  engaged_seconds: 'seconds',
});
