// Events of readers while the demo runs: those that its next start would have loaded, each stored when its time comes.
import { HOUR } from '../server/durations.ts';
import type { EventRow } from '../server/ingest/eventRow.ts';
import { addDays, startOfDay } from '../server/traffic/zone.ts';
import { PAPER_ZONE } from './edition.ts';
import { type LoadTarget, type LoadTask, storeSpan } from './load.ts';
import { dayOf } from './world/calendar.ts';
import { eventsBetween } from './world/events.ts';

/** Events are generated so far ahead: for any part of a day, all visits of that day are generated. */
const AHEAD_MS = HOUR;

export type LiveTask = Pick<LoadTask, 'world' | 'films' | 'ledger'> & {
  /** The current one: it may be stopped while the demo runs. */
  experiment(): LoadTask['experiment'];
};

/** @returns Stores the events up to a time (epoch milliseconds) that are not stored yet. */
export function createLiveEvents(target: LoadTarget, task: LiveTask): (now: number) => Promise<void> {
  const { world, films, ledger } = task;
  const { site, origin } = target;
  let generated: EventRow[] = [];
  let generatedUntil = ledger.eventsUntil;

  function generateMore(): void {
    const from = generatedUntil;
    // Spans end with their day, as those that are loaded at a start.
    const endOfDay = startOfDay(addDays(dayOf(from + 1, PAPER_ZONE), 1), PAPER_ZONE) - 1;
    generatedUntil = Math.min(endOfDay, from + AHEAD_MS);
    const settings = { site, origin, films, experiment: task.experiment(), from, to: generatedUntil };
    generated = [...eventsBetween(world, settings)].flatMap(({ rows }) => rows);
  }

  return async (now) => {
    while (ledger.eventsUntil < now) {
      if (ledger.eventsUntil === generatedUntil) generateMore();
      const to = Math.min(generatedUntil, now);
      const rows = generated.filter(({ time }) => time <= to);
      generated = generated.slice(rows.length);
      if (rows.length > 0) await storeSpan(target, ledger, { from: ledger.eventsUntil, to, rows });
      else ledger.eventsUntil = to;
    }
  };
}
