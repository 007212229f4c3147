// The figures of lists, compiled to one statement; and all page views beside them, of which the views that lists caused
// are a share.
import { QUARTER } from '../../durations.ts';
import { Bindings } from '../bindings.ts';
import { aliasRows, postRows } from '../pages.ts';
import type { Placing } from '../placing.ts';
import type { TrafficQuery } from '../query.ts';
import { allViewRows } from './allViews.ts';
import { type ClickDays, outcomeRows } from './outcomes.ts';
import { IN_OWN_ORDER, LIST_MEASURES, type ListsQuestion, orderOf } from './question.ts';
import { keyOf, listRows, nameOfHour } from './rows.ts';

const SUMS = LIST_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ');

/** Rows `name, …measures` in order, one more than `limit` where there are more. */
export function compileLists(question: ListsQuestion, days: ClickDays): TrafficQuery {
  const { scope, limit, offset } = question;
  const bind = new Bindings(scope.site);
  const key = keyOf(question, bind);
  const rows = [listRows(question, bind), ...outcomeRows({ ...question, key }, days, bind)].join('\nUNION ALL\n');
  const [name, from] = NAMED_LATER.has(question.group) ? ['name', named(question, rows, bind)] : ['key AS name', rows];
  const sql = `
SELECT ${name}, ${SUMS} FROM (${from})
GROUP BY name
HAVING ${LIST_MEASURES.map((name) => `${name} > 0`).join(' OR ')}
ORDER BY ${order(question)}
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}
SETTINGS join_algorithm = 'hash'`;
  return { sql, params: bind.params };
}

/**
 * Groups whose keys are summed before their names are found. Of others the key is the name, and there is one nested
 * SELECT less to plan.
 */
const NAMED_LATER: ReadonlySet<ListsQuestion['group']> = new Set(['hour', 'page', 'post', 'section', 'alternative']);

/** Rows of `NAMED_LATER`, under the names they are listed by. */
function named(question: ListsQuestion, rows: string, bind: Bindings): string {
  const { scope, group } = question;
  const columns = LIST_MEASURES.map((name) => `counted.${name} AS ${name}`).join(', ');
  const summed = `SELECT key, of_post, ${SUMS} FROM (${rows}) GROUP BY key, of_post`;
  if (group === 'page')
    return `SELECT if(known.canonical = '', counted.key, known.canonical) AS name, ${columns} FROM (${summed}) AS counted
  LEFT JOIN (SELECT alias, canonical FROM aliases FINAL WHERE site = ${bind.add(scope.site, 'String')}) AS known ON known.alias = counted.key`;
  if (group === 'hour')
    return `SELECT ${nameOfHour(`key * ${QUARTER}`, scope, bind)} AS name, ${LIST_MEASURES.join(', ')} FROM (${summed})`;
  const name = group === 'alternative' ? `concat(listed.name, ' ', counted.key)` : 'listed.name';
  return `SELECT ${name} AS name, ${columns} FROM (${summed}) AS counted
  LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = counted.of_post
  INNER JOIN (${postRows(scope, group === 'section' ? group : 'post', bind)}) AS listed ON listed.post = if(known.canonical_post = 0, counted.of_post, known.canonical_post)`;
}

function order({ group, sort }: ListsQuestion): string {
  const byName = group === 'position' ? 'toUInt32OrZero(name) ASC' : 'name ASC';
  if (sort === undefined && IN_OWN_ORDER.includes(group)) return byName;
  return `${orderOf(sort ?? 'clicks')} DESC, ${byName}`;
}

/** Rows `name, views`: by days and hours where figures are grouped by these; else one row at most. */
export function compileAllViews(question: ListsQuestion): TrafficQuery {
  const { scope, group } = question;
  const bind = new Bindings(scope.site);
  const byTime = group === 'day' || group === 'hour' ? group : undefined;
  const placing = byTime && placingByName(question, bind);
  const rows = allViewRows(scope, { placing, interval: byTime ?? 'day' }, bind);
  const sql = `SELECT ${placing ? 'place' : `''`} AS name, sum(views) AS views FROM (${rows}) GROUP BY name`;
  return { sql, params: bind.params };
}

/** By the names of the groups. */
function placingByName({ group, scope }: ListsQuestion, bind: Bindings): Placing {
  const day = 'toString(day)';
  if (group === 'day') return { ofTime: () => day, ofEvent: day, ofDay: day };
  const ofTime = (instant: string) => nameOfHour(instant, scope, bind);
  return { ofTime, ofEvent: ofTime('time') };
}
