// Lists that were shown, items that were seen, clicks: from sums by day for whole days, from sums by quarter of an
// hour for hours, and from the reports themselves for the edges of a period, and where a question asks for more than
// the sums know.
import { DAY, HOUR, QUARTER } from '../../durations.ts';
import type { Bindings } from '../bindings.ts';
import { asEdge, cutForSums, cutQuarters, type DayRange, type Edge, type SumCut } from '../cut.ts';
import type { SignOfEvent } from '../eventSql.ts';
import { pagesThatCount } from '../pages.ts';
import type { Period } from '../period.ts';
import { placingOf } from '../placing.ts';
import type { Scope } from '../scope.ts';
import { everywhere, inDays, ofEvents, oneReading } from '../source.ts';
import { offsetAt } from '../zone.ts';
import { arrayJoinItems, type ItemColumn } from './itemArrays.ts';
import { type FiguresQuestion, isOfItems, LIST_MEASURES, type ListFilters, type ListMeasure } from './question.ts';

/**
 * Rows `key, of_post, …measures`: some may take off what others hold too much. `of_post` is 0 where none is asked for.
 */
export function listRows(question: FiguresQuestion, bind: Bindings): string {
  const { scope } = question;
  const unit = unitOf(question);
  const cut = (unit === 'day' ? cutForSums : asEdge)(scope.period, scope.zone);
  const { days, ...read } = unit === 'quarter' ? withoutQuarters(cut, scope) : cut;
  const selects = [
    ...(days ? [dayRows(question, days, bind)] : []),
    ...(unit === 'quarter' ? cut.edges.flatMap((edge) => quarterRows(question, edge, bind)) : []),
    ...reportRows(question, bind, oneReading(read, bind)),
  ];
  return selects.length > 0
    ? selects.join('\nUNION ALL\n')
    : `SELECT ${isByTime(question) ? 'toInt64(0)' : `''`} AS key, toUInt64(0) AS of_post, ${measures({})} WHERE 0`;
}

/** What sums can answer a question: whole days, whole quarters of an hour, or none. */
function unitOf({ scope, group }: FiguresQuestion): 'day' | 'quarter' | undefined {
  if (scope.channel || scope.device || scope.facets?.length || group === 'page') return undefined;
  const interval = typeof group === 'string' ? group : group.interval;
  if (interval === 'minute') return undefined;
  if (interval !== 'hour' && interval !== 'quarter') return 'day';
  return scope.posts === undefined && scope.excluded.size === 0 ? 'quarter' : undefined;
}

function withoutQuarters({ days, edges }: SumCut, { zone }: Scope): SumCut {
  const cuts = edges.map((edge) => cutQuarters(edge, zone));
  return { days, edges: cuts.flatMap((cut) => cut.edges), surplus: cuts.flatMap((cut) => cut.surplus) };
}

/** Whether rows have a post: what is asked is listed by it, or narrowed by it. */
const hasPosts = ({ group }: FiguresQuestion): boolean =>
  group === 'post' || group === 'section' || group === 'alternative';

export const postOf = (question: FiguresQuestion): string =>
  `${hasPosts(question) ? 'post' : 'toUInt64(0)'} AS of_post`;

function dayRows(question: FiguresQuestion, days: DayRange, bind: Bindings): string {
  const { scope } = question;
  const counts = posts(question, bind);
  const table = hasPosts(question) || counts.length > 0 ? 'ledger_days' : 'ledger_totals';
  return sumRows(question, bind, {
    table,
    where: [...everywhere(scope, bind, {}), inDays(days, bind), ...counts],
    key: keyOf(question, bind),
  });
}

function quarterRows(question: FiguresQuestion, edge: Edge, bind: Bindings): string[] {
  const { scope } = question;
  const { first, last } = cutQuarters(edge, scope.zone);
  if (first > last) return [];
  const within = `quarter BETWEEN ${bind.add(first, 'UInt32')} AND ${bind.add(last, 'UInt32')}`;
  return [
    sumRows(question, bind, {
      table: 'ledger_quarters',
      where: [...everywhere(scope, bind, {}), inDays(edge, bind), within],
      key: keyOfTime(question, `toInt64(quarter) * ${QUARTER}`, bind),
    }),
  ];
}

function sumRows(
  question: FiguresQuestion,
  bind: Bindings,
  { table, where, key }: { table: string; where: readonly string[]; key: string },
): string {
  const all = [...where, ...chosen(question.filters, bind), ...(isOfItems(question) ? ['position != 0'] : [])];
  const sums = measures({ lists: 'lists', seen: 'seen', clicks: 'clicks' });
  return `SELECT ${key} AS key, ${postOf(question)}, ${sums} FROM ${table} WHERE ${all.join(' AND ')}`;
}

