// Lists that were shown, items that were seen, clicks: from sums by day for whole days, and from the reports themselves
// for the edges of a period, and where a question asks for more than the sums know.
import type { Bindings } from '../bindings.ts';
import { asEdge, cutForSums, type DayRange, type Edge } from '../cut.ts';
import type { Sign } from '../eventSql.ts';
import { isWithinDays } from '../intervals.ts';
import { pagesThatCount } from '../pages.ts';
import { placingOf } from '../placing.ts';
import type { Scope } from '../scope.ts';
import { everywhere, inDays, ofEvents } from '../source.ts';
import { type FiguresQuestion, isOfItems, LIST_MEASURES, type ListFilters, type ListMeasure } from './question.ts';

/** The items of a report, each a row. */
export const ITEMS =
  'ARRAY JOIN sources AS source, positions AS position, posts AS post, alternatives AS alternative, ledger.seen AS was_seen, ledger.clicks AS clicked';

/** Rows `key, post, …measures`: some may take off what others hold too much. */
export function listRows(question: FiguresQuestion, bind: Bindings): string {
  const { scope, group } = question;
  const byDay = typeof group === 'string' ? group !== 'page' && group !== 'hour' : !isWithinDays(group.interval);
  const isRolled = byDay && !scope.channel && !scope.facets?.length;
  const { days, edges, surplus } = (isRolled ? cutForSums : asEdge)(scope.period, scope.zone);
  const selects = [
    ...(days ? [dayRows(question, days, bind)] : []),
    ...reportRows(question, bind, { edges, sign: '' }),
    ...reportRows(question, bind, { edges: surplus, sign: '-' }),
  ];
  return selects.length > 0
    ? selects.join('\nUNION ALL\n')
    : `SELECT '' AS key, toUInt64(0) AS post, ${measures({})} WHERE 0`;
}

function dayRows(question: FiguresQuestion, days: DayRange, bind: Bindings): string {
  const { scope, group, filters } = question;
  const counts = posts(question, bind);
  const byPost = group === 'post' || group === 'section' || group === 'alternative' || counts.length > 0;
  const where = [...everywhere(scope, bind, {}), inDays(days, bind), ...chosen(filters, bind), ...counts];
  if (isOfItems(question)) where.push('position != 0');
  const sums = measures({ lists: 'lists', seen: 'seen', clicks: 'clicks' });
  return `SELECT ${keyOf(question, bind)} AS key, ${byPost ? 'post' : 'toUInt64(0) AS post'}, ${sums}
    FROM ${byPost ? 'ledger_days' : 'ledger_totals'} WHERE ${where.join(' AND ')}`;
}

function reportRows(
  question: FiguresQuestion,
  bind: Bindings,
  { edges, sign }: { edges: readonly Edge[]; sign: Sign },
): string[] {
  if (edges.length === 0) return [];
  const { scope, filters } = question;
  const key = keyOf(question, bind);
  const where = [...ofEvents(scope, bind, { edges })];
  const items = [...where, ...chosen(filters, bind), ...posts(question, bind)];
  const ofItems = measures({ seen: 'was_seen', clicks: 'clicked' }, sign);
  const rows = `SELECT ${key} AS key, post, ${ofItems} FROM ledger ${ITEMS} WHERE ${items.join(' AND ')}`;
  if (isOfItems(question)) return [rows];
  const lists = [...where, ...chosen(filters, bind), 'shown = 1'];
  return [
    rows,
    `SELECT ${key} AS key, toUInt64(0) AS post, ${measures({ lists: '1' }, sign)} FROM ledger WHERE ${lists.join(' AND ')}`,
  ];
}

/** Signed, as sums of traffic are. */
export const measures = (of: Partial<Record<ListMeasure, string>>, sign: Sign = ''): string =>
  LIST_MEASURES.map((name) => `${of[name] === undefined ? '' : sign}toInt64(${of[name] ?? 0}) AS ${name}`).join(', ');

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

/** SQL of the name of a group, over a row of the ledger or of its sums. Of posts it is found later, by their keys. */
export function keyOf({ group, scope: { zone } }: FiguresQuestion, bind: Bindings): string {
  if (typeof group !== 'string') return `toString(${placingOf({ ...group, zone }, bind).ofEvent})`;
  if (group === 'post' || group === 'section') return `''`;
  if (group === 'page') return 'url';
  if (group === 'hour') return nameOfHour('time', { zone }, bind);
  return `toString(${group})`;
}

/** @param instant SQL of epoch milliseconds. */
export const nameOfHour = (instant: string, { zone }: Pick<Scope, 'zone'>, bind: Bindings): string =>
  `formatDateTime(fromUnixTimestamp64Milli(toInt64(${instant})), '%Y-%m-%dT%H:00', ${bind.add(zone, 'String')})`;
