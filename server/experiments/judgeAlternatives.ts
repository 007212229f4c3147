// What the readers of lists say of the alternative titles and pictures of a post: new shares, or a winner. Pure.
import { HOUR } from '../durations.ts';
import { type Alternatives, ownOf } from '../posts/alternatives.ts';
import type { PostCard, PostPatch } from '../posts/post.ts';
import { type Arm, finalChances, sumOf, thompsonShares } from './thompson.ts';

/** A click counts half after this. */
export const HALF_LIFE_MS = 24 * HOUR;
/** After so long the one that is most likely the best wins, by all that was counted. */
export const LONGEST_TEST_MS = 7 * 24 * HOUR;
/** After so long a test that was shown too seldom is stopped. Nothing earlier is counted. */
export const GIVEN_UP_MS = 28 * 24 * HOUR;
/** An alternative wins that is the best one with this probability, once lists showed the post so often. */
const SURE = 0.95;
const FEWEST_SHOWN = 1_000;
/** Of each alternative, in the mean: after fewer showings none wins at the end. */
const FEWEST_EACH = 100;
/** Smaller changes of a share are not worth a write of the post. */
const LEAST_CHANGE = 0.005;

/** Of each alternative, by number: how often lists showed it to a reader, and its quality clicks. */
export interface ArmCounts {
  /** Decayed: they decide on the shares of the next readers. */
  arms: readonly Arm[];
  /** Of the whole test: they decide on the winner. Decayed, the readers of the first days would count for nothing. */
  whole: readonly Arm[];
}

/** @returns undefined where nothing changes: as long as no list shows the post. */
export function judgeAlternatives(
  post: PostCard,
  test: Alternatives,
  { arms, whole, now }: ArmCounts & { now: number },
): PostPatch | undefined {
  if (sumOf(whole, 'shown') === 0) return undefined;
  const shares = thompsonShares(arms);
  const winner = winnerOf({ arms, whole }, { shares, age: now - test.startedAt });
  if (winner !== undefined) return won(post, test, { shares, winner, now });
  if (now - test.startedAt >= GIVEN_UP_MS) return { alternatives: { ...test, end: { at: now, own: ownOf(post) } } };
  const isNew = shares.some((share, index) => Math.abs(share - (test.shares[index] ?? 0)) >= LEAST_CHANGE);
  return isNew ? { alternatives: { ...test, shares } } : undefined;
}

/** @returns The index of the alternative that wins now; undefined: none does. */
function winnerOf(
  { arms, whole }: ArmCounts,
  { shares, age }: { shares: readonly number[]; age: number },
): number | undefined {
  const chances = finalChances(whole);
  if (chances === undefined) return undefined;
  const best = chances.indexOf(Math.max(...chances));
  const isSure = (shares[best] ?? 0) >= SURE && sumOf(arms, 'shown') >= FEWEST_SHOWN;
  const isOver = age >= LONGEST_TEST_MS && sumOf(whole, 'shown') >= FEWEST_EACH * whole.length;
  return isSure || isOver ? best : undefined;
}

function won(
  post: PostCard,
  test: Alternatives,
  { shares, winner, now }: { shares: number[]; winner: number; now: number },
): PostPatch {
  const { title, imageUrl } = test.others[winner - 1] ?? {};
  const own = ownOf(post);
  const replaced = {
    ...(title !== undefined && { title: own.title }),
    ...(imageUrl !== undefined && { imageUrl: own.imageUrl, thumbUrl: own.thumbUrl }),
  };
  return {
    ...(title !== undefined && { title }),
    ...(imageUrl !== undefined && { imageUrl, thumbUrl: '' }),
    alternatives: {
      ...test,
      shares,
      end: { at: now, winner: winner + 1, own },
      ...(Object.keys(replaced).length > 0 && { replaced: [...(test.replaced ?? []), replaced] }),
    },
  };
}
