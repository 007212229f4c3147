// Many callers, one insert: rows are written in groups, and each caller is answered when its group is on the disk.
import { randomUUID } from 'node:crypto';
import { OverloadedError } from '../../errors.ts';

export interface GroupCommitOptions<Row> {
  /** Makes the rows durable. The token is the group's own: a second write under it changes nothing. */
  write(rows: readonly Row[], token: string): Promise<void>;
  /** Rows of one group at most; default 20,000. */
  maxGroup?: number;
  /** Rows waiting at most; default 100,000. More are refused. */
  maxWaiting?: number;
  /**
   * Rows that are worth an insert of their own; default 1,000. After a group that large, those who were answered are
   * about to send again: the next one leaves when half as many wait, or after 100 ms.
   */
  busyGroup?: number;
  /**
   * Shortest time between two groups' starts in milliseconds; default 250: more small inserts a second cost the engine too
   * many parts. A large group need not wait for it.
   */
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

/** Longest time a group gathers, in milliseconds. */
const GATHER_MS = 100;

interface Waiting<Row> {
  rows: readonly Row[];
  resolve(): void;
  reject(error: unknown): void;
}

export function createGroupCommit<Row>({
  write,
  maxGroup = 20_000,
  maxWaiting = 100_000,
  busyGroup = 1_000,
  intervalMs = 250,
}: GroupCommitOptions<Row>): GroupCommit<Row> {
  let waiting: Waiting<Row>[] = [];
  let depth = 0;
  let draining = false;
  let writing = false;
  let running: Promise<void> | undefined;
  let enough = busyGroup;
  let wake: (() => void) | undefined;

  /** The next group leaves when the last has landed; a lonely row leaves at once. */
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const pause = rest(intervalMs);
      const group = nextGroup();
      await commit(group);
      const written = group.reduce((sum, { rows }) => sum + rows.length, 0);
      enough = Math.max(busyGroup, written / 2);
      if (depth >= enough) continue;
      await pause;
      if (written >= busyGroup && depth < enough) await rest(GATHER_MS);
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
    writing = true;
    try {
      await write(rows, randomUUID());
      for (const entry of group) entry.resolve();
    } catch (error) {
      for (const entry of group) entry.reject(error);
    } finally {
      writing = false;
      depth -= rows.length;
    }
  }

  /** Resolves after a while, or sooner: when so many wait that a group of theirs is worth an insert. */
  function rest(ms: number): Promise<void> {
    if (draining) return Promise.resolve();
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
      if (!writing && depth >= enough) wake?.();
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
