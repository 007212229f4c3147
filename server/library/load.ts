// Fills a shelf from storage: posts whose words a kept index has come without their texts, the others are read.
import type { SiteId } from '../sites/site.ts';
import type { PostStore } from '../storage/store.ts';
import { ahead } from './ahead.ts';
import { breath, inSlices } from './breath.ts';
import type { KeptIndex } from './kept.ts';
import type { Shelf } from './shelf.ts';

export interface Load {
  posts: PostStore;
  site: SiteId;
  shelf: Shelf;
  kept: KeptIndex | undefined;
  /** Told the share of the posts that are in, 0 to 1. */
  progress: (share: number) => void;
  /** Whether nobody waits for it any more. */
  stopped: () => boolean;
}

/** Posts without a text taken in before waiting requests get their turn; one with a text takes milliseconds alone. */
const CARDS_A_SLICE = 16;

/** @returns How many posts there are, and how many of them were read. */
export async function load(of: Load): Promise<{ posts: number; read: number }> {
  const count = await of.posts.count(of.site);
  const loaded = of.kept ? await fromKept(of, of.kept, count) : await fromTexts(of, count);
  if (!of.stopped()) await of.shelf.tidy();
  of.shelf.settled();
  return loaded;
}

async function fromTexts({ posts, site, shelf, progress, stopped }: Load, count: number) {
  let read = 0;
  for await (const batch of ahead(posts.stream(site))) {
    for (const post of batch) {
      shelf.stock(post);
      read++;
      await breath();
      await inSlices(shelf.index.makeRoom());
      if (stopped()) return { posts: read, read };
    }
    progress(Math.min(1, read / count));
  }
  return { posts: read, read };
}

async function fromKept({ posts, site, shelf, progress, stopped }: Load, kept: KeptIndex, count: number) {
  let met = 0;
  let read = 0;
  for await (const batch of ahead(posts.cards(site))) {
    const changed: string[] = [];
    for (const card of batch) {
      if (!kept.giveBack(card)) changed.push(card.url);
      if (++met % CARDS_A_SLICE === 0) await breath();
      if (stopped()) return { posts: met, read };
    }
    for (const post of await posts.get(site, changed)) {
      shelf.place(post);
      read++;
      await breath();
    }
    progress(Math.min(1, met / count));
  }
  await inSlices(kept.letGo());
  return { posts: met, read };
}
