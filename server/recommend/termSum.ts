// A sum of sparse vectors: terms with the sum of their weights.

import { float64At, uint32At } from '../textindex/typedReads.ts';
import { WeighedTerms } from '../textindex/weighedTerms.ts';

export class TermSum {
  terms = new WeighedTerms(1 << 13);
  /** Place of a term in `terms` plus one, by its hash; 0 where there is none. At most half full. */
  private places = new Uint32Array(1 << 14);

  clear(): void {
    this.terms.count = 0;
    this.places.fill(0);
  }

  /** To be called before as many terms are added. */
  makeRoom(terms: number): void {
    const least = this.terms.count + terms;
    let room = this.terms.terms.length;
    if (least <= room) return;
    while (room < least) room *= 2;
    const before = this.terms;
    this.terms = new WeighedTerms(room);
    this.places = new Uint32Array(room * 2);
    for (let i = 0; i < before.count; i++) {
      this.add(uint32At(before.terms, i), float64At(before.weights, i), float64At(before.rarities, i));
    }
  }

  add(term: number, weight: number, rarity: number): void {
    const { terms, places } = this;
    const mask = places.length - 1;
    let slot = (term >>> 7) & mask;
    for (; places[slot] !== 0; slot = (slot + 1) & mask) {
      const at = uint32At(places, slot) - 1;
      if (terms.terms[at] !== term) continue;
      terms.weights[at]! += weight;
      return;
    }
    const at = terms.count++;
    places[slot] = at + 1;
    terms.terms[at] = term;
    terms.weights[at] = weight;
    terms.rarities[at] = rarity;
  }
}
