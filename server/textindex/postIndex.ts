// The inverted index of a site: which posts have which terms. Posts come and go one at a time.
//
//   const index = new PostIndex();
//   index.put(post);                                          found at once
//   index.score(vector, sums);                                dot products with every post, by number
//   for (const _ of index.tidy()) await yieldToEventLoop();   merges segments, in steps of a few milliseconds
//
// A main segment in bytes holds most postings; a memory segment of chains holds the posts that came since it was made,
// and `tidy` merges the one into the other. Terms with one post only are not in the main segment: no other post is
// found by them. README.md of this folder draws the parts.

import { Catalogue, type IndexedPost, type PutOptions } from './catalogue.ts';
import type { Follower } from './follower.ts';
import { ForwardEntryWriter } from './forwardEntry.ts';
import { type ForwardEntry, ForwardIndex } from './forwardIndex.ts';
import { addList, fetchLists, type ScoreOptions, type TermVector } from './postings.ts';
import { MemorySegment, memorySegmentLimit } from './segments/memorySegment.ts';
import { mergeMemorySegment } from './segments/mergeMemorySegment.ts';
import { rebuildSegment } from './segments/rebuildSegment.ts';
import { SortBuffer } from './segments/sortBuffer.ts';
import { DRIFT, QUERY_POSTINGS, REBUILT_AT } from './settings.ts';
import { simHash } from './simHash.ts';
import { bytesOf, describedPosts, partsOf, restorePart, type SnapshotHeader, type SnapshotParts } from './snapshot.ts';
import type { SnapshotPart } from './snapshotPart.ts';
import { Survey } from './survey.ts';
import { TermCounts } from './termCounts.ts';
import { TermDictionary } from './termDictionary.ts';
import { TermReader } from './termReader.ts';
import { TermStatistics } from './termStatistics.ts';
import { SHARDS, shardNumber, TermTable } from './termTable.ts';
import { lengthOf, type Weighed, weighAll } from './termWeights.ts';

export class PostIndex {
  /** The columns of posts by number: addresses, sections, authors, tags, dates, lengths. Read only. */
  readonly catalogue = new Catalogue();
  /** The words of the site by number. Read only, but for the words of names. */
  readonly dictionary = new TermDictionary();
  private readonly counts = new TermCounts();
  readonly statistics = new TermStatistics(this.counts, this.catalogue);
  /** What is learned of the site as a whole. Read only. */
  readonly survey = new Survey();
  /** Called for every post that comes and goes. */
  follower: Follower | undefined;
  private readonly forwardIndex = new ForwardIndex();
  private readonly reader = new TermReader();
  private readonly writer = new ForwardEntryWriter();
  /** The main segment, by shard. */
  private readonly lists: Uint8Array[] = Array.from({ length: SHARDS }, () => new Uint8Array(1));
  private readonly parts: SnapshotParts & Weighed = {
    catalogue: this.catalogue,
    forwardIndex: this.forwardIndex,
    dictionary: this.dictionary,
    counts: this.counts,
    lists: this.lists,
    statistics: this.statistics,
  };
  /** Postings of posts not in the main segment: while merging, those being merged come first. */
  private memorySegments: MemorySegment[] = [new MemorySegment()];
  /** Posts there were when the main segment was last made from the forward index. */
  private builtAt = 0;
  /** How often a memory segment was merged: a snapshot is worth writing when this has changed. Read only. */
  merges = 0;
  private isBeingRead = false;
  /** While merging: how many shards hold the merged memory segment already, and the posts that came since it began. */
  private exchanged = 0;
  private addedWhileMerging: Set<number> | undefined;
  /** Numbers of removed posts that postings may still name. */
  private dead: number[] = [];
  /** Deferred posts, which have no postings yet; and while merging, those that are being given theirs. */
  private pending: SortBuffer;
  private merging: SortBuffer | undefined;
  /** Posts that came or went since all were weighed. */
  private changes = 0;

  /** @param sortRoom Terms of deferred posts sorted at once. Default: four million. */
  constructor(sortRoom?: number) {
    this.pending = new SortBuffer(sortRoom);
  }

  get size(): number {
    return this.catalogue.count;
  }

  /** Bytes of the typed arrays, by part. */
  get bytes(): ReturnType<typeof bytesOf> {
    return bytesOf(this.parts, [...this.memorySegments, this.pending]);
  }

