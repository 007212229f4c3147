// Events in: pipeline, duplicates, group commit, counts. What the doors talk to.
import type { Logger } from 'pino';
import type { DropReason, Ingest, IngestReport, SiteDirectory } from '../deps.ts';
import type { Store } from '../storage/store.ts';
import { createDailySalt } from './dailySalt.ts';
import type { EventRow } from './eventRow.ts';
import { createGroupCommit } from './groupCommit.ts';
import { runPipeline } from './pipeline.ts';
import { createRecentKeys } from './recentKeys.ts';

export interface IngestOptions {
  store: Pick<Store, 'events'>;
  sites: Pick<SiteDirectory, 'find'>;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Events remembered to tell repeated ones: at least this many, at most twice. */
const RECENT_KEYS = 250_000;

/** Remembers what was stored before the start, then takes events. */
export async function createIngest({ store, sites, log, now }: IngestOptions): Promise<Ingest> {
  const salt = createDailySalt();
  const recent = createRecentKeys(RECENT_KEYS);
  const counts = createCounts();
  const buffer = createGroupCommit<EventRow>({
    async write(rows, token) {
      try {
        await store.events.append(rows, token);
      } catch (error) {
        log.error({ err: error, rows: rows.length }, 'events could not be written');
        throw error;
      }
    },
  });
  recent.load(await store.events.recentKeys({ now: now(), limit: RECENT_KEYS }));

  return {
    async accept(events, sender) {
      const around = { findSite: (id: string) => sites.find(id), salt, arrival: now() };
      const dropped: { site: string; reason: DropReason }[] = [];
      const fresh = new Map<string, EventRow>();
      const rows: EventRow[] = [];
      const writing: Promise<void>[] = [];
      for (const event of events) {
        const outcome = runPipeline(event, sender, around);
        if ('drop' in outcome) {
          dropped.push({ site: outcome.site, reason: outcome.drop });
          continue;
        }
        const { row } = outcome;
        const seen = row.key === undefined ? undefined : (recent.get(row.key) ?? (fresh.has(row.key) || undefined));
        if (seen !== undefined) {
          dropped.push({ site: outcome.site, reason: 'duplicate' });
          // The twin is not durable yet: this answer may not be faster than the event.
          if (seen !== true) writing.push(seen);
          continue;
        }
        if (row.key !== undefined) fresh.set(row.key, row);
        rows.push(row);
      }
      const written = buffer.add(rows);
      recent.remember([...fresh.keys()], written);
      await Promise.all([written, ...writing]);
      for (const row of rows) counts.add(row.site, 'stored');
      for (const { site, reason } of dropped) counts.add(site, reason);
      return report(rows.length, dropped);
    },
    counts: counts.list,
    drain: buffer.drain,
  };
}

function report(stored: number, drops: readonly { reason: DropReason }[]): IngestReport {
  const dropped: IngestReport['dropped'] = {};
  for (const { reason } of drops) dropped[reason] = (dropped[reason] ?? 0) + 1;
  return { stored, dropped };
}

function createCounts() {
  const totals = new Map<string, Map<'stored' | DropReason, number>>();
  return {
    add(site: string, outcome: 'stored' | DropReason): void {
      const ofSite = totals.get(site) ?? new Map();
      totals.set(site, ofSite);
      ofSite.set(outcome, (ofSite.get(outcome) ?? 0) + 1);
    },
    list: (): ReturnType<Ingest['counts']> =>
      [...totals].flatMap(([site, ofSite]) => [...ofSite].map(([outcome, count]) => ({ site, outcome, count }))),
  };
}
