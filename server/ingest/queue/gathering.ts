// Many callers, one write: what comes while a group is being written leaves together when it is on the disk.
import { OverloadedError } from '../../errors.ts';
import { Lines } from '../lines.ts';
import type { SentGroup } from './writer.ts';

export interface GatheringOptions {
  /** Resolves when the next group may come; `answered` when this one's callers may be told. */
  write(group: SentGroup): Promise<{ answered: Promise<void> }>;
  /** Events whose callers wait at most; default 100,000. More are refused. */
  maxWaiting?: number;
  /** Callers that are worth a write of their own; default 50. After a group that large, the next one gathers for 10 ms. */
  busyGroup?: number;
}

export interface Gathering {
  /** Where a caller writes its lines, in the turn it adds them in. */
  readonly lines: Lines;
  /** What everybody is told who adds to the group that gathers now. */
  written(): Promise<void>;
  /**
   * Adds what was written into `lines` since the last call. Resolves when it is durable, rejects with what `write` said; all of a
   * group are given the same promise.
   * @throws {OverloadedError} at once, when too many wait or after `drain`; the lines are the caller's to take back.
   */
  add(events: number): Promise<void>;
  /** Events whose callers are not answered yet. */
  depth(): number;
  /** Takes no more, and resolves when everything is written. */
  drain(): Promise<void>;
}

/** Longest time a group gathers, in milliseconds: an fsync a turn of the event loop would be most of the work. */
const GATHER_MS = 10;
const NOTHING = Promise.resolve();

/** Callers who leave together. One promise for all of them: it is told once, and there is one thing to keep. */
interface Waiting {
  senders: number;
  events: number;
  written: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function nobody(): Waiting {
  const group = { senders: 0, events: 0 } as Waiting;
  group.written = new Promise((resolve, reject) => Object.assign(group, { resolve, reject }));
  return group;
}

export function createGathering({ write, maxWaiting = 100_000, busyGroup = 50 }: GatheringOptions): Gathering {
  const lines = new Lines();
  let waiting = nobody();
  let depth = 0;
  let draining = false;
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  /** The next group leaves when the last is on the disk; a lonely one leaves at once. */
  async function run(): Promise<void> {
    while (waiting.senders > 0) {
      const group = waiting;
      waiting = nobody();
      await commit(group, lines.take());
      if (group.senders >= busyGroup) await gather();
    }
    // In the same turn as the last look: what is added a moment later must find nobody running.
    running = undefined;
  }

  async function commit({ senders, events, resolve, reject }: Waiting, text: Buffer): Promise<void> {
    const done = (tell: () => void) => {
      depth -= events;
      tell();
    };
    const failed = (error: unknown) => done(() => reject(error));
    try {
      const { answered } = await write({ text, events, senders });
      answered.then(() => done(resolve), failed);
    } catch (error) {
      failed(error);
    }
  }

  function gather(): Promise<void> {
    if (draining) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    lines,
    written: () => waiting.written,
    add(events) {
      if (events === 0) return NOTHING;
      if (draining) throw new OverloadedError('The server is shutting down.');
      if (depth + events > maxWaiting) throw new OverloadedError('Too many events wait to be written.');
      depth += events;
      waiting.events += events;
      waiting.senders += 1;
      const { written } = waiting;
      running ??= run();
      return written;
    },
    depth: () => depth,
    async drain() {
      draining = true;
      wake?.();
      await running;
    },
  };
}