  /** Adds a post, or replaces the one at its URL. */
  put(post: IndexedPost, { deferred = false, tokens = this.writer.tokenize(post) }: PutOptions = {}): void {
    const { catalogue, forwardIndex, reader } = this;
    const bytes = this.writer.entry(tokens, this.dictionary);
    const known = catalogue.find(post.url);
    if (known >= 0) {
      if (forwardIndex.is(known, bytes)) {
        catalogue.describe(known, post);
        this.follower?.put(known, post);
        return;
      }
      this.drop(known);
    }
    const number = catalogue.add(post);
    this.changes++;
    forwardIndex.set(number, bytes);
    this.follower?.put(number, post);
    reader.read({ page: bytes, start: 0, end: bytes.length });
    simHash(reader, catalogue.simHashes, number * 2);
    this.addedWhileMerging?.add(number);
    if (deferred) {
      this.pending.add(number, reader, this.counts);
      return;
    }
    this.counts.count(reader, (term) => this.memorySegments.some((memorySegment) => memorySegment.has(term)));
    this.memorySegments.at(-1)!.put(number, reader);
    this.catalogue.weigh(number, lengthOf(this.statistics, reader));
  }

  /**
   * Removes a post by its URL; by its number, one that a snapshot had and that was not put back.
   * @returns false when there is no such post.
   */
  remove(post: string | number): boolean {
    if (typeof post === 'number') {
      this.follower?.remove(post);
      if (this.forwardIndex.has(post)) this.uncount(post);
      this.dead.push(post);
      return true;
    }
    const number = this.find(post);
    if (number >= 0) this.drop(number);
    return number >= 0;
  }

  /** The number of the post at a URL; -1 where there is none. A number is reused after its post is gone. */
  find(url: string): number {
    return this.catalogue.find(url);
  }

  /** The words of a post; valid until the next change. Empty where no post has this number. */
  post(number: number): ForwardEntry {
    return this.forwardIndex.place(number);
  }

  /** Of each post, by number, the sum of weight × √frequency over its terms. @param sums `catalogue.size` or more. */
  score({ terms, weights }: TermVector, sums: Float32Array, { most, rare }: ScoreOptions = {}): Float32Array {
    const all = [sums];
    const both = rare ? [sums, rare.sums] : all;
    for (const to of both) to.fill(0, 0, this.catalogue.size);
    const { heads, posts } = this.counts.placesOf(terms);
    fetchLists(this.lists, terms, heads);
    let postings = 0;
    for (let i = 0; i < terms.length && postings < (most ?? QUERY_POSTINGS); i++) {
      const term = terms[i]!;
      postings += posts[i]!;
      const head = heads[i]!;
      // A shard that is exchanged holds the older memory segment already.
      const oldest = shardNumber(term) < this.exchanged ? 1 : 0;
      for (const to of rare && posts[i]! <= rare.posts ? both : all) {
        if (head !== 0) addList(this.lists[shardNumber(term)]!, head, weights[i]!, to);
        for (let at = oldest; at < this.memorySegments.length; at++)
          this.memorySegments[at]!.addUp(term, weights[i]!, to);
      }
    }
    return sums;
  }

  /**
   * Background work, a few milliseconds between two yields; none when there is nothing to gain.
   * @param of.merge false, between two deferred posts: only sorts those there are, when their buffer is full. Left
   *   out, the next `put` does it in one step. Default: true.
   */
  *tidy({ merge = true }: { merge?: boolean } = {}): Generator<void> {
    if (!merge) {
      if (this.pending.full) yield* this.pending.sort();
      return;
    }
    if (this.addedWhileMerging || this.isBeingRead) return;
    const limit = memorySegmentLimit(this.size);
    if (this.pending.posts.size > 0 || this.memorySegments[0]!.posts.size >= limit || this.dead.length >= limit) {
      yield* this.mergeSegments();
      if (this.forwardIndex.sparse) yield* this.forwardIndex.compact();
    } else if (this.changes > this.size * DRIFT) {
      this.changes = 0;
      yield* weighAll(this.parts, this.reader, this.catalogue.urls.keys());
    }
  }

