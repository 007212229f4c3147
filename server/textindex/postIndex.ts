// The inverted index of a site: which posts have which terms. Posts come and go one at a time.
//
//   const index = new PostIndex();
//   index.put(post);              recommendable at once
//   index.remove(url);            gone at once
//   for (const _ of index.tidy()) await yieldToEventLoop();   keeps it small and its weights fresh, in steps of a few milliseconds
//
// A main segment in bytes holds most postings; a memory segment of chains holds the posts that came since it was made, and
// `tidy` merges the one into the other. Terms with one post only are not in the main segment: no other post is found by them.
// README.md of this folder draws the parts.

import { Catalogue, type IndexedPost } from './catalogue.ts';
import type { Follower } from './follower.ts';
import { ForwardEntryWriter, type TokenizedPost } from './forwardEntry.ts';
import { ForwardIndex } from './forwardIndex.ts';
import { addList, fetchLists, type TermVector } from './postings.ts';
import { Rarities } from './rarities.ts';
import { MemorySegment, memorySegmentLimit } from './segments/memorySegment.ts';
import { mergeMemorySegment } from './segments/mergeMemorySegment.ts';
import { rebuildSegment } from './segments/rebuildSegment.ts';
import { SortBuffer } from './segments/sortBuffer.ts';
import { COMMON_AT_LEAST, COMMON_SHARE, QUERY_POSTINGS } from './settings.ts';
import { simHash } from './simHash.ts';
import { bytesOf, pieces, restore, SNAPSHOT_VERSION, type SnapshotHeader } from './snapshot.ts';
import type { SnapshotPart } from './snapshotPart.ts';
import { TermCounts } from './termCounts.ts';
import { TermDictionary } from './termDictionary.ts';
import { TermReader } from './termReader.ts';
import { SHARDS, shardNumber, TermTable } from './termTable.ts';
import { lengthOf, weighAll } from './termWeights.ts';

/** Weights are brought up to date when this share of the posts has come or gone since. */
const DRIFT = 0.1;
/** The main segment is made anew when there are this many times the posts there were: terms may have stopped being common. */
const REBUILT_AT = 1.5;

export class PostIndex {
  readonly catalogue = new Catalogue();
  readonly forwardIndex = new ForwardIndex();
  readonly dictionary = new TermDictionary();
  /** Called for every post that comes and goes. */
  follower: Follower | undefined;
  readonly counts = new TermCounts();
  /** Reads posts that come and go, between two yields. */
  private readonly reader = new TermReader();
  private readonly writer = new ForwardEntryWriter();
  readonly lists: Uint8Array[] = Array.from({ length: SHARDS }, () => new Uint8Array(1));
  /** Postings of posts not in the main segment: while merging, those being merged come first. */
  private memorySegments: MemorySegment[] = [new MemorySegment()];
  /** Posts there were when the main segment was last made from the forward index. */
  private builtAt = 0;
  /** How often the memory segment was taken into the main segment. */
  merges = 0;
  /** Its pieces are being kept. */
  private keeping = false;
  /** While merging: how many shards hold the merged memory segment already, and the posts that came since it began. */
  private exchanged = 0;
  private newcomers: Set<number> | undefined;
  /** Numbers of removed posts that postings may still name. */
  private dead: number[] = [];
  /** Posts that have no postings yet; and while merging, those that are being given theirs. */
  private pending: SortBuffer;
  private merged: SortBuffer | undefined;
  /** Posts that came or went since all were weighed. */
  private changes = 0;
  private readonly rarities = new Rarities();

  /** @param stockRoom Terms of posts of `putLater` sorted at once. Default: four million. */
  constructor(sortRoom?: number) {
    this.pending = new SortBuffer(sortRoom);
  }

  get size(): number {
    return this.catalogue.count;
  }

  /** Adds a post or replaces the one at its URL. */
  put(post: IndexedPost): void {
    this.take(post, this.writer.tokenize(post), true);
  }

  /**
   * As `put`, for loading many: the post is found after the next `tidy`, and costs less until then.
   * @param spelled Its words, where they were read elsewhere: its texts are not looked at then.
   */
  putLater(post: IndexedPost, spelled = this.writer.tokenize(post)): void {
    this.take(post, spelled, false);
  }

  /** Work that is due between two calls of `putLater`, in steps; left out, the next call does it in one. */
  *makeRoom(): Generator<void> {
    if (this.pending.full) yield* this.pending.sort();
  }

  /** @returns false when there is no such post. */
  remove(url: string): boolean {
    const number = this.catalogue.find(url);
    if (number >= 0) this.drop(number);
    return number >= 0;
  }

  /** In how many posts a term stands; 1 for a term of one post and for one never met. */
  postsWith(term: number): number {
    return this.counts.posts(term);
  }

  /** How much a term tells: the fewer posts have it, the more. */
  rarity(posts: number): number {
    return this.rarities.of(posts, this.size);
  }

  /** `rarity` of as many terms at once. */
  raritiesOf(posts: Uint32Array, count: number, into: Float64Array): void {
    this.rarities.ofAll(posts, { count, size: this.size, into });
  }

  /** A term in more posts than this is not looked for. */
  get common(): number {
    return Math.max(COMMON_AT_LEAST, this.size * COMMON_SHARE);
  }

