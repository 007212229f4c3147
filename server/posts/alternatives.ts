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
  /**
   * Titles and pictures of the post that winners of this test and of earlier ones have replaced, until the post is
   * given another one. Absent: none.
   */
  replaced?: readonly Partial<Own>[];
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

const OWN = ['title', 'imageUrl', 'thumbUrl'] as const satisfies readonly (keyof Post)[];

export type Own = Pick<Post, (typeof OWN)[number]>;

export const ownOf = ({ title, imageUrl, thumbUrl }: Own): Own => ({ title, imageUrl, thumbUrl });

/** The alternatives of a post while they are shown. */
export const runningOf = ({ alternatives }: Pick<Post, 'alternatives'>): Alternatives | undefined =>
  alternatives?.end === undefined ? alternatives : undefined;

/** A test that begins: every alternative has the same share. */
const beginTest = (others: readonly Alternative[], now: number, replaced: Alternatives['replaced']): Alternatives => ({
  others,
  shares: Array.from({ length: others.length + 1 }, () => 1 / (others.length + 1)),
  startedAt: now,
  ...(replaced && { replaced }),
});

/**
 * The alternatives of a post after something was said of it. The same alternatives once more change nothing, so that a
 * content management system may send them each time; an empty list stops the test. Where the post's own title or
 * picture changes, the test begins anew. A new state of a test that has ended, or is another one by now, is left out;
 * of one that has ended, more about its end is kept.
 * @param known The post before.
 * @param post The post after, but for its alternatives.
 */
export function alternativesAfter(
  known: Post | undefined,
  post: Post,
  said: readonly Alternative[] | Alternatives | undefined,
): Alternatives | undefined {
  const { updatedAt: now } = post;
  const stored = known?.alternatives;
  if (said !== undefined && 'startedAt' in said) {
    if (stored === undefined || said.startedAt !== stored.startedAt) return stored;
    if (stored.end === undefined) return said;
    // It was read before the post may have been given another title, which ends what `replaced` says.
    return said.end ? { ...stored, end: said.end } : stored;
  }
  const changed = known === undefined ? [] : OWN.filter((field) => known[field] !== post[field]);
  const current = stored && withoutReplaced(stored, changed);
  if (said?.length === 0) return current && !current.end ? { ...current, end: { at: now, own: ownOf(post) } } : current;
  if (said !== undefined && !areSame(said, current?.others ?? [])) return beginTest(said, now, current?.replaced);
  if (current === undefined || current.end || changed.length === 0) return current;
  return beginTest(current.others, now, current.replaced);
}

/** Once the post is given a title that is not among them, a replaced one counts again; so of pictures. */
function withoutReplaced(test: Alternatives, changed: readonly (keyof Own)[]): Alternatives {
  if (test.replaced === undefined || changed.length === 0) return test;
  const { replaced: before, ...rest } = test;
  const isKept = (name: string): boolean => !changed.some((field) => field === name);
  const kept = before.map((own) => Object.fromEntries(Object.entries(own).filter(([name]) => isKept(name))));
  const replaced = kept.filter((own) => Object.keys(own).length > 0);
  return replaced.length > 0 ? { ...rest, replaced } : rest;
}

const areSame = (some: readonly object[], others: readonly object[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

/**
 * Whether something is said of a post that a winner has replaced: content management systems send the title they know
 * with each change of the post, pages repeat it, and the winner stays.
 */
export function isReplaced(known: Post | undefined, field: string, value: unknown): boolean {
  const name = OWN.find((one) => one === field);
  if (known === undefined || name === undefined || value === known[name]) return false;
  return (known.alternatives?.replaced ?? []).some((own) => own[name] === value);
}