  /**
   * The index between two starts, in parts: the words of the posts, not the posts. Nothing is merged meanwhile. A
   * second one at the same time, or one during a merge, has no parts.
   * @param describe What is written of each post whose postings are all in the main segment, in parts named `posts`;
   *   undefined: nothing.
   */
  *snapshot(describe: (number: number) => unknown = () => undefined): Generator<SnapshotPart> {
    if (this.addedWhileMerging || this.isBeingRead) return;
    this.isBeingRead = true;
    try {
      const { size } = this.catalogue;
      const has = (number: number) => this.forwardIndex.has(number);
      const isMerged = (number: number) =>
        has(number) && ![...this.memorySegments, this.pending].some(({ posts }) => posts.has(number));
      yield* describedPosts(size, (number) => (isMerged(number) ? describe(number) : undefined));
      const elsewhere = (term: number) => this.memorySegments.reduce((sum, one) => sum + one.count(term, has), 0);
      const facts = { size, builtAt: this.builtAt, ...this.survey.facts };
      yield* partsOf(this.parts, facts, { isMerged, elsewhere });
    } finally {
      this.isBeingRead = false;
    }
  }

  /**
   * Restores a part of a snapshot into an index that is empty otherwise, or a post whose words are in those parts.
   * @param number Of a post: its number in the snapshot; the post must not have changed since.
   * @returns false for a part of another version, and for a post whose words are not there.
   */
  restore(part: SnapshotPart | IndexedPost, number = Number.POSITIVE_INFINITY): boolean {
    if ('arrays' in part) {
      if (part.name === 'index') {
        this.builtAt = (part.facts as SnapshotHeader).builtAt;
        this.survey.restore(part.facts as SnapshotHeader);
      }
      return restorePart(this.parts, part);
    }
    if (!this.forwardIndex.has(number)) return false;
    this.catalogue.restore(number, part);
    this.follower?.restorePost(number, part);
    return true;
  }

  private drop(number: number): void {
    this.follower?.remove(number);
    this.uncount(number);
    this.catalogue.remove(number);
    this.dead.push(number);
    this.changes++;
  }

  /** Takes a post's terms out of the counts, and its forward index entry away. */
  private uncount(number: number): void {
    if (this.pending.isCounted(number)) {
      // While a post is being counted, those of its terms are that are in a shard that was exchanged.
      const last = this.merging && !this.merging.isCounted(number) ? this.exchanged : SHARDS;
      this.counts.uncount(this.reader.read(this.forwardIndex.place(number)), last);
    }
    this.forwardIndex.remove(number);
  }

  private *mergeSegments(): Generator<void> {
    const addedWhileMerging = new Set<number>();
    const { catalogue, counts, pending: sortBuffer, dead: leaving } = this;
    const { orphans, table } = counts;
    this.merging = sortBuffer;
    const anew = sortBuffer.posts.size > 0 || this.size > this.builtAt * REBUILT_AT;
    this.addedWhileMerging = addedWhileMerging;
    this.dead = [];
    this.counts.orphans = new TermTable();
    this.pending = new SortBuffer(sortBuffer.room);
    this.memorySegments.push(new MemorySegment());
    const both = {
      lists: this.lists,
      forwardIndex: this.forwardIndex,
      reader: this.reader,
      size: catalogue.size,
      isNew: (post: number) => addedWhileMerging.has(post),
      common: this.statistics.common,
      exchanged: (shards: number) => {
        this.exchanged = shards;
        catalogue.version++;
      },
    };
    if (anew) {
      this.builtAt = this.size;
      this.changes = 0;
      yield* rebuildSegment({
        ...both,
        counts,
        sortBuffer,
        catalogue,
        rarity: (posts) => this.statistics.rarity(posts),
      });
      // They were weighed before everything was counted.
      yield* weighAll(this.parts, this.reader, this.memorySegments.at(-1)!.posts);
    } else yield* mergeMemorySegment({ ...both, table, memorySegment: this.memorySegments[0]!, orphans, leaving });
    const merged = this.memorySegments.shift()!.posts;
    this.exchanged = 0;
    catalogue.version++;
    this.addedWhileMerging = undefined;
    this.merging = undefined;
    catalogue.release(leaving);
    yield* anew ? this.survey.run(this) : this.survey.rate(this, merged);
    this.merges++;
  }
}
