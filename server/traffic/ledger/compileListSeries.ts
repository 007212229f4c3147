// The figures of lists by interval: their sums, what followed their clicks where that is asked for, and all page views
// beside them.
import { Bindings } from '../bindings.ts';
import type { Series } from '../intervals.ts';
import { placingOf } from '../placing.ts';
import type { TrafficQuery } from '../query.ts';
import { allViewRows } from './allViews.ts';
import { type ClickDays, outcomeRows } from './outcomes.ts';
import { type FiguresQuestion, LIST_MEASURES, type ListSeriesMetric, type TimeGroup } from './question.ts';
import { keyOf, listRows } from './rows.ts';

export interface ListSeriesQuestion extends Omit<FiguresQuestion, 'group'> {
  interval: TimeGroup['interval'];
  /** Not empty. Its period takes the place of that of the scope. */
  series: Series;
  metrics: readonly ListSeriesMetric[];
}

/** Of the reports alone: what followed a click is looked for in the events of its reader. */
const OF_REPORTS: readonly ListSeriesMetric[] = [
  ...(['lists', 'seen', 'clicks', 'click_rate', 'click_rate_low', 'click_rate_high'] as const),
];

/** Whether the question is about more than the reports themselves say. */
export const asksOutcomes = ({ metrics }: Pick<ListSeriesQuestion, 'metrics'>): boolean =>
  !metrics.every((metric) => OF_REPORTS.includes(metric));

/**
 * Statements with rows `place, …columns`: measures of lists, and where a share of them is asked for, all `views`.
 * @param days Undefined where the question does not ask for outcomes.
 */
export function compileListSeries(
  { interval, series, metrics, ...asked }: ListSeriesQuestion,
  days?: ClickDays,
): TrafficQuery[] {
  const scope = { ...asked.scope, period: series.period };
  const { intervals } = series;
  const question = { ...asked, scope, group: { interval, intervals } };
  const bind = new Bindings(scope.site);
  const rows = [
    listRows(question, bind),
    ...(days === undefined ? [] : outcomeRows({ ...question, key: keyOf(question, bind) }, days, bind)),
  ];
  const sums = LIST_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ');
  const sql = `SELECT key AS place, ${sums} FROM (${rows.join('\nUNION ALL\n')}) GROUP BY key
SETTINGS join_algorithm = 'hash'`;
  const figures = { sql, params: bind.params };
  if (!metrics.includes('recirculation')) return [figures];
  const views = new Bindings(scope.site);
  const placing = placingOf({ intervals, interval, zone: scope.zone }, views);
  const viewed = allViewRows(scope, { placing, interval }, views);
  const counted = `SELECT place, sum(views) AS views FROM (${viewed}) GROUP BY place`;
  return [figures, { sql: counted, params: views.params }];
}
