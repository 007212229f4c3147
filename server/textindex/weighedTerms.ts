// Terms with their weights while a query vector is made of them, and the selection of the heaviest.

import type { TermVector } from './postings.ts';
import { float64At, uint32At } from './typedReads.ts';

const PLACES = 2 ** 20;
/** Weights alike in their first bits: as numbers without a sign, bits are in the order of what they stand for. */
const GROUP_BITS = 18;

/** Terms of a query vector being made, `count` of them. */
export class WeighedTerms {
  terms: Uint32Array;
  /** On this side of the product: √frequency × rarity. */
  weights: Float64Array;
  rarities: Float64Array;
  count = 0;
  private bits = new Uint32Array(0);
  private readonly groups = new Uint32Array(1 << (32 - GROUP_BITS - 1));
  private readonly asFloat = new Float32Array(1);
  private readonly asBits = new Uint32Array(this.asFloat.buffer);

  /** @param room Terms it holds before it grows. */
  constructor(room: number) {
    this.terms = new Uint32Array(room);
    this.weights = new Float64Array(room);
    this.rarities = new Float64Array(room);
  }

  /** The heaviest terms, heaviest first; at most 2^20 terms are held. @param of.length Length of the whole vector. */
  heaviest({ most, length }: { most: number; length: number }): TermVector {
    const size = Math.min(most, this.count);
    const order = this.inOrder(size);
    if (size < order.length) breakTie(order, { at: size, terms: this.terms });
    const terms = new Uint32Array(size);
    const weights = new Float32Array(size);
    for (let i = 0; i < size; i++) {
      const at = placeIn(float64At(order, i));
      terms[i] = uint32At(this.terms, at);
      // The other side of the product, √frequency × rarity, has no rarity in the postings: it is put in here.
      weights[i] = (float64At(this.weights, at) * float64At(this.rarities, at)) / (length || 1);
    }
    return { terms, weights };
  }

  /** Places of the heaviest terms, heaviest first: of `least` and those about as heavy as the last of them. */
  private inOrder(least: number): Float64Array {
    const { weights, count, groups, asFloat, asBits } = this;
    if (this.bits.length < count) this.bits = new Uint32Array(count * 2);
    const { bits } = this;
    groups.fill(0);
    for (let i = 0; i < count; i++) {
      asFloat[0] = weights[i]!;
      const weight = asBits[0]!;
      bits[i] = weight;
      groups[weight >>> GROUP_BITS]!++;
    }
    let group = groups.length;
    let size = 0;
    while (size < least) size += uint32At(groups, --group);
    // A weight and where it stands, as one number: such are sorted without being compared by a function.
    const order = new Float64Array(size);
    let at = 0;
    for (let i = 0; i < count; i++) {
      const weight = bits[i]!;
      if (weight >>> GROUP_BITS >= group) order[at++] = weight * PLACES + (PLACES - 1 - i);
    }
    return order.sort().reverse();
  }
}

const placeIn = (weightAndPlace: number): number => PLACES - 1 - (weightAndPlace % PLACES);

/** Orders terms of equal weight by their numbers, so that the same ones are within the first `at` each time. */
function breakTie(order: Float64Array, { at, terms }: { at: number; terms: Uint32Array }): void {
  const weightOf = (place: number) => Math.floor(float64At(order, place) / PLACES);
  const weight = weightOf(at);
  let start = at;
  let end = at;
  while (start > 0 && weightOf(start - 1) === weight) start--;
  while (end < order.length && weightOf(end) === weight) end++;
  order.subarray(start, end).sort((a, b) => uint32At(terms, placeIn(a)) - uint32At(terms, placeIn(b)));
}
