// Read–write lock in front of an engine: writes run in parallel; exclusive work, such as a copy of one moment, waits
// for them and blocks new ones. Blocked writes may continue with another engine.
import type { Engine } from './engine.ts';
import { MoveUnderWayError } from './errors.ts';

export interface ReadWriteLock {
  /** The same engine; its writes wait during exclusive work. Queries never do. */
  engine: Engine;
  /** Waits for the writes under way, then works without writers. One at a time. */
  exclusive<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  /** The engine itself, for work that orders its own writes. */
  inner(): Engine;
  /** From now on everything goes to another engine. For exclusive work, which closes the engine before. */
  replace(next: Engine): void;
  /** While it is on, statements that change or remove rows are refused. Default: off. */
  setMoving(on: boolean): void;
}

/** Salts expire by the day, whatever else continues. */
const CHANGES_ROWS = /^\s*ALTER TABLE (?!salts\b)\w+ (?:DELETE|UPDATE|DROP PARTITION)\b/;

export function createReadWriteLock(first: Engine): ReadWriteLock {
  const writing = new Set<Promise<void>>();
  let held: Promise<unknown> | undefined;
  let inner = first;
  let isMoving = false;

  async function pass(write: () => Promise<void>): Promise<void> {
    while (held) await held;
    const written = write();
    writing.add(written);
    try {
      await written;
    } finally {
      writing.delete(written);
    }
  }

  return {
    engine: {
      get cluster() {
        return inner.cluster;
      },
      get servers() {
        return inner.servers;
      },
      get folders() {
        return inner.folders;
      },
      rows: (...question) => inner.rows(...question),
      lines: (...question) => inner.lines(...question),
      ping: () => inner.ping(),
      away: () => inner.away(),
      close: () => inner.close(),
      insert: (...rows) => pass(() => inner.insert(...rows)),
      async command(...statement) {
        if (isMoving && CHANGES_ROWS.test(statement[0])) throw new MoveUnderWayError();
        await pass(() => inner.command(...statement));
      },
    },
    async exclusive(work) {
      while (held) await held;
      const mine = Promise.allSettled([...writing]).then(() => work(inner));
      held = mine.then(
        () => undefined,
        () => undefined,
      );
      try {
        return await mine;
      } finally {
        held = undefined;
      }
    },
    inner: () => inner,
    replace(next) {
      inner = next;
    },
    setMoving(on) {
      isMoving = on;
    },
  };
}
