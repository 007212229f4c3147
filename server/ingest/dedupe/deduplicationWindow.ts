// The deduplication window: keys of recent events, so that one that is sent again is not counted again. Bounded: the
// older half is dropped at once.

import { InDoubtError } from '../queue/inDoubt.ts';
import { type EventKey, parseEventKey } from './eventKey.ts';
import { createKeyTable } from './keyTable.ts';

/** A promise: being written; it settles as the write does. */
export type KeyState = 'durable' | 'in doubt' | Promise<void>;

const KEY = /^\d{1,20}$/;
/** Number of the batch of keys that were durable before this process. */
const DURABLE = 0;
/** Numbers wrap around; the keys of the first batches are dropped long before. */
const MOST_BATCHES = 2 ** 31 - 1;

export interface DeduplicationWindow {
  get(key: EventKey): KeyState | undefined;
  /**
   * Adds a key, whose group is being written; it is removed when the write fails, so that the event may be sent again.
   */
  remember(key: EventKey, written: Promise<void>): void;
  /** Adds a durable key, as decimal text; other text is ignored. */
  know(text: string): void;
  /** Removes a key whose event was not added to its group. */
  forget(key: EventKey): void;
}

/** @param capacity Keys kept at least; at most twice as many. About 55 bytes each, allocated at once. */
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
      // Where it never settles, this process ends, and the next one reads the keys of stored events.
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
      // Rows of a file of an older version have no checksums: the text may be anything.
      if (text !== '0' && KEY.test(text)) know(parseEventKey(text), DURABLE);
    },
    forget(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
