// Near-duplicates: syndicated copies and updated versions of an article, of which a list shows one.

import { at } from '../at.ts';
import { sameWords } from '../textindex/forwardIndex.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { sharedPairs } from '../textindex/sharedPairs.ts';
import { agreeingBits } from '../textindex/simHash.ts';
import type { Query } from './query.ts';
import { SAME_ARTICLE, SAME_PAIRS } from './weights.ts';
import type { Workspace } from './workspace.ts';

/**
 * Posts whose SimHashes agree in fewer bits than this (of 64) are different articles; the exact comparison is skipped.
 */
const LIKELY_BITS = 44;
/** The same where the pairs of words are compared, of which copies share more. */
const TEMPLATE_BITS = 52;
/** Posts whose pairs of words are compared with those of one post. */
const COMPARED = 8;

/**
 * A forward index entry shorter than this (some twenty words) is too short to compare: two "Morning briefings" without
 * a text are two posts.
 */
const TELLING_BYTES = 32;
/** Of the posts shown, the first and the last so many are compared: copies score alike and stand close together. */
const FIRST = 100;
const LAST = 30;

/** Posts that are shown, behind those that were read. */
export interface Shown {
  readonly posts: readonly number[];
  /** How many of them were read: what is made of the same template as one of these may still be shown. */
  readonly read: number;
}

/**
 * What a post repeats of those read or shown before it: an article, to a few changed sentences; or a template, of which
 * one that is shown is made word for word, but for a number or a name.
 */
export type Repeated = 'article' | 'template' | undefined;

/** @param number Of the post. */
export function repeatedBy({ index, workspace }: Query, { posts, read }: Shown, number: number): Repeated {
  const { simHashes, version } = index.catalogue;
  const { start, end } = index.post(number);
  if (end - start < TELLING_BYTES) return undefined;
  let most = LIKELY_BITS - 1;
  let likeliest = -1;
  const ofTemplate: number[] = [];
  for (let place = 0; place < posts.length; place++) {
    if (place === FIRST) place = Math.max(FIRST, posts.length - LAST);
    const other = at(posts, place);
    const bits = agreeingBits(simHashes, number, other);
    if (bits >= TEMPLATE_BITS && place >= read && ofTemplate.length < COMPARED) ofTemplate.push(other);
    if (bits <= most) continue;
    most = bits;
    likeliest = other;
  }
  if (likeliest < 0) return undefined;
  const entry = index.post(number);
  if (sameWords(index.post(likeliest), entry)) return 'article';
  const { copies, templates } = workspace.cachesOf(index);
  const isCopy = () => areAlike(index, workspace, { a: likeliest, b: number, least: SAME_ARTICLE });
  const isOfTemplate = (other: number) => sharedPairs(index.post(other), entry) >= SAME_PAIRS;
  if (copies.get(version, [likeliest, number], isCopy)) return 'article';
  return ofTemplate.some((other) => templates.get(version, [other, number], () => isOfTemplate(other)))
    ? 'template'
    : undefined;
}

/** Whether the cosine of two posts over all their terms is at least this. */
export function areAlike(
  index: PostIndex,
  { overlap, pair, cosineBound }: Workspace,
  { a, b, least }: { a: number; b: number; least: number },
): boolean {
  // All terms of the post that the query names are in its table already.
  if (overlap.has(index, a)) return overlap.cosine(b) >= least;
  if (cosineBound.isBelow(index, { a, b, least })) return false;
  // Copies of one article come one after another, and all are compared with the one that is shown.
  if (!pair.has(index, a)) pair.takeLightly(index, a);
  return pair.reaches(b, least);
}
