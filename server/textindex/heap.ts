// A binary heap of whole numbers, in memory that its user brings.

import { uint32At } from './typedReads.ts';

/** Whether a stands before b. */
export type Before = (a: number, b: number) => boolean;

export class Heap {
  /** Entries held. */
  size = 0;
  private readonly entries: Uint32Array;
  private readonly first: Before;

  /**
   * @param entries Overwritten; room for as many entries as there ever are at once.
   * @param first The order: what stands before all others is on top.
   */
  constructor(entries: Uint32Array, first: Before) {
    this.entries = entries;
    this.first = first;
  }

  /** What stands before all others; undefined where there is nothing. */
  get top(): number | undefined {
    return this.size > 0 ? this.entries[0] : undefined;
  }

  push(entry: number): void {
    const { entries, first } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = uint32At(entries, parent);
      if (!first(entry, above)) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  /** Removes the top. */
  pop(): void {
    const { entries } = this;
    if (this.size === 0) return;
    this.size--;
    if (this.size > 0) this.replaceTop(uint32At(entries, this.size));
  }

  /**
   * Removes the top and adds another entry; or the same one, whose place in the order has changed.
   * @returns The new top.
   */
  replaceTop(entry: number): number {
    const { entries, first, size } = this;
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= size) break;
      let better = left;
      let best = uint32At(entries, left);
      if (left + 1 < size) {
        const other = uint32At(entries, left + 1);
        if (first(other, best)) {
          better = left + 1;
          best = other;
        }
      }
      if (!first(best, entry)) break;
      entries[at] = best;
      at = better;
    }
    entries[at] = entry;
    return uint32At(entries, 0);
  }

  /** Its entries, as they lie in memory. */
  toArray(): number[] {
    return Array.from(this.entries.subarray(0, this.size));
  }
}
