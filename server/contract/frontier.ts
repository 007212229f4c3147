// What /frontier answers, as types and bounds: what each setting of the mix dial gives on the views of a site's own
// readers. Imports nothing.

/** `none`: never measured. `too-few`: the site has too few posts or views. */
export const FRONTIER_STATES = ['none', 'running', 'measured', 'too-few', 'failed'] as const;
export type FrontierState = (typeof FRONTIER_STATES)[number];

/** A reading of posts by one reader after another is predicted; of fewer in either half, a picture would be chance. */
export const LEAST_NEXT_READS = 50;

/** Lists have twenty places: of fewer posts, every list has all of them. */
export const LEAST_POSTS = 20;

/** What one setting gives on the second half of the views. */
export interface FrontierPointRecord {
  mix: number;
  /** Share of the ten posts of the page alone that are still among ten. */
  kept: number;
  /** Mean of 1 / rank of the post that was read next, among twenty; 0 where it is not. */
  mrr: number;
  /** Share of the next reads among twenty. */
  hit_rate: number;
  /** Share of the lists with ten posts. */
  coverage: number;
  /** Share of the site's posts that were ever among ten. */
  shown: number;
  /** Median age of the posts among ten, in days. */
  age: number;
  /** Share of the pairs in ten that have neither section, author nor tag in common. */
  diversity: number;
}

export interface FrontierResult {
  /** ISO 8601, UTC. */
  measured: string;
  /** Posts that were measured. */
  posts: number;
  /** Posts of the site: where there are more, the newest were measured. */
  all_posts: number;
  /** Page views of posts, of at most 28 days. */
  views: number;
  /** Next reads of the second half that were predicted. */
  questions: number;
  /** In the order of their mix. */
  points: FrontierPointRecord[];
  /** The mix that the first half chooses. */
  recommended: number;
  /** The mix that the second half alone would choose. */
  confirmed: number;
  /** The recommendation in sentences. */
  says: string[];
}

export interface FrontierRecord {
  state: FrontierState;
  /** When the last measurement began; ISO 8601, UTC. null: there was none. */
  started: string | null;
  /** Views gone through, of `total`, which is 0 while posts and views are read. null: none runs. */
  progress: { done: number; total: number } | null;
  /** Why there is no new result, where the state is too-few or failed. */
  reason: string | null;
  /** Of the last measurement that succeeded, which may be an earlier one. */
  result: FrontierResult | null;
}
