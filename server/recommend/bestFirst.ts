// The best first, each judged in full only when it may be the next: what a post is worth at most is told sooner than what it
// is worth, and a post that could not stand next with the most it may be worth need not be read for it. Whatever is judged
// and however far somebody asks, the order is that of the scores.

import type { Before } from './best.ts';
import type { Judged } from './rescore.ts';

/** What may be answered with, best first. */
export interface Shown {
  number: number;
  score: number;
}

/** What is known of a post: its score, or what that is at most. */
const UNSEEN = 0;
const SEEN = 1;
const JUDGED = 2;

/** What is at most so much may be a little more, by rounding. */
const ROUNDING = 1 + 1e-6;

/** Reused from question to question: arrays made for each would be work for the garbage collector. */
let heap = new Uint32Array(0);
let glances = new Float64Array(0);
let worth = new Float64Array(0);
let known = new Uint8Array(0);

/** Posts in the order of their scores; of those that are the same `tie` decides. Good until the next question. */
export function* bestFirst({ numbers, scores, count, judge }: Judged, tie: Before): Generator<Shown> {
  makeRoom(count);
  for (let at = 0; at < count; at++) {
    heap[at] = at;
    worth[at] = judge.mostUnseen(numbers[at]!, scores[at]!) * ROUNDING;
  }
  known.fill(UNSEEN, 0, count);
  const before: Before = (a, b) => {
    if (worth[a] !== worth[b]) return worth[a]! > worth[b]!;
    // What may be worth less must be known before one that is worth as much is shown.
    if (known[a] !== JUDGED || known[b] !== JUDGED) return known[a] !== JUDGED && known[b] === JUDGED;
    return tie(numbers[a]!, numbers[b]!);
  };
  let size = count;
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(at, size, before);
  while (size > 0) {
    const at = heap[0]!;
    const number = numbers[at]!;
    if (known[at] === JUDGED) {
      yield { number, score: worth[at]! };
      heap[0] = heap[--size]!;
    } else if (known[at] === SEEN) {
      known[at] = JUDGED;
      worth[at] = judge.score(number, glances[at]!);
    } else {
      known[at] = SEEN;
      glances[at] = judge.glance(number, scores[at]!);
      worth[at] = judge.mostSeen(number, glances[at]!) * ROUNDING;
    }
    sink(0, size, before);
  }
}

function makeRoom(count: number): void {
  if (heap.length >= count) return;
  const room = Math.ceil(count * 1.25);
  heap = new Uint32Array(room);
  glances = new Float64Array(room);
  worth = new Float64Array(room);
  known = new Uint8Array(room);
}

/** Lets a place of the heap down to where it belongs; the best is on top. */
function sink(from: number, size: number, before: Before): void {
  const moved = heap[from]!;
  let at = from;
  for (;;) {
    const left = at * 2 + 1;
    if (left >= size) break;
    const right = left + 1;
    const better = right < size && before(heap[right]!, heap[left]!) ? right : left;
    if (!before(heap[better]!, moved)) break;
    heap[at] = heap[better]!;
    at = better;
  }
  heap[at] = moved;
}
