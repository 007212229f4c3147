// Questions take turns: so many at once, the others in the order they came. Who would wait too long is refused while it is still
// worth something to say so; without a bound, a crowd would be answered long after everybody has left.
import { StoreUnavailableError } from '../deps.ts';

export interface LanesOptions {
  /** Questions at once. */
  lanes: number;
  /** Questions waiting at most; default 1,000. */
  waiting?: number;
  /** Milliseconds a question waits at most; default 10,000. */
  patienceMs?: number;
}

export interface Lanes {
  /**
   * Works as soon as a lane is free, and is told which one (0 is the first).
   * @throws {StoreUnavailableError} when too many wait, or it has waited too long; nothing was done then.
   */
  run<T>(work: (lane: number) => Promise<T>): Promise<T>;
}

interface Waiting {
  go(lane: number): void;
}

export function createLanes({ lanes, waiting: most = 1000, patienceMs = 10_000 }: LanesOptions): Lanes {
  const free = Array.from({ length: lanes }, (_, lane) => lanes - 1 - lane);
  const waiting = new Set<Waiting>();

  function leave(lane: number): void {
    const [next] = waiting;
    if (next === undefined) free.push(lane);
    else next.go(lane);
  }

  function enter(): Promise<number> {
    const lane = free.pop();
    if (lane !== undefined) return Promise.resolve(lane);
    if (waiting.size >= most) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        go(freed) {
          clearTimeout(timer);
          waiting.delete(entry);
          resolve(freed);
        },
      };
      const timer = setTimeout(() => {
        waiting.delete(entry);
        reject(tooBusy());
      }, patienceMs);
      waiting.add(entry);
    });
  }

  return {
    async run(work) {
      const lane = await enter();
      try {
        return await work(lane);
      } finally {
        leave(lane);
      }
    },
  };
}

const tooBusy = () =>
  new StoreUnavailableError('The database is asked more than it can answer. Try again in a moment.');
