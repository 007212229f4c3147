// First two calls: posts that share terms with what is looked for, and of those the ones that are relevant and allowed.

import type { Allows } from './allowed.ts';
import type { PostIndex } from './postIndex.ts';
import type { Asked } from './understand.ts';
import { FLOOR_LENGTH_POWER, RELEVANCE_FLOOR } from './weights.ts';

/** Numbers of posts with a score each; `count` of them. */
export interface Found {
  numbers: Uint32Array;
  scores: Float32Array | Float64Array;
  count: number;
}

/** Every post that shares a term with the probe, with its cosine, in no order. */
export function candidates(index: PostIndex, { probe }: Pick<Asked, 'probe'>): Found {
  if (!probe) return { numbers: new Uint32Array(0), scores: new Float32Array(0), count: 0 };
  const { norms, size } = index.catalogue;
  const sums = new Float32Array(size);
  const numbers = new Uint32Array(size);
  const count = index.addUp(probe.looked, sums, numbers);
  const scores = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const norm = norms[numbers[i]!]!;
    scores[i] = norm > 0 ? sums[numbers[i]!]! / norm : 0;
  }
  return { numbers, scores, count };
}

/** The candidates that are close enough to be called relevant and may be shown. Works in place. */
export function keepAllowed(found: Found, { probe }: Pick<Asked, 'probe'>, allowed: Allows): Found {
  if (!probe) return found;
  const floor = RELEVANCE_FLOOR / probe.distinct ** FLOOR_LENGTH_POWER;
  const { numbers, scores } = found;
  let count = 0;
  for (let i = 0; i < found.count; i++) {
    if (scores[i]! < floor || !allowed(numbers[i]!)) continue;
    numbers[count] = numbers[i]!;
    scores[count] = scores[i]!;
    count++;
  }
  return { numbers, scores, count };
}
