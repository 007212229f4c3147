// Where counts come from: roll-ups for whole days, events for the edges of a period, and events alone where a question
// asks for more than a roll-up knows. A source is a SELECT of rows that, added up by page, are the traffic of a scope.
import type { Bindings } from './bindings.ts';
import { asEdge, cutDays, cutForSums, type DayRange, type Edge, readOf, type SumCut } from './cut.ts';
import {
  ABOUT_PAGES,
  type Among,
  actionsOf,
  countOnlyViews,
  eventHas,
  LED_ON,
  measureOfEvent,
  needsNew,
  type SignOfEvent,
  valuesOfEvent,
} from './eventSql.ts';
import { columnOf, isRolledFor, type Measure, type RolledMeasure } from './metrics.ts';
import { FIRST_PLACE, type Placing } from './placing.ts';
import type { Facet, FacetFilter, Scope } from './scope.ts';

export interface SourceOptions {
  /** Splits the traffic: columns `facet` and `value` in front, a row for each value an event has. */
  by?: FacetFilter | undefined;
  /** SQL condition on `post`, for reading a few pages only. */
  pages?: string | undefined;
  /** Splits the traffic by time: a column `place` in front. */
  placing?: Placing | undefined;
}

/**
 * Rows `[facet, value,] [place,] post, …measures`, of which some may take off what others hold too much. Signed,
 * because an event can be seen a moment before its roll-up: one too few is put right by the next question, a number
 * below zero without a sign is not.
 */
export function measureRows(
  scope: Scope,
  measures: readonly Measure[],
  bind: Bindings,
  options: SourceOptions = {},
): string {
  const [narrow] = facetsOf(scope, options);
  const rolled = haveRollUp(scope, measures, options);
  const { days, ...read } = (rolled ? cutForSums : asEdge)(scope.period, scope.zone);
  const selects = eventRows(scope, measures, bind, { ...options, ...oneReading(read, bind) });
  if (days) selects.push(...dayRows(scope, measures, bind, { ...options, days, narrow }));
  return selects.length > 0 ? selects.join('\nUNION ALL\n') : noRows(measures, options);
}

/** Whether a roll-up has all of some measures; else they are counted from events alone. */
export function haveRollUp(scope: Scope, measures: readonly Measure[], options: SourceOptions): boolean {
  const [narrow, ...more] = facetsOf(scope, options);
  return hasDays(options) && more.length === 0 && measures.every((measure) => isRolled(measure, scope, narrow));
}

/** Facets that traffic is narrowed to or split by. */
const facetsOf = ({ facets = [] }: Scope, { by }: SourceOptions): FacetFilter[] => [...facets, ...(by ? [by] : [])];

/** Whether a roll-up by day can be placed: whole days are in one place each. */
export const hasDays = ({ placing }: SourceOptions): boolean => placing === undefined || placing.ofDay !== undefined;

/**
 * Which pages lead on is rolled up by page and channel; which views came from social networks or search engines, by
 * referrer too; which visitors are new depends on the period.
 */
function isRolled(measure: Measure, { device }: Scope, narrow: FacetFilter | undefined): boolean {
  if (isRolledFor(measure, device)) return true;
  if (device !== undefined) return false;
  const byPage = narrow === undefined || narrow.facets[0] === 'channel';
  if (measure === 'recirculated') return byPage;
  return isByReferrer(measure) && (byPage || narrow.facets[0].startsWith('referrer_'));
}

function dayRows(
  scope: Scope,
  measures: readonly Measure[],
  bind: Bindings,
  options: SourceOptions & { days: DayRange; narrow: FacetFilter | undefined },
): string[] {
  const { narrow, by, pages, placing } = options;
  const byChannel = narrow?.facets[0] === 'channel';
  const facet = byChannel ? `'channel'` : 'toString(facet)';
  const value = byChannel ? 'toString(channel)' : 'toString(value)';
  const where = everywhere(scope, bind, options);
  const sums = (table: string) =>
    measures.map(
      (measure) =>
        `toInt64(${isByReferrer(measure) ? viewsReferred(measure, narrow) : columnOf(table, measure as RolledMeasure, scope.device)}) AS ${measure}`,
    );
  if (narrow) where.push(...(byChannel ? hasValue(narrow, value, bind) : rollUpHas(narrow, bind)));
  const split = [
    ...(by ? [`${facet} AS facet`, `${value} AS value`] : []),
    ...(placing ? [`${placing.ofDay} AS place`] : []),
  ];
  const read = (table: string, columns: readonly string[], within: string) =>
    `SELECT ${[...split, ...columns].join(', ')} FROM ${table} WHERE ${[...where, within].join(' AND ')}`;

  if (narrow && !byChannel) {
    // A list of everything there is does not ask for pages.
    const total = by !== undefined && !pages && !scope.channel;
    const table = total ? 'facet_totals' : 'facet_days';
    const columns = [total ? 'toUInt64(0) AS post' : 'post', ...sums(table)];
    return [read(table, columns, inDays(options.days, bind))];
  }
  // Weeks may be longer than what is counted in one place.
  const { weeks, days } = placing ? { weeks: undefined, days: [options.days] } : cutDays(options.days);
  return [
    ...measures
      .filter(isByReferrer)
      .map((measure) =>
        read('facet_days', ['post', ...viewsAs(measure, measures)], daysReferred(measure, options.days, bind)),
      ),
    ...days.map((range) => read('post_days', ['post', ...sums('post_days')], inDays(range, bind))),
    ...(weeks ? [read('post_weeks', ['post', ...sums('post_weeks')], inDays(weeks, bind, 'week'))] : []),
  ];
}

