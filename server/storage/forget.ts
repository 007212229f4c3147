// Erases one visitor: page views stay counted without a visitor, sketches are made again without the visitor, and the
// profile is removed. No sum holds the hash of a visitor, so nothing else changes.
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { EVENTS } from './schema/events.ts';
import { MATERIALISED_DAYS } from './schema/materialisedHours.ts';
import { SCHEMA } from './schema/schema.ts';
import { hasSketches, type View } from './schema/table.ts';

export interface VisitorStore {
  /**
   * Erases a visitor of a site from events and profiles, and makes distinct counts again without them.
   * @param reader.visitor Hash of the visitor id, as stored with events.
   * @returns How many events were theirs, and how many pages their profile held.
   */
  forget(site: SiteId, reader: { visitor: string; uuid: string }): Promise<{ events: number; visits: number }>;
}

const THEIRS = 'site = {site:String} AND visitor = {visitor:UInt64}';
/** By a hash of the id: the engine keeps the text of a deletion on the disk long after it. */
const THEIR_PROFILE = 'site = {site:String} AND sipHash64(uuid) = {profile:UInt64}';
const TOUCHED_DAYS = 'day IN {days:Array(Date)}';
/** A week is named by its Monday. */
const TOUCHED_WEEKS = (monday: string) => `has(arrayMap(date -> toMonday(date), {days:Array(Date)}), ${monday})`;
const OTHERS = `site = {site:String} AND events.day IN {days:Array(Date)} AND visitor NOT IN (0, {visitor:UInt64})`;
const OTHER_DAYS = `site = {site:String} AND ${TOUCHED_WEEKS('toMonday(day)')}`;

const WITH_SKETCHES = SCHEMA.tables.filter(hasSketches);
/** Tables with sketches of visitors, and how each is made again: as its view makes it. Weeks come after their days. */
const SKETCHES = WITH_SKETCHES.flatMap(({ name, period, views: [view] = [] }) => {
  const touched = period === 'week' ? TOUCHED_WEEKS('week') : TOUCHED_DAYS;
  return view === undefined ? [] : [{ table: name, touched, select: remakingOf(view) }];
});
/** Those that a job makes again. */
const KEPT_BY_JOB = WITH_SKETCHES.filter(({ views }) => views === undefined).map(({ name }) => name);

function remakingOf({ select, from, arrayJoin, where, groupBy }: View): string {
  const source = arrayJoin === undefined ? from : `${from} ARRAY JOIN ${arrayJoin}`;
  const others = from === EVENTS.name ? OTHERS : OTHER_DAYS;
  return `SELECT ${select} FROM ${source} WHERE ${others}${where === undefined ? '' : ` AND (${where})`} GROUP BY ${groupBy}`;
}

export function createVisitorStore(engine: Engine): VisitorStore {
  /** A statement that changes rows goes through every part of its table: where there are no such rows, none is sent. */
  async function change(table: string, how: string, where: string, params: Record<string, unknown>): Promise<void> {
    const found = await engine.rows(`SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`, params);
    if (found.length > 0) await engine.command(`ALTER TABLE ${table} ${how} WHERE ${where}`, params);
  }

  /** The records first: rows without one count nowhere. */
  async function removeKept(site: SiteId, days: readonly string[]): Promise<void> {
    if (days.length === 0) return;
    for (const table of [MATERIALISED_DAYS.name, ...KEPT_BY_JOB])
      await change(table, 'DELETE', `site = {site:String} AND ${TOUCHED_DAYS}`, { site, days });
  }

  /** Events that come in meanwhile do no harm: a visitor who is in a sketch twice counts once. */
  async function remakeSketches(site: SiteId, visitor: string, days: readonly string[]): Promise<void> {
    for (const { table, touched, select } of SKETCHES) {
      await change(table, 'DELETE', `site = {site:String} AND ${touched}`, { site, days });
      // Without deduplication: run twice, after an interruption, the insert would be dropped as a repeated one.
      await engine.command(`INSERT INTO ${table} ${select} SETTINGS insert_deduplicate = 0`, { site, visitor, days });
    }
  }

  return {
    async forget(site, { visitor, uuid }) {
      const events = await engine.rows<{ date: string; count: number }>(
        `SELECT toString(day) AS date, count() AS count FROM events WHERE ${THEIRS} GROUP BY date ORDER BY date`,
        { site, visitor },
      );
      const days = events.map(({ date }) => date);
      const [{ profile } = { profile: '' }] = await engine.rows<{ profile: string }>(
        'SELECT toString(sipHash64({uuid:String})) AS profile',
        { uuid },
      );
      const [visits] = await engine.rows<{ count: number }>(
        `SELECT uniqExact(url) AS count FROM profile_visits WHERE ${THEIR_PROFILE}`,
        { site, profile },
      );
      // The events last: by them an interrupted erasure finds again what is left to do.
      await removeKept(site, days);
      if (days.length > 0) await remakeSketches(site, visitor, days);
      await change('visitors', 'DELETE', THEIRS, { site, visitor });
      await change('profile_visits', 'DELETE', THEIR_PROFILE, { site, profile });
      await change('ledger', 'UPDATE visitor = 0, key = 0', THEIRS, { site, visitor });
      await change('events', 'UPDATE visitor = 0, key = 0', THEIRS, { site, visitor });
      // The job may have kept days meanwhile, of events that were still theirs.
      await removeKept(site, days);
      return { events: events.reduce((sum, { count }) => sum + count, 0), visits: visits?.count ?? 0 };
    },
  };
}
