// Finds the posts of a site by their words. Stands beside the index of recommendations and shares its words, digests and
// catalogue; of its own are only the lists of which post has a word.
//
//   const index = new PostIndex();
//   index.follower = new SearchIndex(index);      follows every post that comes and goes
//   search(index.follower, request, now)

import type { Catalogue } from '../recommend/catalogue.ts';
import type { Digests } from '../recommend/digests.ts';
import { type Piece, piece } from '../recommend/piece.ts';
import type { Vocabulary } from '../recommend/vocabulary.ts';
import { WordReader } from '../recommend/words.ts';
import { Tally } from './digestWords.ts';
import { Neighbours } from './neighbours.ts';
import { Postings } from './postings.ts';

/** What is shared with the index of recommendations. */
export interface SharedParts {
  readonly vocabulary: Vocabulary;
  readonly digests: Digests;
  readonly catalogue: Catalogue;
  /** How much a word tells that this many posts have. */
  rarity(posts: number): number;
}

/** The names a post bears, as they are written. */
export interface Named {
  authors: readonly string[];
  tags: readonly string[];
}

const reader = new WordReader();
const MOST_WORDS_OF_A_NAME = 31;
const NO_WORDS = new Uint32Array(0);

/** The lists are made anew when this share of them is of posts that are gone. */
const GONE_SHARE = 1 / 4;
const GONE_LEAST = 256;
const POSTS_A_STEP = 32;

/** Lists by word over documents: a post that changes is a new document, so that lists only grow at their end. */
class Shelf {
  readonly postings = new Postings();
  readonly neighbours = new Neighbours();
  /** By document: the post's number plus one; 0 when it is gone. */
  posts = new Uint32Array(256);
  /** By document: words of its text. */
  lengths = new Uint16Array(256);
  /** By post number: its document plus one; 0: it has none. */
  documents = new Uint32Array(256);
  size = 0;
  present = 0;
  /** Words of all texts present. */
  words = 0;

  add(post: number, tally: Tally): void {
    this.remove(post);
    const document = this.size++;
    if (document >= this.posts.length) {
      this.posts = enlarged(this.posts, new Uint32Array(document * 2));
      this.lengths = enlarged(this.lengths, new Uint16Array(document * 2));
    }
    if (post >= this.documents.length) this.documents = enlarged(this.documents, new Uint32Array(post * 2));
    this.posts[document] = post + 1;
    this.lengths[document] = Math.min(tally.length, 0xffff);
    this.documents[post] = document + 1;
    this.present++;
    this.words += this.lengths[document]!;
    for (let i = 0; i < tally.count; i++) {
      this.postings.add(tally.words[i]!, document, tally.countOf(tally.words[i]!));
    }
    this.neighbours.add(document, tally.pairs);
  }

  remove(post: number): void {
    const document = (this.documents[post] ?? 0) - 1;
    if (document < 0) return;
    this.documents[post] = 0;
    this.posts[document] = 0;
    this.present--;
    this.words -= this.lengths[document]!;
  }

  /** All of it; nothing comes or goes meanwhile. */
  *pieces(): Generator<Piece> {
    const { posts, lengths, documents, size, present, words } = this;
    yield piece('documents', 0, [posts, lengths, documents], { size, present, words });
    yield* this.postings.pieces();
    yield* this.neighbours.pieces();
  }

  /** Takes a piece back; others than these are none of its. */
  restore(kept: Piece): void {
    this.postings.restore(kept);
    this.neighbours.restore(kept);
    if (kept.name !== 'documents') return;
    const [posts, lengths, documents] = kept.arrays;
    Object.assign(this, { posts, lengths, documents }, kept.facts);
  }

  get bytes(): number {
    const ours = this.posts.byteLength + this.lengths.byteLength + this.documents.byteLength;
    return ours + this.postings.bytes + this.neighbours.bytes;
  }
}

