// Lists by word over documents: a post that changes is a new document, so that lists only grow at their end.

import { enlarged } from '../enlarged.ts';
import { type SnapshotPart, snapshotPart } from '../textindex/snapshotPart.ts';
import { Neighbours } from './neighbours.ts';
import { Postings } from './postings.ts';
import type { Tally } from './wordTally.ts';

export class Documents {
  readonly postings = new Postings();
  readonly neighbours = new Neighbours();
  /** By document: the post's number plus one; 0 when it is gone. */
  posts = new Uint32Array(256);
  /** By document: words of its text. */
  lengths = new Uint16Array(256);
  /** By post number: its document plus one; 0: it has none. */
  private documents = new Uint32Array(256);
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
    const length = Math.min(tally.length, 0xffff);
    this.lengths[document] = length;
    this.documents[post] = document + 1;
    this.present++;
    this.words += length;
    for (const word of tally.words.subarray(0, tally.count)) this.postings.add(word, document, tally.countOf(word));
    this.neighbours.add(document, tally.pairs);
  }

  has(post: number): boolean {
    return (this.documents[post] ?? 0) !== 0;
  }

  remove(post: number): void {
    const document = (this.documents[post] ?? 0) - 1;
    if (document < 0) return;
    this.documents[post] = 0;
    this.posts[document] = 0;
    this.present--;
    this.words -= this.lengths[document] ?? 0;
  }

  /** All of it; nothing comes or goes meanwhile. */
  *snapshot(): Generator<SnapshotPart> {
    const { posts, lengths, documents, size, present, words } = this;
    yield snapshotPart('documents', 0, [posts, lengths, documents], { size, present, words });
    yield* this.postings.snapshot();
    yield* this.neighbours.snapshot();
  }

  /** Restores a part of a snapshot; a part of another kind changes nothing. */
  restore(kept: SnapshotPart): void {
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
