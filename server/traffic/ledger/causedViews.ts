// What followed clicks: the view that a click caused, and the seconds its reader was engaged with that post. A click
// and what followed are of one visitor, by an id or by the hash of the day. Made from reports and events; the rows are
// those of the table `caused_views`, which keeps them of days that are over.
import { DAY } from '../../durations.ts';
import { Bindings } from '../bindings.ts';
import { asEdge } from '../cut.ts';
import { aliasRows } from '../pages.ts';
import type { TrafficQuery } from '../query.ts';
import type { Scope } from '../scope.ts';
import { ofEvents } from '../source.ts';
import { addDays, startOfDay } from '../zone.ts';
import { arrayJoinItems } from './itemArrays.ts';
import { CAUSED_WITHIN_MS, ENGAGED_WITHIN_MS } from './question.ts';

export interface Clicks {
  scope: Pick<Scope, 'site' | 'zone' | 'period'>;
  /** Only clicks of these days, which are in the period. Default: all. */
  days?: readonly DayOfClicks[] | undefined;
}

/** Clicks of a day. */
export interface DayOfClicks {
  day: string;
  /** Epoch milliseconds; 0: from the first one on. */
  from: number;
  /** Epoch milliseconds: earlier ones. Default: to the last one. */
  before?: number | undefined;
}

/** A part of the sorting key: reports without clicks are not read. */
const HAS_CLICKS = 'has_clicks = true';

/** Columns of a click, under the same names in `ledger` and in `caused_views`. */
const OF_CLICK = [
  ...['site', 'day', 'time', 'url', 'channel', 'segments', 'device'],
  ...['campaign_id', 'campaign_medium', 'campaign_source', 'campaign_content', 'campaign_term'],
  ...['list', 'slot', 'layout', 'experiment', 'variant', 'source', 'position', 'alternative', 'post'],
] as const;

/** Rows of the views that clicks caused: columns of the click, `visitor`, and `seconds`. */
export function causedViews(clicks: Clicks, bind: Bindings): string {
  const click = OF_CLICK.map((name) => `clicked.${name} AS ${name}`).join(', ');
  const isAsked =
    clicks.days === undefined ? '' : ` AND (${clicks.days.map((day) => isOfDay(day, bind)).join(' OR ')})`;
  return `SELECT ${click}, clicked.visitor AS visitor,
    arrayFirst(view -> view >= clicked.time, read.views) AS opened,
    arrayFirst(view -> view > opened, read.views) AS reopened,
    toUInt32(arraySum(beat -> if(beat.1 >= opened AND beat.1 <= opened + ${ENGAGED_WITHIN_MS} AND (reopened = 0 OR beat.1 < reopened), beat.2, 0), read.beats)) AS seconds
  FROM (${clickRows(clicks, bind)}) AS clicked
  INNER JOIN (${readingRows(clicks, bind)}) AS read ON read.visitor = clicked.visitor AND read.target = clicked.target
  WHERE opened != 0 AND opened <= clicked.time + ${CAUSED_WITHIN_MS} AND (clicked.later = 0 OR opened < clicked.later)${isAsked}`;
}

/**
 * Every click that a view may belong to, with the time of the next one by its reader on its post, or 0: a view that
 * belongs to another click is not given to one that is asked for.
 */
function clickRows(clicks: Clicks, bind: Bindings): string {
  const { scope } = clicks;
  const where = [...within(clicks, CAUSED_WITHIN_MS, bind), HAS_CLICKS, 'clicked > 0', 'visitor != 0'];
  return `SELECT *, min(time) OVER (PARTITION BY visitor, target ORDER BY time ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING) AS later
  FROM (
    SELECT ${OF_CLICK.map((name) => `item.${name} AS ${name}`).join(', ')}, item.visitor AS visitor,
      if(known.canonical_post = 0, item.post, known.canonical_post) AS target
    FROM (SELECT ${OF_CLICK.join(', ')}, visitor FROM ledger ${arrayJoinItems()} WHERE ${where.join(' AND ')}) AS item
    LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = item.post
  )`;
}

/** Views and engaged seconds of visitors with clicks, by post. */
function readingRows(clicks: Clicks, bind: Bindings): string {
  const { scope } = clicks;
  const who = [...within(clicks, CAUSED_WITHIN_MS, bind), HAS_CLICKS, 'visitor != 0'];
  const where = [
    ...within(clicks, CAUSED_WITHIN_MS + ENGAGED_WITHIN_MS, bind),
    `action IN ('pageview', 'heartbeat')`,
    `visitor IN (SELECT visitor FROM ledger WHERE ${who.join(' AND ')})`,
  ];
  return `SELECT events.visitor AS visitor, if(known.canonical_post = 0, events.post, known.canonical_post) AS target,
      arraySort(groupArrayIf(events.time, events.action = 'pageview')) AS views,
      groupArrayIf((events.time, events.seconds), events.action = 'heartbeat') AS beats
    FROM events LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = events.post
    WHERE ${where.join(' AND ')} GROUP BY visitor, target`;
}

/** Conditions on what may belong to the clicks, so much later. */
function within({ scope: { site, zone, period }, days }: Clicks, later: number, bind: Bindings): string[] {
  const scope = { site, zone, period, excluded: new Set<string>() };
  const { edges } = asEdge({ start: period.start, end: period.end + later }, zone);
  const where = ofEvents(scope, bind, { edges });
  if (days === undefined) return where;
  const all = new Set(days.flatMap(({ day }) => [day, addDays(day, 1)]));
  const first = Math.min(...days.map(({ from }) => from));
  return [
    ...where,
    `day IN ${bind.add([...all], 'Array(Date)')}`,
    ...(first > 0 ? [`time >= ${bind.add(first, 'Int64')}`] : []),
  ];
}

function isOfDay({ day, from, before }: DayOfClicks, bind: Bindings): string {
  const until = before === undefined ? '' : ` AND clicked.time < ${bind.add(before, 'Int64')}`;
  return `clicked.day = ${bind.add(day, 'Date')} AND clicked.time >= ${bind.add(from, 'Int64')}${until}`;
}

/** Columns that are kept of the views that clicks of a day caused. */
export const KEPT_COLUMNS: readonly string[] = [...OF_CLICK, 'seconds', 'run'];

/**
 * Rows of `KEPT_COLUMNS`, of a day of a site.
 * @param of.before Epoch milliseconds: only what followed earlier clicks. Default: all of the day.
 */
export function compileCausedViews({
  site,
  zone,
  day,
  before,
  run,
}: Pick<Scope, 'site' | 'zone'> & { day: string; before?: number | undefined; run: number }): TrafficQuery {
  const bind = new Bindings(site);
  // Rows keep the day that they had in an earlier zone of the site.
  const period = { start: startOfDay(day, zone) - DAY, end: startOfDay(day, zone) + 2 * DAY };
  const rows = causedViews({ scope: { site, zone, period }, days: [{ day, from: 0, before }] }, bind);
  const columns = KEPT_COLUMNS.map((name) => (name === 'run' ? `${bind.add(run, 'UInt64')} AS run` : name));
  const sql = `SELECT ${columns.join(', ')} FROM (${rows}) ORDER BY time SETTINGS join_algorithm = 'hash'`;
  return { sql, params: bind.params };
}
