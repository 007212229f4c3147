// Lets writes pass, side by side, until somebody must be alone with the data: a copy of it shall be of one moment. What
// waits then may go on with another engine.
import type { Engine } from './engine.ts';
import { MoveUnderWayError } from './errors.ts';

export interface Gate {
  /** The same engine; its writes wait while somebody is alone with it. Questions never do. */
  engine: Engine;
  /** Waits for the writes under way, then works without writers. One at a time. */
  alone<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  /** The engine itself, for work that orders its own writes. */
  inner(): Engine;
  /** From now on everything goes to another engine. For work that is alone; closing the one before is its to do. */
  replace(next: Engine): void;
  /** While it is on, statements that change or remove rows are refused. Default: off. */
  setMoving(on: boolean): void;
}

/** Salts expire by the day, whatever else continues. */
const CHANGES_ROWS = /^\s*ALTER TABLE (?!salts\b)\w+ (?:DELETE|UPDATE)\b/;

export function createGate(first: Engine): Gate {
  const writing = new Set<Promise<void>>();
  let alone: Promise<unknown> | undefined;
  let inner = first;
  let isMoving = false;

  async function pass(write: () => Promise<void>): Promise<void> {
    while (alone) await alone;
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
    async alone(work) {
      while (alone) await alone;
      const mine = Promise.allSettled([...writing]).then(() => work(inner));
      alone = mine.then(
        () => undefined,
        () => undefined,
      );
      try {
        return await mine;
      } finally {
        alone = undefined;
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