/** Views from one type of referrer: the roll-up by referrer has them, roll-ups of pages have no column of them. */
const BY_REFERRER = { social_referrals: 'referrer_social', search_refs: 'referrer_search' } as const satisfies Partial<
  Record<Measure, Facet>
>;

type ByReferrer = keyof typeof BY_REFERRER;

const isByReferrer = (measure: Measure): measure is ByReferrer => Object.hasOwn(BY_REFERRER, measure);

/** A column of a roll-up by referrer; to roll-ups of pages, `viewsAs` are added. */
const viewsReferred = (measure: ByReferrer, narrow: FacetFilter | undefined): string =>
  narrow?.facets[0].startsWith('referrer_') ? `if(facet = '${BY_REFERRER[measure]}', views, 0)` : '0';

/** Of the roll-up by referrer the views, as one measure, and nothing else of it. */
const viewsAs = (as: ByReferrer, measures: readonly Measure[]): string[] =>
  measures.map((measure) => `toInt64(${measure === as ? 'facet_days.views' : '0'}) AS ${measure}`);

/** The column, not the `facet` that a list is split by. */
const daysReferred = (measure: ByReferrer, days: DayRange, bind: Bindings): string =>
  `facet_days.facet = '${BY_REFERRER[measure]}' AND ${inDays(days, bind)}`;

/**
 * Edges that are added and edges that are taken off as one reading, with a sign that depends on the time. The engine
 * takes milliseconds to analyse each SELECT of a statement, longer than to read the events of most edges.
 */
export function oneReading(
  { edges, surplus }: Pick<SumCut, 'edges' | 'surplus'>,
  bind: Bindings,
): { edges: Edge[]; sign: SignOfEvent } {
  if (surplus.length === 0) return { edges, sign: '' };
  if (edges.length === 0) return { edges: surplus, sign: '-' };
  const within = surplus.map(
    ({ start, end }) => `time BETWEEN ${bind.add(start, 'Int64')} AND ${bind.add(end, 'Int64')}`,
  );
  return { edges: [...edges, ...surplus], sign: `if(${within.join(' OR ')}, -1, 1) * ` };
}

/** Rows as `measureRows`, of events alone. */
export function eventRows(
  scope: Scope,
  measures: readonly Measure[],
  bind: Bindings,
  options: SourceOptions & { edges: readonly Edge[]; sign: SignOfEvent },
): string[] {
  if (options.edges.length === 0) return [];
  const where = ofEvents(scope, bind, options);
  const split = [
    ...(options.by ? ['pair.1 AS facet', 'pair.2 AS value'] : []),
    ...(options.placing ? [`${options.placing.ofEvent} AS place`] : []),
  ];
  const fresh = needsNew(measures) ? newVisitors(scope, bind, options.placing) : undefined;
  const isNew = fresh ? `WITH ${fresh.key} IN ${fresh.among} AS is_new ` : '';
  // A list has the posts of every event, with zeros; of a place only the sums are asked for.
  const about = options.placing ? actionsOf(measures) : ABOUT_PAGES;
  const areViews = options.placing !== undefined && countOnlyViews(measures);
  const counted = [...split, 'post', ...measures.map((measure) => measureOfEvent(measure, options.sign, areViews))];
  const views = `${isNew}SELECT ${counted.join(', ')} FROM ${eventsFor(options)} WHERE ${[...where, about].join(' AND ')}`;
  if (!measures.includes('recirculated')) return [views];
  const led = measures.map((measure) => `${options.sign}toInt64(${measure === 'recirculated' ? 1 : 0}) AS ${measure}`);
  // `post` is the referring page here, in the conditions too; the page that was opened is `events.post`.
  const columns = [...split, 'referrer_post AS post', ...led];
  return [views, `SELECT ${columns.join(', ')} FROM ${eventsFor(options)} WHERE ${[...where, LED_ON].join(' AND ')}`];
}

/** The table of events, split into a row for every value of a facet where that is asked. */
export const eventsFor = ({ by }: SourceOptions) =>
  by ? `events ARRAY JOIN ${valuesOfEvent(by.facets)} AS pair` : 'events';