  /**
   * For every post, by number, the sum of weight × √frequency over the terms it has; 0 for most.
   * @param sums At least `catalogue.size` of them, overwritten.
   * @param most Postings read at most: the first terms are the ones that must count.
   */
  addUp({ terms, weights }: TermVector, sums: Float32Array, most = QUERY_POSTINGS): Float32Array {
    sums.fill(0, 0, this.catalogue.size);
    const { heads, posts } = this.counts.placesOf(terms);
    fetchLists(this.lists, terms, heads);
    let postings = 0;
    for (let i = 0; i < terms.length && postings < most; i++) {
      const term = terms[i]!;
      postings += posts[i]!;
      const head = heads[i]!;
      if (head !== 0) addList(this.lists[shardNumber(term)]!, head, weights[i]!, sums);
      // A shard that is exchanged holds the older memory segment already.
      const oldest = shardNumber(term) < this.exchanged ? 1 : 0;
      for (let at = oldest; at < this.memorySegments.length; at++)
        this.memorySegments[at]!.addUp(term, weights[i]!, sums);
    }
    return sums;
  }

  /** Background work, a few milliseconds between two yields; none when there is nothing to gain. */
  *tidy(): Generator<void> {
    if (this.newcomers || this.keeping) return;
    const limit = memorySegmentLimit(this.size);
    if (this.pending.posts.size > 0 || this.memorySegments[0]!.posts.size >= limit || this.dead.length >= limit) {
      yield* this.mergeTail();
      if (this.forwardIndex.sparse) yield* this.forwardIndex.compact();
    } else if (this.changes > this.size * DRIFT) {
      this.changes = 0;
      yield* weighAll(this, this.reader, this.catalogue.urls.keys());
    }
  }

  /** Whether a post is in `snapshot`: its postings are all in the main segment. */
  keeps(number: number): boolean {
    return (
      this.forwardIndex.has(number) && ![...this.memorySegments, this.pending].some(({ posts }) => posts.has(number))
    );
  }

  /** What is kept of it between two starts, the words of the posts and not the posts. Nothing is tidied meanwhile. */
  *snapshot(): Generator<SnapshotPart> {
    if (this.newcomers || this.keeping) return;
    this.keeping = true;
    try {
      const facts = {
        version: SNAPSHOT_VERSION,
        size: this.catalogue.size,
        builtAt: this.builtAt,
        common: this.common,
      };
      yield* pieces(this, facts, (number) => this.keeps(number));
    } finally {
      this.keeping = false;
    }
  }

  /** Takes pieces back into an index that is empty otherwise. @returns false for what another version kept. */
  restore(kept: SnapshotPart): boolean {
    if (kept.name === 'index') {
      const { version, builtAt } = kept.facts as SnapshotHeader;
      if (version !== SNAPSHOT_VERSION) return false;
      this.builtAt = builtAt;
    }
    restore(this, kept);
    return true;
  }

  /** Gives a kept post back, which has not changed since. @returns false when nothing is kept under that number. */
  restorePost(number: number, post: IndexedPost): boolean {
    if (!this.forwardIndex.has(number)) return false;
    this.catalogue.restore(number, post);
    this.follower?.restorePost(number, post);
    return true;
  }

  /** Lets go of a number that was kept and whose post is gone or changed. */
  letGo(number: number): void {
    this.follower?.remove(number);
    if (this.forwardIndex.has(number)) this.uncount(number);
    this.dead.push(number);
  }

  /** Bytes of the typed arrays, by part. */
  get bytes(): ReturnType<typeof bytesOf> {
    return bytesOf(this, [...this.memorySegments, this.pending]);
  }

  private take(post: IndexedPost, spelled: TokenizedPost, atOnce: boolean): void {
    const { catalogue, forwardIndex, reader } = this;
    const bytes = this.writer.entry(spelled, this.dictionary);
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
    simHash(reader, catalogue.prints, number * 2);
    this.newcomers?.add(number);
    if (!atOnce) {
      this.pending.add(number, reader, this.counts);
      return;
    }
    this.counts.count(reader, (term) => this.memorySegments.some((memorySegment) => memorySegment.has(term)));
    this.memorySegments.at(-1)!.put(number, reader);
    this.catalogue.weigh(number, lengthOf(this, reader));
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
      const last = this.merged && !this.merged.isCounted(number) ? this.exchanged : SHARDS;
      this.counts.uncount(this.reader.readBetween({ first: 0, last }, this.forwardIndex.place(number)));
    }
    this.forwardIndex.remove(number);
  }

  private *mergeTail(): Generator<void> {
    const newcomers = new Set<number>();
    const { catalogue, counts, pending: sortBuffer, dead: leaving } = this;
    const { orphans, table } = counts;
    this.merged = sortBuffer;
    const anew = sortBuffer.posts.size > 0 || this.size > this.builtAt * REBUILT_AT;
    this.newcomers = newcomers;
    this.dead = [];
    this.counts.orphans = new TermTable();
    this.pending = new SortBuffer(sortBuffer.room);
    this.memorySegments.push(new MemorySegment());
    const both = {
      lists: this.lists,
      forwardIndex: this.forwardIndex,
      reader: this.reader,
      size: catalogue.size,
      isNew: (post: number) => newcomers.has(post),
      common: this.common,
      exchanged: (shards: number) => {
        this.exchanged = shards;
        catalogue.version++;
      },
    };
    if (anew) {
      this.builtAt = this.size;
      this.changes = 0;
      yield* rebuildSegment({ ...both, counts, sortBuffer, catalogue, rarity: (posts) => this.rarity(posts) });
      // They were weighed before everything was counted.
      yield* weighAll(this, this.reader, this.memorySegments.at(-1)!.posts);
    } else yield* mergeMemorySegment({ ...both, table, memorySegment: this.memorySegments[0]!, orphans, leaving });
    this.memorySegments.shift();
    this.exchanged = 0;
    catalogue.version++;
    this.newcomers = undefined;
    this.merged = undefined;
    catalogue.release(leaving);
    this.merges++;
  }
}
