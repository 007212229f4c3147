// Semaphore over the loads of sites: a bounded number at once, those that a request waits for before those made ahead
// of requests.

export interface Semaphore {
  /**
   * Runs when a slot is free.
   * @param urgent Whether a request waits for it: asked whenever a slot becomes free.
   */
  run<T>(work: () => Promise<T>, urgent: () => boolean): Promise<T>;
  /** Loads that wait for a slot. */
  readonly waiting: number;
}

interface Waiting {
  admit(): void;
  urgent(): boolean;
}

/** @param slots Loads at once. */
export function createSemaphore(slots: number): Semaphore {
  const waiting: Waiting[] = [];
  let underWay = 0;

  async function acquire(urgent: () => boolean): Promise<void> {
    if (underWay < slots) underWay++;
    else await new Promise<void>((admit) => waiting.push({ admit, urgent }));
  }

  function release(): void {
    const first = waiting.findIndex(({ urgent }) => urgent());
    const [next] = waiting.splice(Math.max(0, first), 1);
    if (next === undefined) underWay--;
    else next.admit();
  }

  return {
    async run(work, urgent) {
      await acquire(urgent);
      try {
        return await work();
      } finally {
        release();
      }
    },
    get waiting() {
      return waiting.length;
    },
  };
}
