// Which of the copies of the server that share a database reads the pages of a host: rendezvous hashing over the copies that live, known by
// their heartbeats. Each host has one owner, so a page is fetched once and the pause between two pages of a host is kept.
//
// A copy that joins waits until the others have seen it and have finished the page they are at; one that ends leaves its hosts at once, one
// that is killed after its last heartbeat has expired. A copy whose own heartbeats fail reads nothing: others may have its hosts by then.
import { randomUUID } from 'node:crypto';
import type { CopyStore } from '../storage/store.ts';

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

/** Of all copies this is the one that does what is to be done once. */
export const isFirst = (share: Share | undefined): boolean => share !== undefined && share.copies[0] === share.self;

export interface Copies {
  /** undefined: this copy may read no page now. The same object as long as the copies are the same. */
  share(): Share | undefined;
  /** Says that this copy lives, and learns which others do. */
  beat(): Promise<void>;
  /** Gives its hosts to the others; call it when nothing is being read any more. */
  leave(): Promise<void>;
}

/** @param clock Monotonic milliseconds. */
export function createCopies({ store, clock }: { store: CopyStore; clock: () => number }): Copies {
  const self = randomUUID();
  let share: Share | undefined;
  let lastBeat = Number.NEGATIVE_INFINITY;
  let joinsAt: number | undefined;

  return {
    share: () => (clock() < lastBeat + FENCE_MS && clock() >= (joinsAt ?? 0) ? share : undefined),

    async beat() {
      const began = clock();
      const copies = await store.beat(self);
      // It was away for so long that the others may have counted it out: it joins anew.
      const joins = began >= lastBeat + FENCE_MS;
      if (joins) joinsAt = copies.some((copy) => copy !== self) ? clock() + JOIN_MS : clock();
      lastBeat = began;
      if (share?.copies.join() !== copies.join()) share = { self, copies };
    },

    leave: () => store.leave(self),
  };
}
