// Top-k selection: the best of many, without sorting them all.
import { type Before, Heap } from './heap.ts';

/** Numbers of posts with a score each; `count` of them. */
export interface Scored {
  numbers: Uint32Array;
  scores: Float32Array | Float64Array;
  count: number;
}

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
  // With the worst of the best on top.
  const best = new Heap(new Uint32Array(Math.min(most, count)), (a, b) => before(b, a));
  // From the end: posts mostly come in the order they were published, and the newest are what is often asked for.
  let i = count - 1;
  for (; i >= 0 && best.size < most; i--) best.push(i);
  let worst = best.top;
  if (worst === undefined) return [];
  for (; i >= 0; i--) {
    // Nearly all are worse than the worst of the best, which is seen without a call.
    if (scores[i]! < scores[worst]! || !before(i, worst)) continue;
    worst = best.replaceTop(i);
  }
  return best.toArray().sort((a, b) => (before(a, b) ? -1 : 1));
}
