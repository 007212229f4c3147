// Materialised hours of busy days that are over: what a series of a whole site reads of them instead of sketches of
// each post and of events. They hold the pages that counted when they were made, so a day is read only while the pages
// with traffic that do not count are the same.
import type { SiteId } from '../sites/site.ts';
import { Bindings } from './bindings.ts';
import { asEdge } from './cut.ts';
import { PRECISION, PRECISION_OF_HOURS } from './distinctCount.ts';
import { ABOUT_PAGES, measureOfEvent, SEEN } from './eventSql.ts';
import { cutIntervals } from './intervals.ts';
import { ROLLED_MEASURES, type RolledMeasure } from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import { type Period, periodOfDay } from './period.ts';
import { type Placing, placingOf } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import { ofRuns, type RunOfDay } from './runsOfDays.ts';
import type { Scope } from './scope.ts';
import { everywhere, inDays, ofEvents } from './source.ts';
import { addDays } from './zone.ts';

/** Combines the keys of pages. */
const COMBINED = 'groupBitXor(sipHash64(post))';

/** SELECT of `day, uncounted`: the pages that do not count, of each day on which they had traffic. */
function uncountedByDay(scope: Scope, uncounted: readonly string[], bind: Bindings): string {
  const [edge] = asEdge(scope.period, scope.zone).edges;
  const pages = `post IN ${bind.add(uncounted.map(BigInt), 'Array(UInt64)')}`;
  const where = [...everywhere(scope, bind, {}), inDays(edge!, bind), pages].join(' AND ');
  return `SELECT day, ${COMBINED} AS uncounted FROM (SELECT DISTINCT day, post FROM post_days WHERE ${where}) GROUP BY day`;
}

/**
 * Rows `date, run`: materialised days of a period, which is not empty.
 * @param uncounted Keys of all pages that do not count.
 */
export function compileMaterialisedDays(scope: Scope, uncounted: readonly string[]): TrafficQuery {
  const bind = new Bindings(scope.site);
  const [edge] = asEdge(scope.period, scope.zone).edges;
  const kept = [...everywhere(scope, bind, {}), inDays(edge!, bind), `zone = ${bind.add(scope.zone, 'String')}`];
  const sql = `SELECT toString(kept.day) AS date, toString(kept.run) AS run
FROM (SELECT day, run, uncounted FROM materialised_days FINAL WHERE ${kept.join(' AND ')}) AS kept
LEFT JOIN (${uncountedByDay(scope, uncounted, bind)}) AS known ON known.day = kept.day
WHERE known.uncounted = kept.uncounted ORDER BY date`;
  return { sql, params: bind.params };
}

/** One of them grows with whatever comes late: the other measures are of some of these views. */
const GROWING = ROLLED_MEASURES.filter(
  (measure) => measure === 'views' || measure === 'engaged_seconds' || measure.endsWith('_interactions'),
);

/** Rows `date, uncounted, counted` of the days of a period: what is kept of a day must agree with. */
export function compileDays(scope: Scope, uncounted: readonly string[]): TrafficQuery {
  const bind = new Bindings(scope.site);
  const [edge] = asEdge(scope.period, scope.zone).edges;
  const where = [...everywhere(scope, bind, {}), inDays(edge!, bind)].join(' AND ');
  const sql = `SELECT toString(sums.day) AS date, toString(known.uncounted) AS uncounted, sums.n AS counted
FROM (SELECT day, sum(${GROWING.join(' + ')}) AS n FROM site_days WHERE ${where} GROUP BY day) AS sums
LEFT JOIN (${uncountedByDay(scope, uncounted, bind)}) AS known ON known.day = sums.day`;
  return { sql, params: bind.params };
}

/** Columns of a row that is kept. */
export const HOUR_COLUMNS: readonly string[] = [
  ...['site', 'day', 'run', 'start'],
  ...ROLLED_MEASURES,
  ...['hour_visitors', 'visitors'],
];

/** The first columns of a row that is kept: site, day and run. */
export const headOf = (site: SiteId, day: string, run: number, bind: Bindings): string =>
  `${bind.add(site, 'String')} AS of_site, ${bind.add(day, 'Date')} AS of_day, ${bind.add(run, 'UInt64')} AS run`;