export function ofEvents(scope: Scope, bind: Bindings, options: SourceOptions & { edges: readonly Edge[] }): string[] {
  const { edges, by } = options;
  const within = edges.map(
    (edge) =>
      `(${inDays(edge, bind)} AND time BETWEEN ${bind.add(edge.start, 'Int64')} AND ${bind.add(edge.end, 'Int64')})`,
  );
  const where = [...everywhere(scope, bind, options), `(${within.join(' OR ') || '0'})`];
  if (scope.device) where.push(`device = ${bind.add(scope.device, 'String')}`);
  for (const filter of scope.facets ?? []) where.push(eventHas(filter.facets, amongOf(filter, bind)));
  const among = by && amongOf(by, bind);
  if (among) where.push(among.ofReferrer('pair.2', 'referrer_host'));
  return where;
}

/** The values of a filter, bound; undefined where it takes any. */
function amongOf({ values, host }: FacetFilter, bind: Bindings): Among | undefined {
  if (values === undefined) return undefined;
  const bound = bind.add(values, 'Array(String)');
  // One value is looked for in less time than several.
  const inArray = (column: string) =>
    values.length === 1 ? `has(${column}, ${bound}[1])` : `hasAny(${column}, ${bound})`;
  if (host === undefined) return { values: bound, inArray, ofReferrer: (name) => `${name} IN ${bound}` };
  const is = bind.add(host.is, 'String');
  const former = bind.add(host.formerNames, 'Array(String)');
  return {
    values: bound,
    inArray,
    ofReferrer: (name, at) => `(${name} IN ${bound} OR ${at} = ${is} OR (${at} = '' AND ${name} IN ${former}))`,
  };
}

/** Conditions on a row of a roll-up by facet: as `eventHas` of an event. */
export const rollUpHas = (filter: FacetFilter, bind: Bindings): string[] => [
  `facet IN (${filter.facets.map((name) => `'${name}'`).join(', ')})`,
  ...hasValue(filter, 'toString(value)', bind),
];

function hasValue(filter: FacetFilter, value: string, bind: Bindings): string[] {
  const among = amongOf(filter, bind);
  return among ? [among.ofReferrer(value, 'host')] : [];
}

/** Conditions every table of traffic understands. */
export function everywhere(scope: Scope, bind: Bindings, { pages }: SourceOptions): string[] {
  const where = [`site = ${bind.add(scope.site, 'String')}`];
  if (scope.channel) where.push(`channel = ${bind.add(scope.channel, 'String')}`);
  if (pages) where.push(pages);
  return where;
}

export const inDays = ({ first, last }: DayRange, bind: Bindings, column = 'day') =>
  `${column} BETWEEN ${bind.add(first, 'Date')} AND ${bind.add(last, 'Date')}`;

/**
 * Visitors first seen on the site within the period; where placed, in the place of the event. `key` of an event is
 * compared with `among`.
 */
export function newVisitors(scope: Scope, bind: Bindings, placing?: Placing): { key: string; among: string } {
  const [key, columns] = placing
    ? [`(visitor, ${placing.ofEvent})`, `visitor, ${placing.ofTime(FIRST_VIEW)}`]
    : ['visitor', 'visitor'];
  return { key, among: `(SELECT ${columns} ${firstViews(scope, bind)})` };
}

/**
 * Visitors whose first view of the site is in the period, one by one: what follows the columns of a SELECT. Most
 * visitors have one row: those that may be among them are looked up first, and few are grouped.
 * @param seen SELECT of the visitors that are asked about. Default: all with a row in the period.
 */
export function firstViews({ site, period, zone }: Scope, bind: Bindings, seen?: string): string {
  const { start, end } = readOf(period, zone);
  const ofSite = `FROM visitors WHERE site = ${bind.add(site, 'String')}`;
  const from = bind.add(start, 'Int64');
  const among = seen ?? `SELECT visitor ${ofSite} AND first_view BETWEEN ${from} AND ${bind.add(end, 'Int64')}`;
  return `${ofSite} AND visitor IN (${among}) GROUP BY visitor HAVING ${FIRST_VIEW} >= ${from}`;
}

/** SQL of when a visitor was first seen, of the rows of that visitor. */
export const FIRST_VIEW = 'min(first_view)';

/** A source without rows, with the columns of one. */
function noRows(measures: readonly Measure[], { by, placing }: SourceOptions): string {
  const columns = [
    ...(placing ? [`${FIRST_PLACE} AS place`] : []),
    'toUInt64(0) AS post',
    ...measures.map((name) => `toInt64(0) AS ${name}`),
  ];
  return `SELECT ${by ? `'' AS facet, '' AS value, ` : ''}${columns.join(', ')} WHERE 0`;
}
