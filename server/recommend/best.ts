// The best of many, without sorting them all.

import type { Scored } from './candidates.ts';

/** Whether a stands before b: the higher score; where it is equal, the smaller address, so that order never wavers. */
export type Before = (a: number, b: number) => boolean;

/** Positions in `found` of its `most` best entries, best first. Ties are broken by `tie`, asked with numbers of posts. */
export function best(found: Scored, most: number, tie: Before): number[] {
  const { numbers, scores, count } = found;
  const before: Before = (a, b) => (scores[a] === scores[b] ? tie(numbers[a]!, numbers[b]!) : scores[a]! > scores[b]!);
  const heap: number[] = [];
  // From the end: posts mostly come in the order they were published, and the newest are what is often asked for.
  for (let i = count - 1; i >= 0; i--) {
    if (heap.length < most) {
      heap.push(i);
      raise(heap, before);
    } else if (most > 0 && before(i, heap[0]!)) {
      heap[0] = i;
      sink(heap, before);
    }
  }
  return heap.sort((a, b) => (before(a, b) ? -1 : 1));
}

// A heap with the worst of the best on top.

function raise(heap: number[], before: Before): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(heap[parent]!, heap[at]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], before: Before): void {
  let at = 0;
  for (;;) {
    const left = at * 2 + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const worst = right < heap.length && before(heap[left]!, heap[right]!) ? right : left;
    if (!before(heap[at]!, heap[worst]!)) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], one: number, other: number): void {
  const kept = heap[one]!;
  heap[one] = heap[other]!;
  heap[other] = kept;
}
