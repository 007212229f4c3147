// Group commit: rows of many callers are written together, and each caller is acknowledged when its group is durable.
// Rows that come while a group is being written are the next group.
import { OverloadedError } from '../../errors.ts';

/** What leaves together. */
export interface GroupSize {
  rows: number;
  callers: number;
}

export interface GroupCommitOptions {
  /** Makes the rows durable that were collected since the last call, which it takes in the turn it is called. */
  write(group: GroupSize): Promise<void>;
  /** Rows that are not durable yet; more are refused. */
  maxWaiting: number;
  /** Shortest time between the starts of two groups, in milliseconds, unless `largeGroup` rows wait. Default: 0. */
  intervalMs?: number;
  /** Default: no number of rows ends an interval. */
  largeGroup?: number;
  /** After a group of so many callers, which are about to call again, the next one gathers for `ms`. Default: never. */
  gather?: { callers: number; ms: number };
}

export interface GroupCommit {
  /** What `add` returns to all callers of the group that gathers now. */
  written(): Promise<void>;
  /**
   * Announces rows that the caller has added to what `write` takes. Resolves when they are durable, and rejects as
   * `write` does; all callers of a group share the promise.
   * @throws {OverloadedError} at once, when too many rows wait, or after `drain`; the caller takes its rows back then.
   */
  add(rows: number): Promise<void>;
  /** Rows that are not durable yet. */
  depth(): number;
  /** Refuses new rows, and resolves when all others are written. */
  drain(): Promise<void>;
}

interface Group extends GroupSize {
  written: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

const EMPTY = Promise.resolve();

function emptyGroup(): Group {
  const group = { callers: 0, rows: 0 } as Group;
  group.written = new Promise((resolve, reject) => Object.assign(group, { resolve, reject }));
  return group;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { write, maxWaiting, intervalMs = 0, largeGroup = Number.POSITIVE_INFINITY, gather } = options;
  let next = emptyGroup();
  let depth = 0;
  let draining = false;
  let running: Promise<void> | undefined;
  let endPause: (() => void) | undefined;

  /** A group leaves when the one before it is durable, and at once where there is none. */
  async function run(): Promise<void> {
    while (next.callers > 0) {
      const interval = pause(intervalMs);
      const group = next;
      next = emptyGroup();
      await commit(group);
      if (next.rows < largeGroup) await interval;
      if (gather !== undefined && group.callers >= gather.callers) await pause(gather.ms);
    }
    // In the same turn as the last look: rows that are added later start a new run.
    running = undefined;
  }

  async function commit(group: Group): Promise<void> {
    try {
      await write({ rows: group.rows, callers: group.callers });
      depth -= group.rows;
      group.resolve();
    } catch (error) {
      depth -= group.rows;
      group.reject(error);
    }
  }

  function pause(ms: number): Promise<void> {
    if (ms === 0 || draining) return EMPTY;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    written: () => next.written,
    add(rows) {
      if (rows === 0) return EMPTY;
      if (draining) throw new OverloadedError('The server is shutting down.');
      if (depth + rows > maxWaiting) throw new OverloadedError('Too many rows wait to be written.');
      depth += rows;
      next.rows += rows;
      next.callers += 1;
      if (next.rows >= largeGroup) endPause?.();
      const { written } = next;
      running ??= run();
      return written;
    },
    depth: () => depth,
    async drain() {
      draining = true;
      endPause?.();
      await running;
    },
  };
}
