// Finds the posts of a site by their words. Stands beside the index of recommendations and shares its words, forward
// index entries and catalogue; of its own are only the lists of which post has a word.
//
//   const index = new PostIndex();
//   index.follower = new SearchIndex(index);      follows every post that comes and goes
//   search(index.follower, request, now)

import type { Catalogue } from '../textindex/catalogue.ts';
import type { ForwardEntry } from '../textindex/forwardIndex.ts';
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import type { TermStatistics } from '../textindex/termStatistics.ts';
import { Completions, type Titled } from './completions.ts';
import { Documents } from './documents.ts';
import { type NamesOfPosts, NameWords } from './nameWords.ts';
import { Tally } from './wordTally.ts';

/** What is shared with the index of recommendations. */
export interface SharedParts extends NamesOfPosts {
  readonly catalogue: Catalogue;
  readonly statistics: Pick<TermStatistics, 'rarity'>;
  /** The words of a post. */
  post(number: number): ForwardEntry;
}

/** Postings are rebuilt when this share of them is of removed posts. */
const GONE_SHARE = 1 / 4;
const GONE_LEAST = 256;
const POSTS_A_STEP = 32;

export class SearchIndex {
  readonly shared: SharedParts;
  /** Which words they have. */
  documents = new Documents();
  /** Words by how they begin. */
  readonly completions: Completions;
  private readonly nameWords: NameWords;
  private readonly tally = new Tally();
  private renewing = false;

  constructor(shared: SharedParts) {
    this.shared = shared;
    this.nameWords = new NameWords(shared);
    this.completions = new Completions(shared.dictionary);
  }

  /**
   * Takes in a post that the catalogue and the forward index entries have under this number, new or changed: it is
   * found at once.
   */
  put(post: number, named: Titled): void {
    this.learn(named);
    this.documents.add(post, this.tallied(post));
  }

  /** Adds a post that was restored from a snapshot; the restored postings hold its words. */
  restorePost(post: number, named: Titled): void {
    this.learn(named);
    if (!this.documents.has(post)) this.documents.add(post, this.tallied(post));
  }

  /** Restores a part of `Documents.snapshot`; the names are learnt as the posts are restored. */
  restore(kept: SnapshotPart): void {
    this.documents.restore(kept);
  }

  /** Removes a post. */
  remove(post: number): void {
    this.documents.remove(post);
  }

  /** Posts that can be found. */
  get size(): number {
    return this.documents.present;
  }

  /** Words of a text on average. */
  get meanLength(): number {
    return this.documents.words / (this.documents.present || 1);
  }

  /** Words of each author and tag of a post. */
  names(post: number): Iterable<Uint32Array> {
    return this.nameWords.of(post);
  }

  /** Background work in steps of about a millisecond; none while little is to be gained. */
  *tidy(): Generator<void> {
    const gone = this.documents.size - this.documents.present;
    if (this.renewing || gone < GONE_LEAST || gone < this.documents.size * GONE_SHARE) return;
    this.renewing = true;
    try {
      yield* this.renew();
    } finally {
      this.renewing = false;
    }
  }

  /** Bytes of the typed arrays, without what is shared, and of the completions, about. */
  get bytes(): number {
    return this.documents.bytes + this.completions.bytes;
  }

  private learn(named: Titled): void {
    this.nameWords.learn(named);
    this.completions.learn(named);
  }

  /** Makes the lists anew from the forward index, while questions are answered from the old ones. */
  private *renew(): Generator<void> {
    const old = this.documents;
    const fresh = new Documents();
    const taken = new Map<number, number>();
    // Posts that come meanwhile are at the end of the old ones, and so are reached too.
    for (let document = 0; document < old.size; document++) {
      const post = (old.posts[document] ?? 0) - 1;
      if (post >= 0) {
        fresh.add(post, this.tallied(post));
        taken.set(post, document);
      }
      if (document % POSTS_A_STEP === POSTS_A_STEP - 1) yield;
    }
    for (const [post, document] of taken) if (old.posts[document] !== post + 1) fresh.remove(post);
    this.documents = fresh;
  }

  private tallied(post: number): Tally {
    return this.tally.readPost(this.shared.post(post), this.names(post));
  }
}
