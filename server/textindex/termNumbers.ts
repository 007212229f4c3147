// Numbers terms from 0 in the order they are met: a small table, made to be cleared and filled again.

import { enlarged } from '../enlarged.ts';
import { uint32At } from './typedReads.ts';

export class TermNumbers {
  /** Terms so far. */
  count = 0;
  /** By number. */
  terms = new Uint32Array(512);
  /**
   * Where a term's bits lead: the term, and its number plus one; 0: free. Twice as many as there are terms at least.
   */
  private slots = new Uint32Array(2048);

  /** Number of a term, given to it when first met. */
  of(term: number): number {
    const key = term || 1;
    const { slots } = this;
    const mask = slots.length - 2;
    let slot = (key << 1) & mask;
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask)
      if (slots[slot] === key) return uint32At(slots, slot + 1) - 1;
    this.terms[this.count] = key;
    slots[slot] = key;
    slots[slot + 1] = ++this.count;
    if (this.count === this.terms.length) this.grow();
    return this.count - 1;
  }

  clear(): void {
    this.count = 0;
    this.slots.fill(0);
  }

  private grow(): void {
    const terms = enlarged(this.terms, new Uint32Array(this.terms.length * 2));
    this.terms = terms;
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 2;
    for (const [number, term] of terms.subarray(0, this.count).entries()) {
      let slot = (term << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = term;
      slots[slot + 1] = number + 1;
    }
    this.slots = slots;
  }
}
