// Fair sharing of the thread: events are processed in slices, a bounded number in each turn of the event loop. When a
// thousand senders come at once, lists are answered between two slices, and not after the last.

import { OverloadedError } from '../errors.ts';
import { INGEST_LIMITS } from './limits.ts';
import type { Ingest, IngestReport } from './types.ts';

/** An ingest whose work is scheduled in slices. */
export interface ScheduledIngest extends Ingest {
  /** Whether the last events could not be written; ends with events that can, and after a while without events. */
  refusing(): boolean;
  /** A connection was accepted; others may wait behind it. */
  connected(): void;
}

export function scheduleIngest(ingest: Ingest): ScheduledIngest {
  const scheduler = createScheduler();
  let refusing = false;
  let forgetting: NodeJS.Timeout | undefined;

  function refuse(): void {
    refusing = true;
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      refusing = false;
    }, INGEST_LIMITS.refusingMs).unref();
  }

  const takes = ({ stored }: IngestReport) => {
    if (stored > 0) refusing = false;
  };
  const failed = (error: unknown) => {
    if (error instanceof OverloadedError) refuse();
  };

  return {
    ...ingest,
    accept(events, sender) {
      const turn = scheduler.turn(events.length);
      const accepted =
        turn === undefined ? ingest.accept(events, sender) : turn.then(() => ingest.accept(events, sender));
      accepted.then(takes, failed);
      return accepted;
    },
    refusing: () => refusing,
    connected: scheduler.connected,
  };
}

export interface Scheduler {
  /** Resolves when so many events may be processed, in the order of the calls; undefined: now. */
  turn(events: number): Promise<void> | undefined;
  /** Makes this turn short: another connection may wait for the next one. */
  connected(): void;
}

export function createScheduler(
  perTurn: number = INGEST_LIMITS.eventsPerTurn,
  perShortTurn: number = INGEST_LIMITS.eventsPerShortTurn,
): Scheduler {
  let waiting: { events: number; go(): void }[] = [];
  let spent = 0;
  let scheduled = false;
  let most = perTurn;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    scheduled = false;
    spent = 0;
    let gone = 0;
    for (; gone < waiting.length && spent < most; gone++) {
      const { events, go } = waiting[gone]!;
      spent += events;
      go();
    }
    waiting = waiting.slice(gone);
    most = perTurn;
    if (spent > 0) schedule();
  }

  return {
    turn(events) {
      if (waiting.length === 0 && spent < most) {
        spent += events;
        schedule();
        return undefined;
      }
      return new Promise((go) => waiting.push({ events, go }));
    },
    connected() {
      most = perShortTurn;
    },
  };
}
