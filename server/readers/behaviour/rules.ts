// Sequential rules: what readers of a post read after it, the newest counting most.
import type { Clicks } from './clicks.ts';
import { RULE_CLICKS, RULE_STEPS } from './settings.ts';
import type { Votes } from './votes.ts';

export interface Moment {
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds after which a click counts half. */
  halfLife: number;
}

/** Votes for what was read after a post: 1 for the next, ½ for the one after, and so on. */
export function votesOfRules(clicks: Clicks, post: number, { votes, moment }: { votes: Votes; moment: Moment }): void {
  let click = clicks.posts.last[post] ?? -1;
  for (let looked = 0; click >= 0 && looked < RULE_CLICKS; looked++) {
    let after = clicks.next(click);
    if (after >= 0) {
      const weight = 2 ** (Math.min(0, clicks.timeOf(click) - moment.now) / moment.halfLife);
      for (let step = 1; after >= 0 && step <= RULE_STEPS; step++) {
        votes.add(clicks.postOf(after), weight / step);
        after = clicks.next(after);
      }
    }
    click = clicks.samePost(click);
  }
}
