// Many callers, one insert: rows are written in groups, and each caller is answered when its group is on the disk.
import { randomUUID } from 'node:crypto';
import { OverloadedError } from '../deps.ts';

export interface GroupCommitOptions<Row> {
  /** Makes the rows durable. The token is the group's own: a second write under it changes nothing. */
  write(rows: readonly Row[], token: string): Promise<void>;
  /** Rows of one group at most; default 20,000. */
  maxGroup?: number;
  /** Rows waiting at most; default 100,000. More are refused. */
  maxWaiting?: number;
  /** Shortest time between two groups' starts in milliseconds; default 250. More inserts a second than that cost the engine too many parts. */
  intervalMs?: number;
}

export interface GroupCommit<Row> {
  /**
   * Resolves when the rows are durable, rejects with what `write` said.
   * @throws {OverloadedError} at once, when too many wait or after `drain`.
   */
  add(rows: readonly Row[]): Promise<void>;
  /** Rows not yet durable. */
  depth(): number;
  /** Takes no more, and resolves when nothing waits. */
  drain(): Promise<void>;
}

interface Waiting<Row> {
  rows: readonly Row[];
  resolve(): void;
  reject(error: unknown): void;
}

export function createGroupCommit<Row>({
  write,
  maxGroup = 20_000,
  maxWaiting = 100_000,
  intervalMs = 250,
}: GroupCommitOptions<Row>): GroupCommit<Row> {
  let waiting: Waiting<Row>[] = [];
  let depth = 0;
  let draining = false;
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  /** The next group leaves when the last has landed; a lonely row leaves at once. */
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const pause = delay(draining ? 0 : intervalMs);
      await commit(nextGroup());
      await pause;
    }
    // In the same turn as the last look: a row added a moment later must find nobody running.
    running = undefined;
  }

  function nextGroup(): Waiting<Row>[] {
    let rows = 0;
    // A single caller's rows stay together, however many they are.
    const end = waiting.findIndex((entry, index) => {
      rows += entry.rows.length;
      return index > 0 && rows > maxGroup;
    });
    const group = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    return group;
  }

  async function commit(group: readonly Waiting<Row>[]): Promise<void> {
    const rows = group.flatMap((entry) => entry.rows);
    try {
      await write(rows, randomUUID());
      for (const entry of group) entry.resolve();
    } catch (error) {
      for (const entry of group) entry.reject(error);
    } finally {
      depth -= rows.length;
    }
  }

  function delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    add(rows) {
      if (rows.length === 0) return Promise.resolve();
      if (draining) throw new OverloadedError('The server is shutting down.');
      if (depth + rows.length > maxWaiting) throw new OverloadedError('Too many rows wait to be written.');
      depth += rows.length;
      const done = new Promise<void>((resolve, reject) => waiting.push({ rows, resolve, reject }));
      running ??= run();
      return done;
    },
    depth: () => depth,
    async drain() {
      draining = true;
      wake?.();
      await running;
    },
  };
}
