// Removal of a site's oldest days: its events, what pages reported of their lists, and the sketches of visitors, which
// all hold hashes of readers; the views that single clicks caused; and sums by quarter of an hour, which mean nothing
// without the events. Sums by day stay as long as their tables keep them, and so does the time of each visitor's first
// view, or every reader would be new again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { LOOK_MS, openMutations } from './openMutations.ts';
import { CAUSED_VIEWS } from './schema/causedViews.ts';
import { EVENTS } from './schema/events.ts';
import { LEDGER, LEDGER_QUARTERS } from './schema/ledger.ts';
import { FACET_QUARTERS, SITE_QUARTERS } from './schema/quarters.ts';
import { SCHEMA } from './schema/schema.ts';
import { hasSketches } from './schema/table.ts';
import type { SiteDay } from './siteDay.ts';

export interface RetentionStore {
  /** Tables that lose rows by it. */
  readonly tables: readonly string[];
  /** The newest day of all events; undefined where there is none. From the heads of parts. */
  newestDay(): Promise<string | undefined>;
  /** Events stored of one day of each site, by Site ID. */
  eventsOn(days: readonly SiteDay[]): Promise<Map<string, number>>;
  /** Days that have events, the oldest first. */
  days(site: SiteId): Promise<{ day: string; events: number }[]>;
  /**
   * Removes the events of each site before its day, and what holds readers of those days. Sums by day stay.
   * @param stop Once it is aborted, nothing more is begun, and what is under way is not waited for.
   * @returns How many events, by Site ID; a site that had none, or whose removal was not waited for, is not in it.
   */
  removeBefore(days: readonly SiteDay[], stop?: AbortSignal): Promise<Map<string, number>>;
}

/** Each with the last day that a row of it is about. */
const LAST_DAYS: Readonly<Record<string, string>> = Object.fromEntries(
  // The week that the first kept day is in stays whole: up to six days longer.
  [
    ...SCHEMA.tables.filter(hasSketches),
    ...[SITE_QUARTERS, FACET_QUARTERS, LEDGER_QUARTERS],
    ...[CAUSED_VIEWS, LEDGER, EVENTS],
  ].map(({ name, period }) => [name, period === 'week' ? 'addDays(week, 6)' : 'day']),
);

/** Sites of one statement. */
const SITES_AT_ONCE = 200;

export function createRetentionStore(engine: Engine): RetentionStore {
  return {
    tables: Object.keys(LAST_DAYS),

    async newestDay() {
      const [row] = await engine.rows<{ newest: string; events: number }>(
        'SELECT toString(max(day)) AS newest, count() AS events FROM events',
      );
      return row === undefined || Number(row.events) === 0 ? undefined : row.newest;
    },

    async eventsOn(days) {
      const asked = new Map<string, string>(days.map(({ site, day }) => [site, day]));
      // Time zones make two or three days of it: the primary key finds them for all sites at once.
      const rows = await engine.rows<{ name: string; date: string; events: number }>(
        `SELECT toString(site) AS name, toString(day) AS date, count() AS events FROM events
         WHERE site IN {sites:Array(String)} AND day IN {days:Array(Date)} GROUP BY name, date`,
        { sites: [...asked.keys()], days: [...new Set(asked.values())] },
      );
      const ofDay = rows.filter(({ name, date }) => asked.get(name) === date);
      return new Map(ofDay.map(({ name, events }) => [name, Number(events)]));
    },

    async days(site) {
      const rows = await engine.rows<{ date: string; events: number }>(
        'SELECT toString(day) AS date, count() AS events FROM events WHERE site = {site:String} GROUP BY date ORDER BY date',
        { site },
      );
      return rows.map(({ date, events }) => ({ day: date, events: Number(events) }));
    },

    async removeBefore(days, stop) {
      const removed = new Map<string, number>();
      for (const some of slices(days)) {
        // Each table is asked: of a site without events since, a week, or reports of a day without views, leave later.
        for (const [table, last] of Object.entries(LAST_DAYS)) {
          const { where, params } = olderThan(some, last);
          const sql = `SELECT toString(site) AS name, count() AS number FROM ${table} WHERE ${where} GROUP BY name`;
          const found = await engine.rows<{ name: string; number: number }>(sql, params);
          const stale = some.filter(({ site }) => found.some(({ name }) => name === site));
          if (stale.length === 0) continue;
          const condition = olderThan(stale, last);
          // One statement for all sites: each rewrites the parts it finds rows in.
          await removeRows(engine, { table, ...condition }, stop);
          if (stop?.aborted) return removed;
          if (table === EVENTS.name) for (const { name, number } of found) removed.set(name, Number(number));
        }
      }
      return removed;
    },
  };
}

/**
 * Removes rows of a table, and waits until they have left or the server stops: a large table takes minutes. The
 * database continues by itself, also after it was closed and opened again.
 * @throws {Error} Where the database cannot rewrite the table.
 */
export async function removeRows(
  engine: Engine,
  { table, where, params }: { table: string; where: string; params: Record<string, string> },
  stop: AbortSignal | undefined,
): Promise<void> {
  await engine.command(`ALTER TABLE ${table} DELETE WHERE ${where} SETTINGS mutations_sync = 0`, params);
  for (let pause: number = LOOK_MS[0]; ; pause = Math.min(2 * pause, LOOK_MS[1])) {
    const open = await openMutations(engine, table);
    const failure = open.find((why) => why !== '');
    if (failure !== undefined) throw new Error(`Old rows of ${table} could not be removed: ${failure}`);
    if (open.length === 0 || stop?.aborted) return;
    await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
  }
}

function* slices(days: readonly SiteDay[]): Iterable<readonly SiteDay[]> {
  for (let at = 0; at < days.length; at += SITES_AT_ONCE) yield days.slice(at, at + SITES_AT_ONCE);
}

/** Rows of any of some sites whose column is before that site's day. */
function olderThan(days: readonly SiteDay[], column: string) {
  const params: Record<string, string> = {};
  const where = days.map(({ site, day }, at) => {
    params[`site${at}`] = site;
    params[`day${at}`] = day;
    return `(site = {site${at}:String} AND ${column} < {day${at}:Date})`;
  });
  return { where: where.join(' OR '), params };
}
