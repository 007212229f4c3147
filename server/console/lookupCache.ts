// LRU cache of rows by their hash, for seconds: every request of the console looks up its session or link.
import { LRUCache } from 'lru-cache';

/** Another copy of the server may have changed it: it is asked for again after this. */
const FRESH_MS = 5_000;
const MAX_ENTRIES = 10_000;

interface Answer<T> {
  at: number;
  version: number;
  stored: Promise<T | undefined>;
}

export interface LookupCache<T> {
  get(hash: string): Promise<T | undefined>;
  forget(hash: string): void;
}

/**
 * @param find Asks the database.
 * @param of.clock Monotonic milliseconds.
 * @param of.version Entries of another version are stale. Default: one for ever.
 */
export function createLookupCache<T>(
  find: (hash: string) => Promise<T | undefined>,
  { clock, version = () => 0 }: { clock(): number; version?(): number },
): LookupCache<T> {
  const answers = new LRUCache<string, Answer<T>>({ max: MAX_ENTRIES });
  return {
    get(hash) {
      const known = answers.get(hash);
      const isFresh = known?.version === version() && clock() - known.at < FRESH_MS;
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
