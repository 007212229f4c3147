// Alternative titles and pictures of a post, and how their test stands: lists show one of them to each reader, until
// one has won. Pure.
import type { Post } from './post.ts';

/** A title or a picture in place of the post's own, or both. */
export interface Alternative {
  title?: string;
  imageUrl?: string;
}

/** Alternatives are numbered from 1: 1 is the post's own title and picture, 2 the first of the others. */
export interface Alternatives {
  others: readonly Alternative[];
  /** Shares of the readers, by number; together 1. */
  shares: readonly number[];
  /** Epoch milliseconds. What was counted before says nothing. */
  startedAt: number;
  /** Absent while the test runs. */
  end?: AlternativesEnd;
}

export interface AlternativesEnd {
  /** Epoch milliseconds. */
  at: number;
  /** Number of the alternative that won: its title and picture are the post's own since. Absent: it was stopped. */
  winner?: number;
  /** The post's own title and picture before. */
  own: Own;
  /** When the webhook of the site took the winner; epoch milliseconds. Absent: it did not. */
  announcedAt?: number;
}

export type Own = Pick<Post, 'title' | 'imageUrl' | 'thumbUrl'>;

export const ownOf = ({ title, imageUrl, thumbUrl }: Own): Own => ({ title, imageUrl, thumbUrl });

/** The alternatives of a post while they are shown. */
export const runningOf = ({ alternatives }: Pick<Post, 'alternatives'>): Alternatives | undefined =>
  alternatives?.end === undefined ? alternatives : undefined;

/** A test that begins: every alternative has the same share. */
const beginTest = (others: readonly Alternative[], now: number): Alternatives => ({
  others,
  shares: Array.from({ length: others.length + 1 }, () => 1 / (others.length + 1)),
  startedAt: now,
});

/**
 * The alternatives of a post after something was said of it. The same alternatives once more change nothing, so that a
 * content management system may send them each time; an empty list stops the test. Where the post's own title or
 * picture changes, the test begins anew. A new state of a test that has ended, or is another one by now, is left out.
 * @param known The post before.
 * @param post The post after, but for its alternatives.
 */
export function alternativesAfter(
  known: Post | undefined,
  post: Post,
  said: readonly Alternative[] | Alternatives | undefined,
): Alternatives | undefined {
  const { updatedAt: now } = post;
  const current = known?.alternatives;
  if (said !== undefined && 'startedAt' in said)
    return said.startedAt === current?.startedAt && (current.end === undefined || said.end) ? said : current;
  if (said?.length === 0) return current && !current.end ? { ...current, end: { at: now, own: ownOf(post) } } : current;
  if (said !== undefined && !areSame(said, current?.others ?? [])) return beginTest(said, now);
  if (current === undefined || current.end || !known || areSame([ownOf(known)], [ownOf(post)])) return current;
  return beginTest(current.others, now);
}

const areSame = (some: readonly object[], others: readonly object[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

/**
 * Whether the publisher says what an alternative has replaced: content management systems send the title they know with
 * each change of the post, and the winner stays.
 */
export function isReplaced<Field extends keyof Own>(known: Post | undefined, field: string, value: unknown): boolean {
  const end = known?.alternatives?.end;
  if (known === undefined || end?.winner === undefined || !(field in end.own)) return false;
  const { [field as Field]: before } = end.own;
  return value === before && before !== known[field as Field];
}
