// What the database said of a hash lately: every request of the console asks for its session.
import { LRUCache } from 'lru-cache';

/** Another copy of the server may have changed it: it is asked for again after this. */
const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;

interface Answer<T> {
  at: number;
  version: number;
  stored: Promise<T | undefined>;
}

export interface Remembered<T> {
  get(hash: string): Promise<T | undefined>;
  forget(hash: string): void;
}

/**
 * @param find Asks the database.
 * @param of.clock Monotonic milliseconds.
 * @param of.version What is remembered under another number is asked for again. Default: one for ever.
 */
export function createRemembered<T>(
  find: (hash: string) => Promise<T | undefined>,
  { clock, version = () => 0 }: { clock(): number; version?(): number },
): Remembered<T> {
  const answers = new LRUCache<string, Answer<T>>({ max: MAX_REMEMBERED });
  return {
    get(hash) {
      const known = answers.get(hash);
      const isFresh = known?.version === version() && clock() - known.at < REMEMBERED_MS;
      if (known !== undefined && isFresh) return known.stored;
      const stored = find(hash);
      const entry = { at: clock(), version: version(), stored };
      answers.set(hash, entry);
      stored.catch(() => answers.get(hash) === entry && answers.delete(hash));
      return stored;
    },
    forget: (hash) => void answers.delete(hash),
  };
}