/** Rows of `HOUR_COLUMNS` of a day: one each hour, and one of the day. */
export function compileHours(
  counted: Pick<Scope, 'site' | 'zone' | 'excluded'>,
  day: string,
  run: number,
): TrafficQuery {
  const period = periodOfDay(day, counted.zone);
  const scope: Scope = { ...counted, period };
  const bind = new Bindings(counted.site);
  const counts = pagesThatCount({ ...scope, posts: {} }, bind);
  const where = [...ofEvents(scope, bind, { edges: [{ first: day, last: day, ...period }] }), ABOUT_PAGES, counts];
  const { intervals } = cutIntervals(period, { interval: 'hour', zone: counted.zone });
  const { ofEvent } = placingOf({ intervals, interval: 'hour', zone: counted.zone }, bind);
  const starts = intervals.map(({ start }) => start);
  const start = `arrayElement(${bind.add(starts, 'Array(UInt64)')}, ${ofEvent} + 1)`;
  const sketch = (precision: number, isOf: string) => `uniqCombinedStateIf(${precision})(visitor, ${isOf} AND ${SEEN})`;
  const sums = ROLLED_MEASURES.map((measure) => `toUInt64(sum(is_hour * ${measure})) AS ${measure}`);
  const events = ROLLED_MEASURES.map((measure) => measureOfEvent(measure, ''));
  const sql = `SELECT ${headOf(counted.site, day, run, bind)}, begins, ${sums.join(', ')}, ${sketch(PRECISION_OF_HOURS, 'is_hour')} AS hour_visitors, ${sketch(PRECISION, 'NOT is_hour')} AS visitors
FROM (SELECT ${start} AS hour, action, visitor, ${events.join(', ')} FROM events WHERE ${where.join(' AND ')})
ARRAY JOIN [1, 0] AS is_hour, [hour, 0] AS begins
GROUP BY begins ORDER BY begins`;
  return { sql, params: bind.params };
}

/** Rows `n, misplaced`: `counted` of a day by its events, and events of an earlier zone of the site. */
export function compileEventsOf({ site, zone }: Pick<Scope, 'site' | 'zone'>, day: string): TrafficQuery {
  const bind = new Bindings(site);
  const around = { first: addDays(day, -1), last: addDays(day, 1) };
  const within = (date: string) => {
    const { start, end } = periodOfDay(date, zone);
    return `day = ${bind.add(date, 'Date')} AND time BETWEEN ${bind.add(start, 'Int64')} AND ${bind.add(end, 'Int64')}`;
  };
  const placed = [around.first, day, around.last].map((one) => `(${within(one)})`).join(' OR ');
  const events = GROWING.map((measure) => measureOfEvent(measure, ''));
  const sql = `SELECT sumIf(${GROWING.join(' + ')}, day = ${bind.add(day, 'Date')}) AS n, countIf(NOT (${placed})) AS misplaced
FROM (SELECT day, time, ${events.join(', ')} FROM events WHERE site = ${bind.add(site, 'String')} AND ${inDays(around, bind)})`;
  return { sql, params: bind.params };
}

/** Rows `place, post, …measures` of kept days. */
export function keptSums(
  scope: Scope,
  days: readonly RunOfDay[],
  measures: readonly RolledMeasure[],
  { bind, placing }: { bind: Bindings; placing: Placing },
): string {
  const sums = measures.map((measure) => `toInt64(${measure}) AS ${measure}`).join(', ');
  return `SELECT ${placing.ofTime('start')} AS place, 0 AS page, ${sums} FROM materialised_hours
    WHERE ${[...everywhere(scope, bind, {}), ...ofRuns(days, bind), 'start != 0'].join(' AND ')}`;
}

/** Rows `place, state` of kept days. */
export function keptVisitors(
  scope: Scope,
  days: readonly RunOfDay[],
  { bind, placing }: { bind: Bindings; placing: Placing },
): string {
  const [place, column, which] = placing.ofDay
    ? [placing.ofDay, 'visitors', 'start = 0']
    : [placing.ofTime('start'), 'hour_visitors', 'start != 0'];
  return `SELECT ${place} AS place, ${column} AS state FROM materialised_hours
    WHERE ${[...everywhere(scope, bind, {}), ...ofRuns(days, bind), which].join(' AND ')}`;
}

/** Of some days those that are in a period from their first to their last moment. */
export const wholeDays = <T extends { day: string }>(days: readonly T[], { start, end }: Period, zone: string): T[] =>
  days.filter(({ day }) => {
    const whole = periodOfDay(day, zone);
    return whole.start >= start && whole.end <= end;
  });

/** What is left of a period without some whole days of it, in order. */
export function withoutDays(period: Period, days: readonly { day: string }[], zone: string): Period[] {
  const rest: Period[] = [];
  let from = period.start;
  for (const whole of days.map(({ day }) => periodOfDay(day, zone)).sort((one, other) => one.start - other.start)) {
    if (whole.start > from) rest.push({ start: from, end: whole.start - 1 });
    from = whole.end + 1;
  }
  return from > period.end ? rest : [...rest, { ...period, start: from }];
}
