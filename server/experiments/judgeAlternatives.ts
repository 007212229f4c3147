// What the readers of lists say of the alternative titles and pictures of a post: new shares, or a winner. Pure.
import { type Alternatives, ownOf } from '../posts/alternatives.ts';
import type { PostCard, PostPatch } from '../posts/post.ts';
import { type Arm, thompsonShares } from './thompson.ts';

const HOUR = 3_600_000;

/** A click counts half after this. */
export const HALF_LIFE_MS = 24 * HOUR;
/** After so long the one that is most likely the best wins; clicks before count little by then. */
export const LONGEST_TEST_MS = 7 * 24 * HOUR;
/** An alternative wins that is the best one with this probability, once lists showed the post so often. */
const SURE = 0.95;
const FEWEST_SHOWN = 1_000;
/** Smaller changes of a share are not worth a write of the post. */
const LEAST_CHANGE = 0.005;

/**
 * @param arms Of each alternative, by number: how often lists showed it to a reader, and its quality clicks, decayed.
 * @returns undefined where nothing changes: as long as no list shows the post.
 */
export function judgeAlternatives(
  post: PostCard,
  test: Alternatives,
  { arms, now }: { arms: readonly Arm[]; now: number },
): PostPatch | undefined {
  const shown = arms.reduce((sum, arm) => sum + arm.shown, 0);
  if (shown === 0) return undefined;
  const shares = thompsonShares(arms);
  const best = Math.max(...shares);
  const isOver = now - test.startedAt >= LONGEST_TEST_MS;
  if (isOver || (best >= SURE && shown >= FEWEST_SHOWN)) return won(post, test, { shares, best, now });
  const isNew = shares.some((share, index) => Math.abs(share - (test.shares[index] ?? 0)) >= LEAST_CHANGE);
  return isNew ? { alternatives: { ...test, shares } } : undefined;
}

function won(
  post: PostCard,
  test: Alternatives,
  { shares, best, now }: { shares: number[]; best: number; now: number },
): PostPatch {
  const index = shares.indexOf(best);
  const { title, imageUrl } = test.others[index - 1] ?? {};
  return {
    ...(title !== undefined && { title }),
    ...(imageUrl !== undefined && { imageUrl, thumbUrl: '' }),
    alternatives: { ...test, shares, end: { at: now, winner: index + 1, own: ownOf(post) } },
  };
}
