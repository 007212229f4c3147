// Totals since the start: events by site and outcome, bots by name, and what lists brought; and the drops of the last
// minutes.
import type { ListRow } from './eventRow.ts';
import { createRecentDrops } from './recentDrops.ts';
import type { DropReason, Ingest, IngestReport } from './types.ts';

type Outcome = 'stored' | DropReason;

/** Events that were not stored. */
export interface Drop {
  /** "" where it is not known. */
  site: string;
  reason: DropReason;
  count: number;
  /** Name the bot is counted under, where that is the reason. */
  bot?: string | undefined;
  /** Host of the page, where that is the reason. */
  host?: string | undefined;
}

/** Of stored reports. */
export interface LedgerCounts {
  /** Lists that were shown. */
  lists: number;
  /** Items that were seen. */
  seen: number;
  clicks: number;
}

/** @param now Epoch milliseconds. */
export function createCounts(now: () => number) {
  const totals = new Map<string, Map<Outcome, number>>();
  /** Bounded by the table of names, and `other`. */
  const bots = new Map<string, number>();
  const ledger: LedgerCounts = { lists: 0, seen: 0, clicks: 0 };
  const recent = createRecentDrops();

  /** @param site "" where it is not known. */
  function add(site: string, outcome: Outcome, count = 1, host?: string): void {
    const ofSite = totals.get(site) ?? new Map<Outcome, number>();
    totals.set(site, ofSite);
    ofSite.set(outcome, (ofSite.get(outcome) ?? 0) + count);
    if (site !== '' && outcome !== 'stored') recent.add(site, { reason: outcome, count, now: now(), host });
  }

  return {
    add,
    addDrops(drops: readonly Drop[]): void {
      for (const { site, reason, count, bot, host } of drops) {
        add(site, reason, count, host);
        if (bot !== undefined) bots.set(bot, (bots.get(bot) ?? 0) + count);
      }
    },
    addLists(lists: readonly ListRow[]): void {
      for (const { shown, items } of lists) {
        ledger.lists += Number(shown);
        for (const { seen, clicks } of items) {
          ledger.seen += Number(seen);
          ledger.clicks += clicks;
        }
      }
    },
    recentDrops: (site: string) => recent.of(site, now()),
    ledger: (): LedgerCounts => ({ ...ledger }),
    list: (): ReturnType<Ingest['counts']> =>
      [...totals].flatMap(([site, ofSite]) => [...ofSite].map(([outcome, count]) => ({ site, outcome, count }))),
    bots: (): ReturnType<Ingest['bots']> => [...bots].map(([name, count]) => ({ name, count })),
  };
}

export function report(stored: number, drops: readonly Drop[]): IngestReport {
  const dropped: IngestReport['dropped'] = {};
  for (const { reason, count } of drops) dropped[reason] = (dropped[reason] ?? 0) + count;
  return { stored, dropped, foreignHost: drops.findLast(({ reason }) => reason === 'foreign-host')?.host };
}
