// Events of the last minutes by kind, whatever page they name: hidden pages and pages that are no posts count as well.
import type { EventKind } from '../contract/setUp.ts';
import { MINUTE } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import { Bindings } from './bindings.ts';
import type { Period } from './period.ts';
import type { TrafficQuery } from './query.ts';
import { dayOf } from './zone.ts';

export interface RecentQuestion {
  site: SiteId;
  zone: string;
  period: Period;
}

const KIND = `multiIf(action = 'pageview', 'views', action = 'heartbeat', 'heartbeats', 'other')`;

/** Rows `kind, place, events, last, page`: by minutes of the period, from 0, with time and page of the newest. */
export function compileRecent(question: RecentQuestion): TrafficQuery {
  const bind = new Bindings(question.site);
  const start = bind.add(question.period.start, 'Int64');
  const where = conditions(question, bind);
  const sql = `SELECT kind, toUInt32(intDiv(toInt64(time) - ${start}, ${MINUTE})) AS place, count() AS events,
    max(time) AS last, argMax(url, (time, url)) AS page
    FROM (SELECT ${KIND} AS kind, time, url FROM events WHERE ${where}
      UNION ALL SELECT 'lists' AS kind, time, url FROM ledger WHERE ${where})
    GROUP BY kind, place`;
  return { sql, params: bind.params };
}

/** Rows `kind, last, page`: the newest event of some kinds. */
export function compileNewest(question: RecentQuestion, kinds: readonly EventKind[]): TrafficQuery {
  const bind = new Bindings(question.site);
  const where = conditions(question, bind);
  const ofEvents = bind.add(kinds, 'Array(String)');
  const selects = [
    `SELECT ${KIND} AS kind, time, url FROM events WHERE ${where} AND kind IN ${ofEvents}`,
    ...(kinds.includes('lists') ? [`SELECT 'lists' AS kind, time, url FROM ledger WHERE ${where}`] : []),
  ];
  const sql = `SELECT kind, max(time) AS last, argMax(url, (time, url)) AS page FROM (${selects.join(' UNION ALL ')}) GROUP BY kind`;
  return { sql, params: bind.params };
}

function conditions({ site, zone, period: { start, end } }: RecentQuestion, bind: Bindings): string {
  const days = `day BETWEEN ${bind.add(dayOf(start, zone), 'Date')} AND ${bind.add(dayOf(end, zone), 'Date')}`;
  const time = `time BETWEEN ${bind.add(start, 'UInt64')} AND ${bind.add(end, 'UInt64')}`;
  return `site = ${bind.add(site, 'String')} AND ${days} AND ${time}`;
}
