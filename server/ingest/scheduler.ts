// Events are looked at in slices, so many in a turn of the event loop: when a thousand senders come at the same moment, whoever asks for
// a list gets it between two slices and not after the last.

import { OverloadedError } from '../errors.ts';
import type { Ingest, IngestReport } from './types.ts';

/** About twelve milliseconds of work: with fewer, a thousand connections spend most of each turn on sockets. */
const EVENTS_A_TURN = 1_000;
/** While connections come: the system's event loop hands over one of them a turn, so that in long turns a thousand take seconds. */
const EVENTS_A_SHORT_TURN = 50;
/** A server that is sent nothing because it refused would never learn that it could write again. */
const FORGET_MS = 10_000;

/** An ingest, its work in slices, which knows how the last of it went. */
export interface ScheduledIngest extends Ingest {
  /** Whether the last events that came could be written nowhere. */
  refusing(): boolean;
  /** A connection was taken; others may wait behind it. */
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
    }, FORGET_MS).unref();
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
  /** Resolves when it is the turn of so many events, in the order they were announced; undefined: now. */
  turn(events: number): Promise<void> | undefined;
  /** This turn is short: another connection may wait for the next. */
  connected(): void;
}

export function createScheduler(perTurn = EVENTS_A_TURN, perShortTurn = EVENTS_A_SHORT_TURN): Scheduler {
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
