// Sums of a whole site by interval, or of one campaign, segment or referrer, from roll-ups by day and by quarter of an
// hour: some rows a day instead of some a post. They hold every page; the few that do not count (the front page, hidden
// posts, pages that are no posts) are looked up first and taken off.
import { QUARTER } from '../durations.ts';
import { Bindings } from './bindings.ts';
import { asEdge, cutForSums, cutQuarters, type DayRange, type Edge, mondayOf } from './cut.ts';
import type { Sign } from './eventSql.ts';
import type { Span } from './intervals.ts';
import { columnOf, type RolledMeasure } from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import type { Placing } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import { categoryOf, type FacetFilter, isOfAllPosts, type Scope } from './scope.ts';
import { eventRows, everywhere, inDays, rollUpHas } from './source.ts';

/** Pages that are worth taking off: more are in nearly every granule of the events. */
export const MOST_UNCOUNTED = 1_000;

/**
 * Whether totals can answer: nothing about posts is asked for, and of visits the channel or a facet that an event is
 * counted in once.
 */
export function areTotals({ channel, facets = [], pages, posts = {} }: Scope, interval: Span): boolean {
  const [facet, ...more] = facets;
  const isFacetTotal = facet === undefined || (channel === undefined && more.length === 0 && isCountedOnce(facet));
  return isFacetTotal && interval !== 'minute' && pages === undefined && isOfAllPosts(posts);
}

/** Whether roll-ups by facet count an event once: it has one referrer, and may have many segments. */
function isCountedOnce({ facets, values }: FacetFilter): boolean {
  if (facets.every((facet) => categoryOf(facet) !== undefined)) return true;
  const [facet, ...others] = facets;
  return others.length === 0 && (facet === 'segment' ? values?.length === 1 : facet !== 'channel');
}

/** Roll-ups that totals are read from: of everything, and of a facet. */
const TABLES = {
  all: { days: 'site_days', quarters: 'site_quarters', pages: 'post_days' },
  facet: { days: 'facet_totals', quarters: 'facet_quarters', pages: 'facet_days' },
} as const;

/**
 * Rows `page`: keys of pages that had traffic, or led on to another page, in the weeks of a period and do not count;
 * one more than the most.
 */
export function compileUncounted(scope: Scope): TrafficQuery {
  const bind = new Bindings(scope.site);
  const { first, last } = asEdge(scope.period, scope.zone).edges[0]!;
  const weeks = { first: mondayOf(first), last: mondayOf(last) };
  const where = [...everywhere(scope, bind, {}), inDays(weeks, bind, 'week')];
  const counts = pagesThatCount({ ...scope, posts: scope.posts ?? {} }, bind);
  const sql = `SELECT toString(post) AS page FROM (SELECT DISTINCT post FROM post_weeks WHERE ${where.join(' AND ')})
    WHERE NOT (${counts}) LIMIT ${bind.add(MOST_UNCOUNTED + 1, 'UInt32')}
    SETTINGS ${NO_PREDICATE_PUSHDOWN}`;
  return { sql, params: bind.params };
}

/** Pushed down below DISTINCT, the condition is evaluated for each row of the roll-up, of which a page has many. */
const NO_PREDICATE_PUSHDOWN = 'query_plan_filter_push_down = 0';

/** Condition on `post`. @returns undefined where no page is left out. */
export const exceptPages = (uncounted: readonly string[], bind: Bindings): string | undefined =>
  uncounted.length === 0 ? undefined : `post NOT IN ${bind.add(uncounted.map(BigInt), 'Array(UInt64)')}`;

interface TotalsOptions {
  placing: Placing;
  /** Keys of the pages that do not count. */
  uncounted: readonly string[];
}

/**
 * Rows `place, post, …measures`; rows with negative measures correct others. The period is not empty.
 * @param measures That roll-ups have for the device of the scope.
 */
export function totalRows(
  scope: Scope,
  measures: readonly RolledMeasure[],
  bind: Bindings,
  { placing, uncounted }: TotalsOptions,
): string {
  const { site, zone, period, channel, device, facets = [], excluded } = scope;
  const all: Scope = { site, zone, period, channel, device, facets, excluded };
  const tables = TABLES[facets.length === 0 ? 'all' : 'facet'];
  const off = uncounted.length === 0 ? undefined : `post IN ${bind.add(uncounted.map(BigInt), 'Array(UInt64)')}`;
  const sums = (table: string, sign: Sign) =>
    measures.map((measure) => `${sign}toInt64(${columnOf(table, measure, device)}) AS ${measure}`).join(', ');
  const read = (table: string, { sign = '' as Sign, place = '', where = [] as string[] }) =>
    `SELECT ${place} AS place, 0 AS page, ${sums(table, sign)} FROM ${table}
     WHERE ${[...everywhere(all, bind, {}), ...facets.flatMap((one) => rollUpHas(one, bind)), ...where].join(' AND ')}`;
  const ofEvents = (edge: Edge, sign: Sign, pages?: string) =>
    eventRows(all, measures, bind, { edges: [edge], sign, placing, pages });

  const dayRows = (days: DayRange, place: string): string[] => [
    read(tables.days, { place, where: [inDays(days, bind)] }),
    ...(off === undefined ? [] : [read(tables.pages, { sign: '-', place, where: [inDays(days, bind), off] })]),
  ];
  const edgeRows = (edge: Edge, sign: Sign): string[] => {
    const cut = cutQuarters(edge, zone);
    const within = `quarter BETWEEN ${bind.add(cut.first, 'UInt32')} AND ${bind.add(cut.last, 'UInt32')}`;
    const place = placing.ofDay ?? placing.ofTime(`toInt64(quarter) * ${QUARTER}`);
    return [
      ...(cut.first > cut.last ? [] : [read(tables.quarters, { sign, place, where: [inDays(edge, bind), within] })]),
      ...cut.edges.flatMap((one) => ofEvents(one, sign)),
      ...cut.surplus.flatMap((one) => ofEvents(one, negated(sign))),
      ...(off === undefined ? [] : ofEvents(edge, negated(sign), off)),
    ];
  };

  const { days, edges, surplus } = (placing.ofDay === undefined ? asEdge : cutForSums)(period, zone);
  return [
    ...(days && placing.ofDay ? dayRows(days, placing.ofDay) : []),
    ...edges.flatMap((edge) => edgeRows(edge, '')),
    ...surplus.flatMap((edge) => edgeRows(edge, '-')),
  ].join('\nUNION ALL\n');
}

const negated = (sign: Sign): Sign => (sign === '' ? '-' : '');