export class SearchIndex {
  readonly shared: SharedParts;
  private shelf = new Shelf();
  private readonly tally = new Tally();
  /** By number of the name: its words. */
  private readonly authorWords: Uint32Array[] = [];
  private readonly tagWords: Uint32Array[] = [];
  private renewing = false;

  constructor(shared: SharedParts) {
    this.shared = shared;
  }

  /** Takes in a post that the catalogue and the digests have under this number, new or changed: it is found at once. */
  put(post: number, named: Named): void {
    this.learnNames(named);
    this.shelf.add(post, this.tallied(post));
  }

  /** Takes a post back; what was restored of its words is right. */
  giveBack(post: number, named: Named): void {
    this.learnNames(named);
    if ((this.shelf.documents[post] ?? 0) === 0) this.shelf.add(post, this.tallied(post));
  }

  /** What can be handed to another thread of it, the names not: `restore`, and `giveBack` of every post. Nothing changes meanwhile. */
  pieces(): Iterable<Piece> {
    return this.shelf.pieces();
  }

  restore(kept: Piece): void {
    this.shelf.restore(kept);
  }

  /** It is found no more. */
  remove(post: number): void {
    this.shelf.remove(post);
  }

  /** Posts that can be found. */
  get size(): number {
    return this.shelf.present;
  }

  /** Words of a text on average. */
  get meanLength(): number {
    return this.shelf.words / (this.shelf.present || 1);
  }

  get documents(): Pick<Shelf, 'posts' | 'lengths' | 'postings' | 'neighbours' | 'size'> {
    return this.shelf;
  }

  /** Words of each author and tag of a post. */
  *names(post: number): Iterable<Uint32Array> {
    const { authorsOf, tagsOf } = this.shared.catalogue;
    for (const author of authorsOf[post]!) yield this.authorWords[author] ?? NO_WORDS;
    for (const tag of tagsOf[post]!) yield this.tagWords[tag] ?? NO_WORDS;
  }

  /** Background work in steps of about a millisecond; none while little is to be gained. */
  *tidy(): Generator<void> {
    const gone = this.shelf.size - this.shelf.present;
    if (this.renewing || gone < GONE_LEAST || gone < this.shelf.size * GONE_SHARE) return;
    this.renewing = true;
    try {
      yield* this.renew();
    } finally {
      this.renewing = false;
    }
  }

  /** Bytes of the typed arrays, without what is shared. */
  get bytes(): number {
    return this.shelf.bytes;
  }

  /** Makes the lists anew from the digests, while questions are answered from the old ones. */
  private *renew(): Generator<void> {
    const old = this.shelf;
    const fresh = new Shelf();
    const taken = new Map<number, number>();
    // Posts that come meanwhile are at the end of the old ones, and so are reached too.
    for (let document = 0; document < old.size; document++) {
      const post = old.posts[document]! - 1;
      if (post >= 0) {
        fresh.add(post, this.tallied(post));
        taken.set(post, document);
      }
      if (document % POSTS_A_STEP === POSTS_A_STEP - 1) yield;
    }
    for (const [post, document] of taken) if (old.posts[document] !== post + 1) fresh.remove(post);
    this.shelf = fresh;
  }

  private tallied(post: number): Tally {
    const tally = this.tally.read(this.shared.digests.place(post));
    for (const words of this.names(post)) tally.addName(words);
    return tally;
  }

  private learnNames(named: Named): void {
    const { authors, tags } = this.shared.catalogue;
    for (const name of named.authors) this.learn(this.authorWords, authors.find(name), name);
    for (const name of named.tags) this.learn(this.tagWords, tags.find(name), name);
  }

  private learn(known: Uint32Array[], number: number, name: string): void {
    if (known[number] !== undefined) return;
    const count = Math.min(reader.read(name, MOST_WORDS_OF_A_NAME), MOST_WORDS_OF_A_NAME);
    const { vocabulary } = this.shared;
    known[number] = Uint32Array.from({ length: count }, (_, i) => vocabulary.number(reader.high[i]!, reader.low[i]!));
  }
}

function enlarged<A extends Uint16Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
