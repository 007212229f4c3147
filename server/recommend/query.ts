// A query: a request resolved against an index, with the workspace that answering it writes to.

import type { Dials } from '../contract/dials.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { QueryVector } from './queryVector.ts';
import type { NextReads } from './readers.ts';
import type { Workspace } from './workspace.ts';

export interface Query {
  readonly index: PostIndex;
  readonly workspace: Workspace;
  /** Gains of the ranking factors that differ from their defaults. */
  readonly gains: Readonly<Record<string, number>>;
  /** The post being read; -1 when none is named or it is not known. */
  readonly post: number;
  /** Newest visits that are known, as numbers of posts. */
  readonly read: readonly number[];
  /**
   * What candidates are generated from: the post being read, else the visitor's taste; undefined when there is neither.
   */
  readonly vector: QueryVector | undefined;
  /** By number of post: dot products with the query vector. Empty where there is none. */
  readonly dotProducts: Float32Array;
  /** The parts of them that rare terms make up. Empty where no post is being read. */
  readonly rareDotProducts: Float32Array;
  /** The visitor's taste beside a post being read. */
  readonly taste: QueryVector | undefined;
  readonly dials: Dials;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What other readers read next; undefined where it does not count, or nothing is known. */
  readonly nextReads: NextReads | undefined;
  /** Share, at most 1, that the posts read most now have in what is read; empty where the popularity dial is at 0. */
  readonly popular: ReadonlyMap<number, number>;
  /** Posts that must not appear: the one being read, all that were read, excluded or hidden. */
  readonly never: ReadonlySet<number>;
  /**
   * How close a post is in all its words, tags and authors, corrected for length: compared with the relevance floors.
   */
  readonly closeness: (number: number) => number;
  /** Whether its closeness is at least this; it takes less time than to say how close it is. */
  readonly isAsCloseAs: (number: number, least: number) => boolean;
}

/** Whether readers decide alone: the page says neither what comes first nor how much of a series there may be. */
export const areReadersAlone = ({ post, nextReads, dials }: Query): boolean =>
  post >= 0 && nextReads !== undefined && dials.mix === 1;
