// The crawler's queue as rows: the newest version of each counts.
import { AUDIT_EXAMPLES } from '../contract/contentAudit.ts';
import type { PageSaid } from '../crawl/pageSaid.ts';
import type { QueueEntry } from '../crawl/queueEntry.ts';
import { CLOCKS_DIFFER_MS } from '../durations.ts';
import type { Engine } from './engine.ts';
import type { CrawlQueueStore } from './store.ts';

interface QueueRow {
  site: QueueEntry['site'];
  url: string;
  first_seen: number;
  due: number;
  requested: boolean;
  priority: number;
  attempts: number;
  last_read: number;
  last_failure: QueueEntry['lastFailure'];
  said: string;
  updated_at: number;
}

const COLUMNS = `site, url, first_seen, due, requested, priority, attempts, last_read, last_failure, said,
  updated_at`;

/**
 * Rendezvous hashing: a host belongs to the copy with the least hash of both, so a copy that starts or stops moves only
 * its own hosts.
 */
const OF_SHARE =
  'AND arraySort(copy -> (sipHash64(copy, domain(url)), copy), {copies:Array(String)})[1] = {self:String}';

export function createCrawlQueueStore(engine: Engine): CrawlQueueStore {
  return {
    async get(site, urls) {
      if (urls.length === 0) return [];
      const sql = `SELECT ${COLUMNS} FROM crawl_queue FINAL WHERE site = {site:String} AND url IN {urls:Array(String)}`;
      return (await engine.rows<QueueRow>(sql, { site, urls })).map(toEntry);
    },

    async save(entries) {
      await engine.insert('crawl_queue', entries.map(toRow));
    },

    async due({ now, limit, perSite, share }) {
      const { self = '', copies = [] } = share ?? {};
      const rows = await engine.rows<QueueRow>(
        `SELECT ${COLUMNS} FROM crawl_queue FINAL WHERE due > 0 AND (due <= {now:UInt64} OR (updated_at > {ahead:UInt64} AND due > updated_at)) ${copies.length > 1 ? OF_SHARE : ''}
         ORDER BY requested DESC, priority > 1 DESC, priority = 0, last_read > 0, priority DESC, due
         LIMIT {perSite:UInt32} BY site LIMIT {limit:UInt32}`,
        { now, ahead: now + CLOCKS_DIFFER_MS, limit, perSite, ...(copies.length > 1 && { self, copies }) },
      );
      return rows.map(toEntry);
    },

    async failures(site, excluded) {
      const where = `site = {site:String} AND last_failure != '' AND NOT has({excluded:Array(String)}, url)`;
      const params = { site, excluded: [...excluded] };
      const counts = await engine.rows<{ failure: string; pages: number }>(
        `SELECT toString(last_failure) AS failure, toUInt32(count()) AS pages FROM crawl_queue FINAL WHERE ${where}
         GROUP BY failure ORDER BY pages DESC, failure`,
        params,
      );
      if (counts.length === 0) return [];
      const pages = await engine.rows<{ failure: string; url: string; updated_at: number; due: number }>(
        `SELECT toString(last_failure) AS failure, url, updated_at, due FROM crawl_queue FINAL WHERE ${where}
         ORDER BY failure, updated_at DESC, url LIMIT ${AUDIT_EXAMPLES} BY failure`,
        params,
      );
      const toPage = (row: (typeof pages)[number]) => ({ url: row.url, triedAt: row.updated_at, again: row.due > 0 });
      return counts.map(({ failure, pages: count }) => ({
        failure,
        count,
        pages: pages.filter((row) => row.failure === failure).map(toPage),
      }));
    },
  };
}

function toRow(entry: QueueEntry): QueueRow {
  return {
    site: entry.site,
    url: entry.url,
    first_seen: entry.firstSeen,
    due: entry.due,
    requested: entry.requested,
    priority: entry.priority,
    attempts: entry.attempts,
    last_read: entry.lastRead,
    last_failure: entry.lastFailure,
    said: entry.said === undefined ? '' : JSON.stringify(entry.said),
    updated_at: entry.updatedAt,
  };
}

function toEntry(row: QueueRow): QueueEntry {
  return {
    site: row.site,
    url: row.url,
    firstSeen: row.first_seen,
    due: row.due,
    requested: row.requested,
    priority: row.priority,
    attempts: row.attempts,
    lastRead: row.last_read,
    lastFailure: row.last_failure,
    ...(row.said !== '' && { said: JSON.parse(row.said) as PageSaid }),
    updatedAt: row.updated_at,
  };
}
