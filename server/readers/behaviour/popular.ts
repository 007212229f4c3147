// What is read most right now: the newest clicks of the site, the newer the more they count.
import type { Clicks } from './clicks.ts';
import { POPULAR_CLICKS } from './settings.ts';
import type { Votes } from './votes.ts';

/** By age in clicks, made ready once. */
const WEIGHTS = Float32Array.from({ length: POPULAR_CLICKS }, (_, age) => 2 ** ((-2 * age) / POPULAR_CLICKS));

export function votesOfPopularity(clicks: Clicks, votes: Votes): void {
  const first = Math.max(clicks.oldest, clicks.end - POPULAR_CLICKS);
  for (let click = clicks.end - 1; click >= first; click--) {
    votes.add(clicks.postOf(click), WEIGHTS[clicks.end - 1 - click]!);
  }
}
