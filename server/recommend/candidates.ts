// First two calls: posts that share terms with what is looked for, and of those the ones that may be shown.

import type { Allows } from './allowed.ts';
import type { PostIndex } from './postIndex.ts';
import type { Asked } from './understand.ts';
import { CANDIDATE_FLOOR, FLOOR_LENGTH_POWER } from './weights.ts';

/** Numbers of posts with a score each; `count` of them. */
export interface Found {
  numbers: Uint32Array;
  scores: Float32Array | Float64Array;
  count: number;
}

export const NOTHING: Found = { numbers: new Uint32Array(0), scores: new Float32Array(0), count: 0 };

/** Every post that shares a term with the probe, with how close it is, in no order. */
export function candidates(index: PostIndex, { probe }: Pick<Asked, 'probe'>): Found {
  if (!probe) return NOTHING;
  const { divisors } = index.catalogue;
  const { values, touched, count } = index.addUp(probe.looked);
  const scores = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const divisor = divisors[touched[i]!]!;
    scores[i] = divisor > 0 ? values[touched[i]!]! / divisor : 0;
  }
  return { numbers: touched.slice(0, count), scores, count };
}

/** The candidates close enough to be looked at, that may be shown. Works in place. */
export function keepAllowed(
  index: PostIndex,
  found: Found,
  { asked, allowed }: { asked: Asked; allowed: Allows },
): Found {
  if (!asked.probe) return found;
  const floor = CANDIDATE_FLOOR / asked.probe.distinct ** FLOOR_LENGTH_POWER;
  const { norms, divisors } = index.catalogue;
  const { numbers, scores } = found;
  let count = 0;
  for (let i = 0; i < found.count; i++) {
    const number = numbers[i]!;
    const cosine = (scores[i]! * divisors[number]!) / norms[number]!;
    if (!(cosine >= floor) || !allowed(number)) continue;
    numbers[count] = number;
    scores[count] = scores[i]!;
    count++;
  }
  return { numbers, scores, count };
}
