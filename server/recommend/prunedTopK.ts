// Pruned top-k: the best of many, without scoring them all where upper bounds of the scores are cheap (as WAND prunes
// documents by the highest their terms may add). `textindex/topK.ts` selects the best of those that have scores.
import type { ItemSource } from '../contract/wire.ts';
import { type Before, Heap } from '../textindex/heap.ts';
import { ROUNDING, type ScoredCandidates } from './scorer.ts';
import type { Workspace } from './workspace.ts';

/** A post of an answer, with its score. */
export interface Ranked {
  number: number;
  score: number;
  /** Where something else than its score brought it into the answer. */
  source?: ItemSource;
}

/** States of a candidate: only its cheap upper bound is known, its upper bound, a closer one, its score. */
const BOUNDED = 0;
const CHEAPLY_SCORED = 1;
const CLOSELY_BOUNDED = 2;
const SCORED = 3;

/** What raises an upper bound above every score. */
const SURELY = 1 + ROUNDING;

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
  const cheapScores = scratch.cheapScores.of(count);
  const bounds = scratch.bounds.of(count);
  const states = scratch.states.of(count);
  const first: Before = (a, b) => {
    if (bounds[a] !== bounds[b]) return bounds[a]! > bounds[b]!;
    // One that may score less must be scored before one of the same bound is yielded.
    if (states[a] !== SCORED || states[b] !== SCORED) return states[a] !== SCORED && states[b] === SCORED;
    return tie(numbers[a]!, numbers[b]!);
  };
  const heap = new Heap(scratch.places.of(count), first);
  const inGroups = scratch.groups.of({ scores, count });
  let group = 0;
  let met = 0;
  for (;;) {
    let at = heap.top;
    // Those of the next group come in when one of them may be the highest.
    while (met < count && (at === undefined || scratch.groups.ceiling(group) * scorer.max * SURELY >= bounds[at]!)) {
      for (const end = scratch.groups.end(group++); met < end; met++) {
        const place = inGroups[met]!;
        const number = numbers[place]!;
        if (!allowed(number, place)) continue;
        states[place] = BOUNDED;
        bounds[place] = scorer.cheapUpperBound(number, scores[place]!) * SURELY;
        heap.push(place);
      }
      at = heap.top;
    }
    if (at === undefined) return;
    const number = numbers[at]!;
    const state = states[at];
    if (state !== BOUNDED && skips(at)) heap.pop();
    else if (state === SCORED) {
      yield { number, score: bounds[at]!, place: at };
      heap.pop();
    } else {
      if (state === BOUNDED) {
        states[at] = CHEAPLY_SCORED;
        const cheapScore = scorer.cheapScore(number, scores[at]!);
        cheapScores[at] = cheapScore;
        bounds[at] = scorer.upperBound(number, cheapScore) * SURELY;
      } else if (state === CHEAPLY_SCORED) {
        states[at] = CLOSELY_BOUNDED;
        bounds[at] = scorer.closerBound(number, cheapScores[at]!) * SURELY;
      } else {
        states[at] = SCORED;
        bounds[at] = scorer.fullScore(number, cheapScores[at]!);
      }
      heap.replaceTop(at);
    }
  }
}
