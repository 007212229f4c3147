// What a visitor likes: the posts read lately, added up into one vector, the newest weighing most. Themes that come back
// add up; kept apart post by post, the same visits predicted what is read next less well.

import type { PostIndex } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import { heaviest, type Probe, type Weighed, weighed } from './vectors.ts';
import { TASTE_DECAY, TASTE_TERMS } from './weights.ts';

/** @param read Numbers of posts, newest first. */
export function tasteOf(index: PostIndex, read: readonly number[]): Probe {
  sum.clear();
  let share = 1;
  for (const number of read) {
    const { terms, frequencies, posts } = tellingTerms(index, number);
    const norm = index.catalogue.norms[number]! || 1;
    sum.makeRoom(terms.length);
    for (let i = 0; i < terms.length; i++) {
      const rarity = index.rarity(posts[i]!);
      sum.add(terms[i]!, (share * ROOTS[frequencies[i]!]! * rarity) / norm, rarity);
    }
    share *= TASTE_DECAY;
  }
  const { terms } = sum;
  let squares = 0;
  for (let i = 0; i < terms.count; i++) squares += terms.weights[i]! ** 2;
  return { looked: heaviest(terms, { most: TASTE_TERMS, length: Math.sqrt(squares) }), distinct: terms.count };
}

/** Terms of a post that others have and not too many, with how often it says them and in how many posts they stand. */
interface Telling {
  terms: Uint32Array;
  frequencies: Uint8Array;
  posts: Uint32Array;
}

/** Posts whose terms are kept: some ten kilobytes each. Most readers have read what others have. */
const KEPT = 256;
/** Of every index by number of post, those used last at the end; good as long as nothing changes. */
const kept = new WeakMap<PostIndex, { version: number; posts: Map<number, Telling> }>();

function tellingTerms(index: PostIndex, number: number): Telling {
  const { version } = index.catalogue;
  let known = kept.get(index);
  if (known?.version !== version) {
    known = { version, posts: new Map() };
    kept.set(index, known);
  }
  const telling = known.posts.get(number) ?? readTerms(index, number);
  known.posts.delete(number);
  known.posts.set(number, telling);
  if (known.posts.size > KEPT) known.posts.delete(known.posts.keys().next().value!);
  return telling;
}

/** Terms a reader reads at most. */
const TERMS = 16_384;
const found = new Uint32Array(TERMS);
const places = new Uint16Array(TERMS);

function readTerms(index: PostIndex, number: number): Telling {
  const { common } = index;
  const reader = index.reader.read(index.digests.place(number));
  const { terms, frequencies, count } = reader;
  index.counts.postsOf(reader, found);
  let told = 0;
  for (let i = 0; i < count; i++) if (found[i]! >= 2 && found[i]! <= common) places[told++] = i;
  const telling = places.subarray(0, told);
  return {
    terms: Uint32Array.from(telling, (at) => terms[at]!),
    frequencies: Uint8Array.from(telling, (at) => frequencies[at]!),
    posts: Uint32Array.from(telling, (at) => found[at]!),
  };
}

/** Terms with the sum of what was said of each. */
class TermSum {
  terms: Weighed = weighed(1 << 13);
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
    this.terms = weighed(room);
    this.places = new Uint32Array(room * 2);
    for (let i = 0; i < before.count; i++) this.add(before.terms[i]!, before.weights[i]!, before.rarities[i]!);
  }

  add(term: number, weight: number, rarity: number): void {
    const { terms, places } = this;
    const mask = places.length - 1;
    let slot = (term >>> 7) & mask;
    for (; places[slot] !== 0; slot = (slot + 1) & mask) {
      const at = places[slot]! - 1;
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

/** Reused: a taste has tens of thousands of terms. */
const sum = new TermSum();
