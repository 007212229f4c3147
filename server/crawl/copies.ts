// Which of the copies of the server that share a database reads the pages of a host, and which one runs a periodic job:
// rendezvous hashing over the live copies, known by their heartbeats. Each host has one owner, so a page is fetched
// once and the pause between two pages of a host is kept; each job has one owner, so what all copies share is changed
// by one of them.
//
// A copy that joins waits until the others have seen it and have finished the page they are at; one that ends leaves
// its hosts at once, one that is killed after its last heartbeat has expired. A copy whose own heartbeats fail reads
// nothing and runs no job: others may have its hosts and jobs by then.
import { createHash, randomUUID } from 'node:crypto';
import type { CopyStore } from '../storage/copies.ts';

/** Milliseconds between two heartbeats. */
export const BEAT_MS = 3_000;
/** After its last heartbeat a copy starts no page: well before the others take its hosts (12 s). */
const FENCE_MS = 8_000;
/** Two heartbeats of the others, and the time a page they have begun usually takes. */
const JOIN_MS = 2 * BEAT_MS + 2_000;

/** The copies among which hosts are shared, this one included. */
export interface Share {
  self: string;
  copies: readonly string[];
}

export interface Copies {
  /** undefined: this copy may read no page now. The same object as long as the copies are the same. */
  share(): Share | undefined;
  /** Whether this copy runs the periodic job of this name now. */
  owns(job: string): boolean;
  /** Stores a heartbeat, and reads those of the others. Without other copies it does nothing. */
  beat(): Promise<void>;
  /** Gives its hosts to the others; call it when nothing is being read any more. */
  leave(): Promise<void>;
}

/** Begins the name of a command that reads pages beside the servers, and has no periodic jobs. */
const COMMAND = 'command-';

export interface CopiesOptions {
  store: CopyStore;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Whether there can be other copies now; a live move to a server changes it. Default: there can. */
  isShared?: () => boolean;
  /** It is a command, not a server. Default: false. */
  isCommand?: boolean;
}

export function createCopies({ store, clock, isShared = () => true, isCommand = false }: CopiesOptions): Copies {
  const self = `${isCommand ? COMMAND : ''}${randomUUID()}`;
  const alone: Share = { self, copies: [self] };
  let share: Share | undefined;
  let lastBeat = Number.NEGATIVE_INFINITY;
  let joinsAt: number | undefined;

  const amongOthers = () => (clock() < lastBeat + FENCE_MS && clock() >= (joinsAt ?? 0) ? share : undefined);

  const current = () => (isShared() ? amongOthers() : alone);

  return {
    share: current,

    owns(job) {
      const servers = current()?.copies.filter((copy) => !copy.startsWith(COMMAND)) ?? [];
      const ranks = servers.map((copy) => ({ copy, rank: hashOf(copy, job) }));
      const [first] = ranks.sort((a, b) => (a.rank < b.rank ? -1 : 1));
      return first?.copy === self;
    },

    async beat() {
      if (!isShared()) return;
      const began = clock();
      const copies = await store.beat(self);
      // It was away for so long that the others may have counted it out: it joins anew.
      const joins = began >= lastBeat + FENCE_MS;
      if (joins) joinsAt = copies.some((copy) => copy !== self) ? clock() + JOIN_MS : clock();
      lastBeat = began;
      if (share?.copies.join() !== copies.join()) share = { self, copies };
    },

    async leave() {
      if (lastBeat > Number.NEGATIVE_INFINITY) await store.leave(self);
    },
  };
}

const hashOf = (copy: string, job: string): string => createHash('sha256').update(`${copy} ${job}`).digest('hex');
