// Where distinct visitors come from: sketches for whole days, events for the rest. The same cut as for measures, other
// tables.
import type { Bindings } from './bindings.ts';
import { asEdge, type Cut, cutDays, cutPeriod } from './cut.ts';
import { mergedCount, PRECISION, PRECISION_OF_HOURS } from './distinctCount.ts';
import { SEEN } from './eventSql.ts';
import type { VisitorKind } from './metrics.ts';
import type { Period } from './period.ts';
import { FIRST_PLACE, type Placing } from './placing.ts';
import { isOfAllPosts, type Scope } from './scope.ts';
import {
  eventsFor,
  everywhere,
  FIRST_VIEW,
  firstViews,
  hasDays,
  inDays,
  newVisitors,
  ofEvents,
  type SourceOptions,
} from './source.ts';

/** Of the sketches that are placed: those of hours are smaller. */
const precisionOf = (placing: Placing | undefined): number =>
  placing && placing.ofDay === undefined ? PRECISION_OF_HOURS : PRECISION;

/** Distinct visitors of everything a SELECT of sketches holds. */
export const mergedBy = (placing?: Placing): string => mergedCount('state', precisionOf(placing));

/** Rows `post, state`, one page at a time; where they are placed, `place, state`. */
export function pageVisitors(scope: Scope, kind: VisitorKind, bind: Bindings, options: SourceOptions = {}): string {
  const { placing } = options;
  const rolled = kind === 'visitors' && isOfAll(scope) && hasDays(options);
  const { days, edges } = cutFor(scope, rolled);
  const selects: string[] = [];
  if (edges.length > 0) {
    const where = [...ofEvents(scope, bind, { ...options, edges }), ...areSeen(scope, kind, bind, placing)];
    const [column, group] = placing ? [`${placing.ofEvent} AS place`, 'place'] : ['post', 'post'];
    selects.push(`SELECT ${column}, uniqCombinedState(${precisionOf(placing)})(visitor) AS state FROM events
      WHERE ${where.join(' AND ')} GROUP BY ${group}`);
  }
  if (days) {
    const column = placing ? `${placing.ofDay} AS place` : 'post';
    const read = (table: string, within: string) =>
      `SELECT ${column}, visitors AS state FROM ${table} WHERE ${[...everywhere(scope, bind, options), within].join(' AND ')}`;
    // Weeks know no channels.
    const cut = scope.channel || placing ? { weeks: undefined, days: [days] } : cutDays(days);
    selects.push(...cut.days.map((range) => read('post_visitors', inDays(range, bind))));
    if (cut.weeks) selects.push(read('post_visitor_weeks', inDays(cut.weeks, bind, 'week')));
  }
  if (selects.length > 0) return selects.join('\nUNION ALL\n');
  return placing
    ? `SELECT ${FIRST_PLACE} AS place, uniqCombinedState(${precisionOf(placing)})(visitor) AS state FROM events WHERE 0 GROUP BY place`
    : 'SELECT post, visitors AS state FROM post_visitors WHERE 0';
}

/** Kinds of visitors that are distinguished by the time of their first view. */
export type NewOrReturning = Exclude<VisitorKind, 'visitors'>;

/**
 * New and returning visitors of each interval and of the whole period from one reading of the events and of the first
 * views: rows `place`, and of each kind `<kind>_state, <kind>_whole`.
 * @param options.read Parts of the period whose events are read.
 */
export function placedByFirstView(
  scope: Scope,
  kinds: readonly NewOrReturning[],
  bind: Bindings,
  { pages, placing, read }: PlacedOptions,
): string {
  const edges = read.flatMap((part) => asEdge(part, scope.zone).edges);
  const viewsOf = (some: string | undefined) =>
    [...ofEvents(scope, bind, { pages: some, edges }), ...areSeen(scope, 'visitors', bind)].join(' AND ');
  const states = statesByFirstView(kinds, placing, {
    // A join without a match gives 0: the visitor's first view is not in the period.
    isInPeriod: 'first != 0',
    first: 'first',
    state: (precision, condition) => `uniqCombinedStateIf(${precision})(visitor, ${condition})`,
  });
  const join = kinds.includes('visitors_returning') ? 'LEFT' : 'INNER';
  // Of a busy site more visitors are new in a period than are in the events of its last day, or of a filter. A
  // condition that most pages meet leaves few of them out, and takes the engine milliseconds to analyse.
  const isOfAllPages = scope.pages === undefined && isOfAllPosts(scope.posts ?? {});
  const seen = `SELECT visitor FROM events WHERE ${viewsOf(isOfAllPages ? undefined : pages)}`;
  return `SELECT ${[`${placing.ofEvent} AS place`, ...states].join(', ')}
    FROM events ${join} JOIN (SELECT visitor, ${FIRST_VIEW} AS first ${firstViews(scope, bind, seen)}) AS fresh USING (visitor)
    WHERE ${viewsOf(pages)} GROUP BY place`;
}

