// Admission in front of an engine: a semaphore shared fairly between sites. Questions of readers come before loads and
// periodic jobs; among readers, sites take turns, so that a site with many heavy questions keeps no other one waiting
// for all of them. A question that would wait too long is refused: without a bound, a crowd would be answered long
// after its clients have given up.
import { StoreUnavailableError } from '../errors.ts';

export interface FairSemaphoreOptions {
  /** Questions at once. */
  slots: number;
  /**
   * Questions of readers waiting at most, and as many others; default 1,000. While several sites ask, half of them of
   * one site.
   */
  waiting?: number;
  /** Milliseconds a question of a reader waits at most; default 10,000. */
  patienceMs?: number;
}

export interface Question {
  /** The site that the query is of. Default: of none. */
  site?: string | undefined;
  /** A load or a periodic job, which waits behind the requests of readers. Default: false. */
  background?: boolean | undefined;
}

export interface FairSemaphore {
  /**
   * Works as soon as a slot is free, with its number (0 is the first).
   * @throws {StoreUnavailableError} when too many wait, or it has waited too long; nothing was done then.
   */
  run<T>(work: (slot: number) => Promise<T>, question?: Question): Promise<T>;
}

interface Entry {
  site: string;
  go(slot: number): void;
}

/** So many times as long as a reader does a load wait, whose reader has been given something else. */
const PATIENCE_OF_LOADS = 6;
/**
 * While loads wait, each of so many questions is one of theirs: a busy site must not keep the others from being loaded.
 */
const READERS_A_LOAD = 4;
/** Several sites ask, as long as there is another one among so many of the last questions. */
const LAST = 100;

export function createFairSemaphore({
  slots,
  waiting: most = 1000,
  patienceMs = 10_000,
}: FairSemaphoreOptions): FairSemaphore {
  const free = Array.from({ length: slots }, (_, slot) => slots - 1 - slot);
  /** What several sites, or loads, leave to others. */
  const share = Math.max(1, Math.floor(slots / 2));
  const readers = createFairQueue();
  const loads = createFairQueue();
  const last: string[] = [];
  let readersSinceLoad = 0;

  const isContested = (site: string): boolean => last.some((other) => other !== site);

  function next(): Entry | undefined {
    const load = () => (loads.running < share ? loads.take(() => true) : undefined);
    const reader = () => readers.take((site) => readers.runningOf(site) < (isContested(site) ? share : slots));
    if (readersSinceLoad < READERS_A_LOAD) return reader() ?? load();
    return load() ?? reader();
  }

  function admit(): void {
    while (free.length > 0) {
      const entry = next();
      if (!entry) return;
      entry.go(free.pop()!);
    }
  }

  function enter({ site = '', background = false }: Question): Promise<number> {
    const queue = background ? loads : readers;
    if (!background) {
      last.push(site);
      if (last.length > LAST) last.shift();
    }
    const room = isContested(site) ? Math.ceil(most / 2) : most;
    if (free.length === 0 && (queue.waiting >= most || queue.waitingOf(site) >= room)) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      const refuse = () => {
        queue.leave(entry);
        reject(tooBusy());
      };
      const timer = setTimeout(refuse, background ? patienceMs * PATIENCE_OF_LOADS : patienceMs);
      const entry: Entry = {
        site,
        go(slot) {
          clearTimeout(timer);
          readersSinceLoad = background ? 0 : readersSinceLoad + 1;
          resolve(slot);
        },
      };
      queue.add(entry);
      admit();
    });
  }

  return {
    async run(work, question = {}) {
      const slot = await enter(question);
      try {
        return await work(slot);
      } finally {
        (question.background ? loads : readers).done(question.site ?? '');
        free.push(slot);
        admit();
      }
    },
  };
}

/** Entries that wait, and how many are under way; sites take turns. */
function createFairQueue() {
  // The site whose turn is next comes first.
  const sites = new Map<string, Entry[]>();
  const underWay = new Map<string, number>();

  function remove(entry: Entry, entries: Entry[]): void {
    entries.splice(entries.indexOf(entry), 1);
    queue.waiting--;
    if (entries.length === 0) sites.delete(entry.site);
  }

  const queue = {
    waiting: 0,
    running: 0,
    waitingOf: (site: string) => sites.get(site)?.length ?? 0,
    runningOf: (site: string) => underWay.get(site) ?? 0,

    add(entry: Entry): void {
      const entries = sites.get(entry.site);
      if (entries) entries.push(entry);
      else sites.set(entry.site, [entry]);
      queue.waiting++;
    },

    /** Gives up waiting. */
    leave(entry: Entry): void {
      const entries = sites.get(entry.site);
      if (entries) remove(entry, entries);
    },

    /** The longest waiting one of the site whose turn it is, of those that may. */
    take(may: (site: string) => boolean): Entry | undefined {
      for (const [site, entries] of sites) {
        if (!may(site)) continue;
        const entry = entries[0]!;
        sites.delete(site);
        sites.set(site, entries);
        remove(entry, entries);
        underWay.set(site, (underWay.get(site) ?? 0) + 1);
        queue.running++;
        return entry;
      }
      return undefined;
    },

    done(site: string): void {
      const left = underWay.get(site)! - 1;
      if (left === 0) underWay.delete(site);
      else underWay.set(site, left);
      queue.running--;
    },
  };
  return queue;
}

const tooBusy = () =>
  new StoreUnavailableError('The database is asked more than it can answer. Try again in a moment.');
