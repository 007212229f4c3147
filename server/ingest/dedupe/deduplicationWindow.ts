// Which events came in lately, so that one sent again is not counted again. Bounded: the oldest half is forgotten at once.

import { InDoubtError } from '../queue/inDoubt.ts';
import { type EventKey, parseEventKey } from './eventKey.ts';
import { createKeyTable } from './keyTable.ts';

/** A promise: being written now. */
export type KeyState = 'durable' | 'in doubt' | Promise<void>;

const KEY = /^\d{1,20}$/;
/** The batch of what was durable before this process. */
const DURABLE = 0;
/** Numbers come round again; by then the keys of the first batches are long forgotten. */
const MOST_BATCHES = 2 ** 31 - 1;

export interface DeduplicationWindow {
  get(key: EventKey): KeyState | undefined;
  /** Remembers a key while its group is written, and after; forgets it when the write fails, so that it may come again. */
  remember(key: EventKey, written: Promise<void>): void;
  /** A key known to be durable, as decimal text; what is none is left out. */
  know(text: string): void;
  /** A key whose event was not added to its group after all. */
  forget(key: EventKey): void;
}

/** @param capacity Keys remembered at least; at most twice as many. About 55 bytes each, taken at once. */
export function createDeduplicationWindow(capacity: number): DeduplicationWindow {
  let young = createKeyTable(capacity);
  let old = createKeyTable(capacity);
  /** Batches that are not durable yet, by number. */
  const underWay = new Map<number, KeyState>();
  let last = 0;
  let group: Promise<void> | undefined;

  function know(key: EventKey, batch: number): void {
    if (young.size() >= capacity) {
      old = young;
      young = createKeyTable(capacity);
    }
    young.set(key, batch);
  }

  /** @returns The number of its batch. */
  function follow(written: Promise<void>): number {
    const batch = (last % MOST_BATCHES) + 1;
    last = batch;
    group = written;
    underWay.set(batch, written);
    const durable = () => {
      underWay.delete(batch);
    };
    const failed = (error: unknown) => {
      if (!(error instanceof InDoubtError)) {
        underWay.delete(batch);
        young.deleteBatch(batch);
        old.deleteBatch(batch);
        return;
      }
      underWay.set(batch, 'in doubt');
      // When it never settles this process is ending, and the next one asks the engine.
      error.settled.then(durable, () => undefined);
    };
    written.then(durable, failed);
    return batch;
  }

  return {
    get(key) {
      const batch = young.get(key) ?? old.get(key);
      return batch === undefined ? undefined : (underWay.get(batch) ?? 'durable');
    },
    remember: (key, written) => know(key, written === group ? last : follow(written)),
    know(text) {
      // A file of an older version has no checksums: what stands there may be anything.
      if (text !== '0' && KEY.test(text)) know(parseEventKey(text), DURABLE);
    },
    forget(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
