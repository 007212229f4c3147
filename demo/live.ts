// Readers who come while the demo runs: the same who would be found at its next start, each at their moment.

import type { EventRow } from '../server/ingest/eventRow.ts';
import { PAPER_ZONE } from './edition.ts';
import { type LoadTarget, type LoadTask, storeSpan } from './load.ts';
import { addDays, dayOf, startOfDay } from './world/calendar.ts';
import { eventsBetween } from './world/events.ts';

/** Worked out ahead: what a day brings takes a tenth of a second to say. */
const AHEAD_MS = 3_600_000;

export type LiveTask = Pick<LoadTask, 'world' | 'films' | 'ledger'> & {
  /** As it is now: it may be stopped while the demo runs. */
  experiment(): LoadTask['experiment'];
};

/** @returns Stores what happened up to a moment (epoch milliseconds), since the last call or what was loaded. */
export function createLiveReaders(target: LoadTarget, task: LiveTask): (now: number) => Promise<void> {
  const { world, films, ledger } = task;
  const { site, origin } = target;
  let ahead: EventRow[] = [];
  let known = ledger.eventsUntil;

  function lookAhead(): void {
    const from = known;
    // Spans end with their day, as those that are loaded at a start.
    const endOfDay = startOfDay(addDays(dayOf(from + 1, PAPER_ZONE), 1), PAPER_ZONE) - 1;
    known = Math.min(endOfDay, from + AHEAD_MS);
    const settings = { site, origin, films, experiment: task.experiment(), from, to: known };
    ahead = [...eventsBetween(world, settings)].flatMap(({ rows }) => rows);
  }

  return async (now) => {
    while (ledger.eventsUntil < now) {
      if (ledger.eventsUntil === known) lookAhead();
      const to = Math.min(known, now);
      const rows = ahead.filter(({ time }) => time <= to);
      ahead = ahead.slice(rows.length);
      if (rows.length > 0) await storeSpan(target, ledger, { from: ledger.eventsUntil, to, rows });
      else ledger.eventsUntil = to;
    }
  };
}
