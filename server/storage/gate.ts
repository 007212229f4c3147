// Lets writes pass, side by side, until somebody must be alone with the data: a copy of it shall be of one moment.
import type { Engine } from './engine.ts';

export interface Gate {
  /** The same engine; its writes wait while somebody is alone with it. Questions never do. */
  engine: Engine;
  /** Waits for the writes under way, then works with nobody writing. One at a time. */
  alone<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}

export function createGate(inner: Engine): Gate {
  const writing = new Set<Promise<void>>();
  let alone: Promise<unknown> | undefined;

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
      ...inner,
      insert: (...rows) => pass(() => inner.insert(...rows)),
      command: (...statement) => pass(() => inner.command(...statement)),
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
  };
}