interface FirstViewSql {
  /** Condition: the first view is in the period. */
  isInPeriod: string;
  /** Time of the first view, or of its day. */
  first: string;
  /** Sketch of the visitors that meet a condition. */
  state(precision: number, condition: string): string;
}

/** Columns `<kind>_state, <kind>_whole` of each kind: sketches of the visitors of a place and of the whole period. */
export function statesByFirstView(
  kinds: readonly NewOrReturning[],
  placing: Placing,
  { isInPeriod, first, state }: FirstViewSql,
): string[] {
  const isInPlace = `${isInPeriod} AND ${placing.ofTime(first)} = place`;
  return kinds.flatMap((kind) => {
    const is = (condition: string) => (kind === 'visitors_new' ? condition : `NOT (${condition})`);
    return [
      `${state(precisionOf(placing), is(isInPlace))} AS ${kind}_state`,
      `${state(PRECISION, is(isInPeriod))} AS ${kind}_whole`,
    ];
  });
}

/** Merges a kind of what `placedByFirstView` reads, by grouping sets of the place; `whole` is 1 for the period. */
export const mergedByFirstView = (kind: NewOrReturning, placing: Placing): string =>
  `if(whole = 1, ${mergedCount(`${kind}_whole`, PRECISION)}, ${mergedCount(`${kind}_state`, precisionOf(placing))})`;

type PlacedOptions = Pick<SourceOptions, 'pages'> & { placing: Placing; read: readonly Period[] };

/**
 * Whether visitors are rolled up by facet. The roll-up knows no pages and no hosts: where some do not count, events
 * decide alone.
 */
export const haveFacetRollUp = (scope: Scope, kind: VisitorKind, { pages, by }: SourceOptions): boolean =>
  kind === 'visitors' && !pages && !by?.host && !scope.channel && isOfAll(scope);

/** Rows `facet, value, state`. */
export function facetVisitors(scope: Scope, kind: VisitorKind, bind: Bindings, options: SourceOptions): string {
  const { days, edges } = cutFor(scope, haveFacetRollUp(scope, kind, options));
  const selects: string[] = [];
  if (edges.length > 0) {
    const where = [...ofEvents(scope, bind, { ...options, edges }), ...areSeen(scope, kind, bind)];
    selects.push(`SELECT pair.1 AS facet, pair.2 AS value, uniqCombinedState(${PRECISION})(visitor) AS state FROM ${eventsFor(options)}
      WHERE ${where.join(' AND ')} GROUP BY facet, value`);
  }
  if (days) {
    const facets = (options.by?.facets ?? []).map((name) => `'${name}'`).join(', ');
    const where = [...everywhere(scope, bind, options), inDays(days, bind), `facet IN (${facets})`];
    if (options.by?.values) where.push(`value IN ${bind.add(options.by.values, 'Array(String)')}`);
    selects.push(`SELECT toString(facet) AS facet, toString(value) AS value, visitors AS state
      FROM facet_visitors WHERE ${where.join(' AND ')}`);
  }
  if (selects.length > 0) return selects.join('\nUNION ALL\n');
  return `SELECT '' AS facet, '' AS value, visitors AS state FROM facet_visitors WHERE 0`;
}

/** Sketches are of a page or a facet, not of a part of its visits. */
const isOfAll = ({ device, facets = [] }: Scope): boolean => device === undefined && facets.length === 0;

const cutFor = (scope: Scope, rolled: boolean): Cut =>
  rolled ? cutPeriod(scope.period, scope.zone) : asEdge(scope.period, scope.zone);

/** Conditions: views by visitors of a kind. */
export function areSeen(scope: Scope, kind: VisitorKind, bind: Bindings, placing?: Placing): string[] {
  if (kind === 'visitors') return [SEEN];
  const { key, among } = newVisitors(scope, bind, placing);
  return [SEEN, `${key} ${kind === 'visitors_new' ? 'IN' : 'NOT IN'} ${among}`];
}
