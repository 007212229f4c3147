// Top-k selection: the best of many, without sorting them all; and without scoring them all, where upper bounds of the
// scores are cheap (as WAND prunes documents by the highest their terms may add).

import type { ItemSource } from '../contract/wire.ts';
import type { Scored, ScoredCandidates } from './scorer.ts';
import type { Workspace } from './workspace.ts';

/** A post of an answer, with its score. */
export interface Ranked {
  number: number;
  score: number;
  /** Where something else than its score brought it into the answer. */
  source?: ItemSource;
}

/** Whether a stands before b: the higher score; where it is equal, the smaller address, so that the order is stable. */
export type Before = (a: number, b: number) => boolean;

/** Equal ones stand in the order of their addresses. */
export const byAddress =
  (urls: readonly string[]): Before =>
  (a, b) =>
    (urls[a] ?? '') < (urls[b] ?? '');

/**
 * Positions in `found` of its `most` best entries, best first. Ties are broken by `tie`, called with numbers of posts.
 */
export function topK(found: Scored, most: number, tie: Before): number[] {
  const { numbers, scores, count } = found;
  const before: Before = (a, b) => (scores[a] === scores[b] ? tie(numbers[a]!, numbers[b]!) : scores[a]! > scores[b]!);
  // A heap with the worst of the best on top.
  const worse: Before = (a, b) => before(b, a);
  const heap: number[] = [];
  // From the end: posts mostly come in the order they were published, and the newest are what is often asked for.
  for (let i = count - 1; i >= 0; i--) {
    if (heap.length < most) {
      heap.push(i);
      siftUp(heap, heap.length - 1, worse);
      continue;
    }
    // Nearly all are worse than the worst of the best, which is seen without a call.
    if (most === 0 || scores[i]! < scores[heap[0]!]! || !before(i, heap[0]!)) continue;
    heap[0] = i;
    siftDown(heap, 0, { size: heap.length, first: worse });
  }
  return heap.sort((a, b) => (before(a, b) ? -1 : 1));
}

/** States of a candidate: only its cheap upper bound is known, its upper bound, a closer one, its score. */
const BOUNDED = 0;
const CHEAPLY_SCORED = 1;
const CLOSELY_BOUNDED = 2;
const SCORED = 3;

/** An upper bound may be a little too low, by rounding. */
const ROUNDING = 1 + 1e-6;

/** Which candidates a top-k is made of, and how it is put in order. */
interface Selection {
  tie: Before;
  /** Whether a post may be yielded, by its number; the place is that of the candidate. Default: all may. */
  allowed?: (number: number, place: number) => boolean;
  /**
   * Whether a candidate is left out in the light of those yielded so far, by its place; asked before it is scored, and
   * before it is yielded. Default: none is.
   */
  skips?: (place: number) => boolean;
}

/**
 * The candidates that are allowed in descending order of their scores, ties broken by `tie`, lazily: a candidate is
 * looked at only when one of its base score may be the highest of all, and scored only while its upper bound is. The
 * order is that of the scores, however many candidates are taken.
 */
export function* prunedTopK(
  { heap: scratch }: Workspace,
  { numbers, scores, count, scorer }: ScoredCandidates,
  { tie, allowed = () => true, skips = () => false }: Selection,
): Generator<Ranked & { place: number }> {
  const heap = scratch.places.of(count);
  const cheapScores = scratch.cheapScores.of(count);
  const bounds = scratch.bounds.of(count);
  const states = scratch.states.of(count);
  const first: Before = (a, b) => {
    if (bounds[a] !== bounds[b]) return bounds[a]! > bounds[b]!;
    // One that may score less must be scored before one of the same bound is yielded.
    if (states[a] !== SCORED || states[b] !== SCORED) return states[a] !== SCORED && states[b] === SCORED;
    return tie(numbers[a]!, numbers[b]!);
  };
  const inGroups = scratch.groups.of({ scores, count });
  let group = 0;
  let met = 0;
  let size = 0;
  for (;;) {
    // Those of the next group come in when one of them may be the highest.
    while (met < count && (size === 0 || scratch.groups.ceiling(group) * scorer.max * ROUNDING >= bounds[heap[0]!]!)) {
      for (const end = scratch.groups.end(group++); met < end; met++) {
        const at = inGroups[met]!;
        if (!allowed(numbers[at]!, at)) continue;
        states[at] = BOUNDED;
        bounds[at] = scorer.cheapUpperBound(numbers[at]!, scores[at]!) * ROUNDING;
        heap[size] = at;
        siftUp(heap, size++, first);
      }
    }
    if (size === 0) return;
    const at = heap[0]!;
    const number = numbers[at]!;
    if (states[at] !== BOUNDED && skips(at)) heap[0] = heap[--size]!;
    else if (states[at] === SCORED) {
      yield { number, score: bounds[at]!, place: at };
      heap[0] = heap[--size]!;
    } else if (states[at] === CHEAPLY_SCORED) {
      states[at] = CLOSELY_BOUNDED;
      bounds[at] = scorer.closerBound(number, cheapScores[at]!) * ROUNDING;
    } else if (states[at] === CLOSELY_BOUNDED) {
      states[at] = SCORED;
      bounds[at] = scorer.fullScore(number, cheapScores[at]!);
    } else {
      states[at] = CHEAPLY_SCORED;
      const cheapScore = scorer.cheapScore(number, scores[at]!);
      cheapScores[at] = cheapScore;
      bounds[at] = scorer.upperBound(number, cheapScore) * ROUNDING;
    }
    siftDown(heap, 0, { size, first });
  }
}

/** Moves an entry of a heap up to where it belongs. */
function siftUp(heap: number[] | Uint32Array, from: number, first: Before): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const below = heap[at]!;
    const above = heap[parent]!;
    if (!first(below, above)) return;
    heap[at] = above;
    heap[parent] = below;
    at = parent;
  }
}

/** Moves an entry of a heap down to where it belongs; the one that is `first` of all is on top. */
function siftDown(heap: number[] | Uint32Array, from: number, { size, first }: { size: number; first: Before }): void {
  const moved = heap[from]!;
  let at = from;
  for (;;) {
    const left = at * 2 + 1;
    if (left >= size) break;
    let better = left;
    let best = heap[left]!;
    if (left + 1 < size) {
      const other = heap[left + 1]!;
      if (first(other, best)) {
        better = left + 1;
        best = other;
      }
    }
    if (!first(best, moved)) break;
    heap[at] = best;
    at = better;
  }
  heap[at] = moved;
}
