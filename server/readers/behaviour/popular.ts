// What is read most right now: the newest clicks of the site, the newer the more they count. It is the same for all
// questions until more is learned, so it is counted once.

import { byAddress } from '../../textindex/topK.ts';
import { float32At } from '../../textindex/typedReads.ts';
import type { Clicks } from './clicks.ts';
import { POPULAR_CLICKS } from './settings.ts';
import { Votes } from './votes.ts';

/** A post that is popular now. */
export interface PopularPost {
  post: number;
  /** Share of the views of the most popular post, times the share of this source. */
  score: number;
  /** Its views among the newest. */
  clicks: number;
}

/** By age in clicks. */
const WEIGHTS = Float32Array.from({ length: POPULAR_CLICKS }, (_, age) => 2 ** ((-2 * age) / POPULAR_CLICKS));

// Used within one call only.
const votes = new Votes();

export class Popular {
  private readonly clicks: Clicks;
  private readonly share: number;
  private inOrder: readonly PopularPost[] = [];
  private byPost: ReadonlyMap<number, PopularPost> = new Map();
  private counted = { oldest: -1, end: -1 };

  /** @param share The share of this source in a score. */
  constructor(clicks: Clicks, share: number) {
    this.clicks = clicks;
    this.share = share;
  }

  /** Most popular first; equal ones in the order of their addresses. */
  posts(): readonly PopularPost[] {
    this.bringUpToDate();
    return this.inOrder;
  }

  of(post: number): PopularPost | undefined {
    this.bringUpToDate();
    return this.byPost.get(post);
  }

  private bringUpToDate(): void {
    const { clicks, share } = this;
    const { oldest, end } = clicks;
    if (this.counted.oldest === oldest && this.counted.end === end) return;
    this.counted = { oldest, end };
    votes.clear(clicks.posts.size);
    const first = Math.max(oldest, end - POPULAR_CLICKS);
    for (let click = end - 1; click >= first; click--)
      votes.add(clicks.postOf(click), float32At(WEIGHTS, end - 1 - click));
    const posts = share > 0 ? [...votes.posts()] : [];
    const most = posts.reduce((highest, post) => Math.max(highest, votes.of(post)), 0);
    const before = byAddress(clicks.posts.urls);
    this.inOrder = posts
      .map((post) => ({
        post,
        score: Math.fround((votes.of(post) / most) * share),
        clicks: votes.votersOf(post),
      }))
      .sort((a, b) => b.score - a.score || (before(a.post, b.post) ? -1 : 1));
    this.byPost = new Map(this.inOrder.map((one) => [one.post, one]));
  }
}
