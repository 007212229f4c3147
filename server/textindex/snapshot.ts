// Snapshot of an index, in parts, from which the next start restores it. It holds no posts: the caller restores each
// post that has not changed since, under its old number.
//
//   for (const part of partsOf(index, …)) …              nothing is merged meanwhile; posts may come and go
//   for (const part of …) restorePart(index, part);

import { at } from '../at.ts';
import type { Catalogue } from './catalogue.ts';
import type { ForwardIndex } from './forwardIndex.ts';
import { listLength } from './postings.ts';
import { type SnapshotPart, snapshotPart } from './snapshotPart.ts';
import type { SurveyFacts } from './survey.ts';
import type { TermCounts } from './termCounts.ts';
import type { TermDictionary } from './termDictionary.ts';

/**
 * To be raised whenever words, forward index entries or postings are made in another way: snapshots of before are not
 * read then.
 */
const SNAPSHOT_VERSION = 8;

export interface SnapshotParts {
  catalogue: Catalogue;
  forwardIndex: ForwardIndex;
  dictionary: TermDictionary;
  counts: TermCounts;
  lists: Uint8Array[];
}

export interface SnapshotHeader extends SurveyFacts {
  version: number;
  /** Numbers of posts are below this. */
  size: number;
  builtAt: number;
}

/** Posts described in one part. */
const POSTS_A_PART = 500;

/** The descriptions of posts, in parts named `posts`. @param describe undefined: the post is left out. */
export function* describedPosts(size: number, describe: (number: number) => unknown): Generator<SnapshotPart> {
  for (let from = 0; from < size; from += POSTS_A_PART) {
    const posts: unknown[] = [];
    for (let number = from; number < Math.min(size, from + POSTS_A_PART); number++) {
      const description = describe(number);
      if (description !== undefined) posts.push(description);
    }
    yield snapshotPart('posts', from, [], posts);
  }
}

/**
 * @param of.isMerged Whether a post's postings are all in the main segment.
 * @param of.elsewhere How many posts that are not have a term: they come again, and are counted again then.
 */
export function* partsOf(
  parts: SnapshotParts,
  facts: Omit<SnapshotHeader, 'version'>,
  { isMerged, elsewhere }: { isMerged: (number: number) => boolean; elsewhere: (term: number) => number },
): Generator<SnapshotPart> {
  const { catalogue, forwardIndex, dictionary, counts, lists } = parts;
  yield snapshotPart('index', 0, [], { version: SNAPSHOT_VERSION, ...facts } satisfies SnapshotHeader);
  const { size } = facts;
  const weights = [catalogue.norms, catalogue.divisors, catalogue.nearness].map((each) => each.subarray(0, size));
  yield snapshotPart('weights', 0, [...weights, catalogue.simHashes.subarray(0, size * 2)]);
  // The words come last: what is written of posts names no word that came later.
  yield* forwardIndex.snapshot(isMerged);
  for (const [shard, { keys, posts, heads }] of counts.table.shards.entries()) {
    // A term that has a list is counted by its length at the restore.
    const counted = posts.map((count, slot) =>
      count === 0 || heads[slot] !== 0 ? count : Math.max(0, count - elsewhere(at(keys, slot))),
    );
    yield snapshotPart('terms', shard, [keys, counted, heads, at(lists, shard)]);
  }
  yield* counts.seen.snapshot();
  yield* dictionary.snapshot();
}

/** @returns false for a part of another version. */
export function restorePart(parts: SnapshotParts, part: SnapshotPart): boolean {
  const { catalogue, forwardIndex, dictionary, counts, lists } = parts;
  if (part.name === 'index' && (part.facts as SnapshotHeader).version !== SNAPSHOT_VERSION) return false;
  if (part.name === 'index') catalogue.reserve((part.facts as SnapshotHeader).size);
  else if (part.name === 'forward') forwardIndex.restore(part);
  else if (part.name === 'words') dictionary.restore(part);
  else if (part.name === 'seen') counts.seen.restore(part);
  else if (part.name === 'weights') {
    const [norms, divisors, nearness, simHashes] = part.arrays as [
      Float32Array,
      Float32Array,
      Float32Array,
      Uint32Array,
    ];
    catalogue.norms.set(norms);
    catalogue.divisors.set(divisors);
    catalogue.nearness.set(nearness);
    catalogue.simHashes.set(simHashes);
  } else if (part.name === 'terms') {
    const [keys, posts, heads, list] = part.arrays as [Uint32Array, Uint32Array, Uint32Array, Uint8Array];
    lists[part.at] = list;
    // Posts that were not in the main segment yet come again, and are counted again then.
    for (const [slot, head] of heads.entries()) if (head !== 0) posts[slot] = listLength(list, head);
    // What is in two posts and has no list is common, or was so when the lists were made.
    counts.table.restore(part.at, { keys, posts, heads }, (slot) => heads[slot] !== 0 || at(posts, slot) > 1);
  }
  return true;
}

/** @param waiting What is not in the main segment yet. */
export function bytesOf(
  { forwardIndex, dictionary, counts, lists }: SnapshotParts,
  waiting: readonly { bytes: number }[],
): Record<'forwardIndex' | 'words' | 'terms' | 'seen' | 'main' | 'memory', number> {
  return {
    forwardIndex: forwardIndex.bytes,
    words: dictionary.bytes,
    terms: counts.bytes,
    seen: counts.seen.bytes,
    main: lists.reduce((sum, list) => sum + list.length, 0),
    memory: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
