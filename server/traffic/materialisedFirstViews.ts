// Visitors of busy days that are over, by the day of their first view: materialised beside the hours, so that new and
// returning visitors of a period are unions of sketches. Counted from events they take a join with the first views of
// the site.
import { Bindings } from './bindings.ts';
import { PRECISION } from './distinctCount.ts';
import { isWithinDays, type Span } from './intervals.ts';
import { headOf } from './materialisedHours.ts';
import { pagesThatCount } from './pages.ts';
import { type Period, periodOfDay } from './period.ts';
import { type Placing, placingOf } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import { ofRuns, type RunOfDay } from './runsOfDays.ts';
import type { Scope } from './scope.ts';
import { everywhere, FIRST_VIEW, inDays, ofEvents } from './source.ts';
import { areSeen, type NewOrReturning, statesByFirstView } from './visitorSource.ts';
import { addDays, dayOf, daysBetween, startOfDay } from './zone.ts';

/**
 * First views of so many days before a day are kept day by day, all earlier ones together: as many as the longest month
 * has.
 */
const DAYS_BACK = 31;

/**
 * The first views of a day are made again when the views of so many days before it have become more. Sums of days are
 * removed after 400 days, so all of them are there for a day of the last two months. For an earlier day, views that
 * come late are noticed only when they are more than those removed.
 */
export const DAYS_COMPARED = 338;

/** Columns of a row that is kept. */
export const FIRST_VIEW_COLUMNS: readonly string[] = ['site', 'day', 'run', 'first_day', 'visitors'];

/** Rows of `FIRST_VIEW_COLUMNS` of a day: one for each day on which some of its visitors were first seen. */
export function compileFirstViews(
  counted: Pick<Scope, 'site' | 'zone' | 'excluded'>,
  day: string,
  run: number,
): TrafficQuery {
  const period = periodOfDay(day, counted.zone);
  const scope: Scope = { ...counted, period, posts: {} };
  const bind = new Bindings(counted.site);
  const days = Array.from({ length: DAYS_BACK + 1 }, (_, at) => addDays(day, at - DAYS_BACK));
  const intervals = days.map((one) => periodOfDay(one, counted.zone));
  const starts = intervals.map(({ start }) => start);
  const { ofTime } = placingOf({ intervals, interval: 'day', zone: counted.zone }, bind);
  const firstDay = `arrayElement(${bind.add(starts, 'Array(UInt64)')}, ${ofTime('first')} + 1)`;
  const where = ofEvents(scope, bind, {
    edges: [{ first: day, last: day, ...period }],
    pages: pagesThatCount(scope, bind),
  });
  const views = `FROM events WHERE ${[...where, ...areSeen(scope, 'visitors', bind)].join(' AND ')}`;
  // A join without a match gives 0, as a first view of earlier days.
  const sql = `SELECT ${headOf(counted.site, day, run, bind)}, if(first < ${bind.add(starts[0]!, 'Int64')}, 0, ${firstDay}) AS first_day, uniqCombinedState(${PRECISION})(visitor) AS visitors
FROM (SELECT DISTINCT visitor ${views}) AS seen
LEFT JOIN (
  SELECT visitor, ${FIRST_VIEW} AS first FROM visitors
  WHERE site = ${bind.add(counted.site, 'String')} AND visitor IN (SELECT visitor ${views}) GROUP BY visitor
) AS known USING (visitor)
GROUP BY first_day ORDER BY first_day`;
  return { sql, params: bind.params };
}

/** Rows `date, views` of the days of a period, and of those before it that they are compared by. */
export function compileViewsByDay(scope: Scope): TrafficQuery {
  const bind = new Bindings(scope.site);
  const first = addDays(dayOf(scope.period.start, scope.zone), -DAYS_COMPARED);
  const where = [...everywhere(scope, bind, {}), inDays({ first, last: dayOf(scope.period.end, scope.zone) }, bind)];
  const sql = `SELECT toString(day) AS date, sum(views) AS views FROM site_days WHERE ${where.join(' AND ')} GROUP BY day`;
  return { sql, params: bind.params };
}

/** Of kept days those whose first views say which visitors are new in a period, and in intervals of it. */
export function daysOfFirstViews(
  days: readonly RunOfDay[],
  { interval, period, zone }: { interval: Span; period: Period; zone: string },
): readonly RunOfDay[] {
  const from = dayOf(period.start, zone);
  // Of the first day it is not known which visitors came before the period.
  if (isWithinDays(interval) || period.start !== startOfDay(from, zone)) return [];
  return days.filter(({ day }) => daysBetween(from, day) <= DAYS_BACK);
}

/** Rows of kept days as `placedByFirstView` has them. */
export function keptByFirstView(
  scope: Scope,
  days: readonly RunOfDay[],
  kinds: readonly NewOrReturning[],
  { bind, placing }: { bind: Bindings; placing: Placing },
): string {
  const start = bind.add(scope.period.start, 'UInt64');
  const states = statesByFirstView(kinds, placing, {
    isInPeriod: `first_day >= ${start}`,
    first: 'first_day',
    state: (_, condition) => `uniqCombinedMergeStateIf(${PRECISION})(visitors, ${condition})`,
  });
  return `SELECT ${[`${placing.ofDay} AS place`, ...states].join(', ')} FROM materialised_first_views
    WHERE ${[...everywhere(scope, bind, {}), ...ofRuns(days, bind)].join(' AND ')} GROUP BY place`;
}
