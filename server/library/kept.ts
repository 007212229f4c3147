// The index of a site, kept in a file and taken up again: which post its numbers stand for, and when each was written last.
// A post that was written since is read anew, so a file that is old, or of another copy of the database, costs time only.
import type { PostCard } from '../posts/post.ts';
import { type Piece, piece } from '../recommend/piece.ts';
import { PostIndex } from '../recommend/postIndex.ts';
import { readIndex, writeIndex } from './indexFile.ts';
import type { Shelf } from './shelf.ts';

/** Number, address, and time of the last change. */
type KeptPost = [number: number, url: string, updatedAt: number];

const POSTS_A_PIECE = 500;

export async function keepIndex(path: string, shelf: Shelf): Promise<void> {
  await writeIndex(path, everything(shelf));
}

function* everything(shelf: Shelf): Generator<Piece> {
  const { index } = shelf;
  const { urls } = index.catalogue;
  for (let from = 0; from < urls.length; from += POSTS_A_PIECE) {
    const posts: KeptPost[] = [];
    for (let number = from; number < Math.min(urls.length, from + POSTS_A_PIECE); number++) {
      const card = shelf.card(urls[number]!);
      if (card && index.keeps(number)) posts.push([number, card.url, card.updatedAt]);
    }
    yield piece('posts', from, [], posts);
  }
  yield* index.pieces();
}

/** An index taken up again: it waits for its posts to be given back. */
export class KeptIndex {
  private readonly shelf: Shelf;
  private readonly posts: ReadonlyMap<string, { number: number; updatedAt: number }>;
  private readonly back: Uint8Array;

  constructor(shelf: Shelf, posts: ReadonlyMap<string, { number: number; updatedAt: number }>) {
    this.shelf = shelf;
    this.posts = posts;
    this.back = new Uint8Array(shelf.index.catalogue.size);
  }

  /** @returns false when the post has changed since: its text has to be read. */
  giveBack(card: PostCard): boolean {
    const known = this.posts.get(card.url);
    if (known?.updatedAt !== card.updatedAt || !this.shelf.giveBack(known.number, card)) return false;
    if (this.shelf.index.catalogue.urls[known.number] === card.url) this.back[known.number] = 1;
    return true;
  }

  /** Lets go of what was not given back, in steps. */
  *letGo(): Generator<void> {
    for (let number = 0; number < this.back.length; number++) {
      if (this.back[number] === 1) continue;
      this.shelf.index.letGo(number);
      yield;
    }
  }
}

/**
 * Takes up what is kept under this path; undefined when there is nothing, or another version kept it.
 * @throws {DamagedIndexError} when the file is not as it was written; the shelf is as before then.
 */
export async function takeUp(path: string, shelf: Shelf): Promise<KeptIndex | undefined> {
  const index = new PostIndex();
  const posts = new Map<string, { number: number; updatedAt: number }>();
  for await (const one of readIndex(path)) {
    if (one.name === 'posts') {
      for (const [number, url, updatedAt] of one.facts as KeptPost[]) posts.set(url, { number, updatedAt });
    } else if (!index.restore(one)) return undefined;
  }
  if (posts.size === 0) return undefined;
  shelf.takeOver(index);
  return new KeptIndex(shelf, posts);
}
