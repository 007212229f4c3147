// Snapshot of a site's index: its parts, which post each number stands for, and when each was written last. A post that
// was written since is read anew, so a file that is old, or of another copy of the database, costs time only.
import type { PostCard } from '../posts/post.ts';
import { SearchIndex } from '../search/searchIndex.ts';
import { PostIndex } from '../textindex/postIndex.ts';
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import type { SiteIndex } from './siteIndex.ts';
import { writeSnapshot } from './snapshotFile.ts';

/** Number, address, and time of the last change. */
type KeptPost = [number: number, url: string, updatedAt: number];

export async function writeIndexSnapshot(path: string, siteIndex: SiteIndex): Promise<void> {
  await writeSnapshot(path, snapshotParts(siteIndex));
}

/** What is kept of a site index. */
export function snapshotParts(siteIndex: SiteIndex): Generator<SnapshotPart> {
  const { index } = siteIndex;
  const { urls } = index.catalogue;
  const describe = (number: number): KeptPost | undefined => {
    const url = urls[number];
    const updatedAt = url === undefined ? undefined : siteIndex.updatedAt(url);
    return url === undefined || updatedAt === undefined ? undefined : [number, url, updatedAt];
  };
  return index.snapshot(describe);
}

/** An index restored from a snapshot, whose posts are restored one by one. */
export class RestoredIndex {
  private readonly siteIndex: SiteIndex;
  private readonly numbers: ReadonlyMap<string, number>;
  /** By number: when the post was written last. */
  private readonly times: readonly number[];
  private readonly back: Uint8Array;

  constructor(siteIndex: SiteIndex, numbers: ReadonlyMap<string, number>, times: readonly number[]) {
    this.siteIndex = siteIndex;
    this.numbers = numbers;
    this.times = times;
    this.back = new Uint8Array(siteIndex.index.catalogue.size);
  }

  /** @returns false when the post has changed since: its text has to be read. */
  restorePost(card: PostCard): boolean {
    const number = this.numbers.get(card.url);
    if (number === undefined || this.times[number] !== card.updatedAt) return false;
    if (!this.siteIndex.restorePost(number, card)) return false;
    if (this.siteIndex.index.catalogue.urls[number] === card.url) this.back[number] = 1;
    return true;
  }

  /** Removes the posts that were not restored, in steps. */
  *removeUnrestored(): Generator<void> {
    for (let number = 0; number < this.back.length; number++) {
      if (this.back[number] === 1) continue;
      this.siteIndex.index.remove(number);
      yield;
    }
  }
}

/**
 * Restores an index from the parts of a snapshot, of a file or a thread; undefined when there are none, or they are of
 * another version.
 * @throws {DamagedSnapshotError} when the file is not as it was written; the site index is as before then.
 */
export async function restoreIndex(
  parts: AsyncIterable<SnapshotPart>,
  siteIndex: SiteIndex,
  { fresh }: { fresh: boolean },
): Promise<RestoredIndex | undefined> {
  const index = new PostIndex();
  const searchIndex = new SearchIndex(index);
  const numbers = new Map<string, number>();
  const times: number[] = [];
  for await (const one of parts) {
    if (one.name === 'posts') {
      for (const [number, url, updatedAt] of one.facts as KeptPost[]) {
        numbers.set(url, number);
        times[number] = updatedAt;
      }
    } else if (!index.restore(one)) return undefined;
    else searchIndex.restore(one);
  }
  if (numbers.size === 0) return undefined;
  siteIndex.takeOver(index, { searchIndex, fresh });
  return new RestoredIndex(siteIndex, numbers, times);
}