function reportRows(
  question: FiguresQuestion,
  bind: Bindings,
  { edges, sign }: { edges: readonly Edge[]; sign: SignOfEvent },
): string[] {
  if (edges.length === 0) return [];
  const { scope, filters } = question;
  const key = keyOf(question, bind);
  const where = [...ofEvents(scope, bind, { edges }), ...chosen(filters, bind)];
  const counts = posts(question, bind);
  const read = (from: string, expressions: Partial<Record<ListMeasure, string>>, conditions: readonly string[]) =>
    `SELECT ${key} AS key, ${postOf(question)}, ${measures(expressions, sign)} FROM ${from} WHERE ${conditions.join(' AND ')}`;
  const isOfLists = !isOfItems(question);
  // One row a report is read instead of one an item.
  if (isOfLists && counts.length === 0)
    return [
      read('ledger', { lists: 'shown', seen: 'arraySum(ledger.seen)', clicks: 'arraySum(ledger.clicks)' }, where),
    ];
  const items = `ledger ${arrayJoinItems(itemColumns(question, counts.length > 0))}`;
  return [
    read(items, { seen: 'was_seen', clicks: 'clicked' }, [...where, ...counts]),
    ...(isOfLists ? [read('ledger', { lists: '1' }, [...where, 'shown = 1'])] : []),
  ];
}

/** @param byPosts Whether some posts are asked for. */
function itemColumns(question: FiguresQuestion, byPosts: boolean): ItemColumn[] {
  const { group, filters } = question;
  return [
    ...(group === 'source' || filters.source !== undefined ? (['source'] as const) : []),
    ...(group === 'position' || filters.position !== undefined ? (['position'] as const) : []),
    ...(hasPosts(question) || byPosts ? (['post'] as const) : []),
    ...(group === 'alternative' || filters.isCompared ? (['alternative'] as const) : []),
  ];
}

/** Signed, as sums of traffic are. */
export const measures = (expressions: Partial<Record<ListMeasure, string>>, sign: SignOfEvent = ''): string =>
  LIST_MEASURES.map(
    (name) => `${expressions[name] === undefined ? '' : sign}toInt64(${expressions[name] ?? 0}) AS ${name}`,
  ).join(', ');

const posts = ({ scope }: FiguresQuestion, bind: Bindings): string[] => {
  const counts = pagesThatCount(scope, bind);
  return counts === undefined ? [] : [counts];
};

/** Conditions on lists and their items. */
export function chosen(filters: ListFilters, bind: Bindings): string[] {
  const { position, isCompared, ...names } = filters;
  const where = Object.entries(names).flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} = ${bind.add(value, 'String')}`],
  );
  if (isCompared) where.push('alternative != 0');
  return position === undefined ? where : [...where, `position = ${bind.add(position, 'UInt32')}`];
}

/** Whether keys are numbers: places of intervals, or quarters of an hour. Others are texts. */
const isByTime = ({ group }: FiguresQuestion): boolean => typeof group !== 'string' || group === 'hour';

/**
 * SQL of what figures are summed by, over a row of the ledger or of its sums by day: the name of a group, or a number
 * that stands for it. Names of posts are found later, by their keys.
 */
export function keyOf(question: FiguresQuestion, bind: Bindings): string {
  const { group, scope } = question;
  if (typeof group !== 'string') return placingOf({ ...group, zone: scope.zone }, bind).ofEvent;
  if (group === 'post' || group === 'section') return `''`;
  if (group === 'page') return 'url';
  if (group === 'hour') return keyOfTime(question, 'time', bind);
  return `toString(${group})`;
}

/** Of hours, and of intervals within days. @param instant SQL of epoch milliseconds. */
function keyOfTime({ group, scope: { zone } }: FiguresQuestion, instant: string, bind: Bindings): string {
  if (typeof group === 'string') return `intDiv(toInt64(${instant}), ${QUARTER})`;
  return placingOf({ ...group, zone }, bind).ofTime(instant);
}

const HOUR_FORMAT = `'%Y-%m-%dT%H:00'`;

/**
 * Wall-clock time in the zone of the site. An hour that is ambiguous at the end of daylight saving time has the UTC
 * offset behind its second occurrence.
 * @param instant SQL of epoch milliseconds.
 */
export function nameOfHour(instant: string, { zone, period }: Pick<Scope, 'zone' | 'period'>, bind: Bindings): string {
  const inZone = bind.add(zone, 'String');
  const written = (format: string, at = '0') =>
    `formatDateTime(fromUnixTimestamp64Milli(toInt64(${instant}) - ${at}), ${format}, ${inZone})`;
  const name = written(HOUR_FORMAT);
  if (!isSetBack(period, zone)) return name;
  const offset = written(`'%z'`);
  return `if(${name} = ${written(HOUR_FORMAT, `${HOUR}`)}, concat(${name}, left(${offset}, 3), ':', right(${offset}, 2)), ${name})`;
}

/** Whether a clock is set back within a period. */
function isSetBack({ start, end }: Period, zone: string): boolean {
  for (let at = start; at < end; at += DAY)
    if (offsetAt(Math.min(at + DAY, end), zone) < offsetAt(at, zone)) return true;
  return false;
}
