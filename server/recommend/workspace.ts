// Memory that queries of related posts reuse: scratch arrays, and caches of what earlier queries computed of an index.
// A query has a workspace to itself until its answer is complete.

import { CosineBound } from '../textindex/cosineBound.ts';
import type { DateGaps } from '../textindex/dateGaps.ts';
import { GrowingArray } from '../textindex/growingArray.ts';
import { Overlap } from '../textindex/overlap.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { TermReader } from '../textindex/termReader.ts';
import { MARK_BITS } from '../textindex/varints.ts';
import { WeighedTerms } from '../textindex/weighedTerms.ts';
import { BaseGroups } from './baseGroups.ts';
import { PairCache } from './pairCache.ts';
import { Shares } from './shares.ts';
import { SiteSeries } from './siteSeries.ts';
import { TermSum } from './termSum.ts';
import { TimeKernel } from './timeKernel.ts';

/** Terms of a post that other posts have, and not too many of them. */
export interface DistinctiveTerms {
  terms: Uint32Array;
  frequencies: Uint8Array;
  /** In how many posts each term stands. */
  posts: Uint32Array;
}

/** What queries of one index computed that later ones need again; each part is dropped when the index changes. */
class IndexCaches {
  /** Pairs of posts, and whether they are near-copies. */
  readonly copies = new PairCache();
  /** … and whether they have nearly all pairs of words in common. */
  readonly templates = new PairCache();
  /** Series that most posts of the site belong to. */
  readonly siteSeries = new SiteSeries();
  /** By number of post, least recently used first. */
  readonly terms = new Map<number, DistinctiveTerms>();
  private kernel: TimeKernel | undefined;
  private version = -1;

  /** What dates say, made anew where the site says something else of them. */
  kernelOf(gaps: DateGaps): TimeKernel {
    if (!this.kernel?.isOf(gaps)) this.kernel = new TimeKernel(gaps);
    return this.kernel;
  }

  /** Empties the cache of terms when it was filled at another version of the catalogue. */
  at(version: number): this {
    if (this.version !== version) this.terms.clear();
    this.version = version;
    return this;
  }
}

export class Workspace {
  /** The post looked at last. */
  readonly reader = new TermReader();
  /** The post that the query names, for as long as others are compared with it. */
  readonly source = new TermReader();
  /** Compares the post that the query names with others. */
  readonly overlap = new Overlap();
  /** Compares two other posts. */
  readonly pair = new Overlap();
  readonly cosineBound = new CosineBound();
  /** Marks of the words of a title. */
  readonly marks = new Uint8Array(1 << MARK_BITS);
  /** Terms of a query vector while it is made. */
  readonly weighed = new WeighedTerms(1 << 14);
  /** A visitor's taste while it is added up. */
  readonly termSum = new TermSum();
  /** By number of post: dot products with the query vector, with its rare terms, and with the visitor's taste. */
  readonly sums = new GrowingArray(Float32Array);
  readonly rareSums = new GrowingArray(Float32Array);
  readonly tasteSums = new GrowingArray(Float32Array);
  /** Candidates and their scores. */
  readonly numbers = new GrowingArray(Uint32Array);
  readonly scores = new GrowingArray(Float32Array);
  /** By number of post: what other readers say of it. */
  readonly shares = new Shares();
  /** Posts that are put in order by date, and their dates. */
  readonly listed = new GrowingArray(Uint32Array);
  readonly dates = new GrowingArray(Float64Array);
  /** The heap of the pruned top-k. */
  readonly heap = {
    groups: new BaseGroups(),
    places: new GrowingArray(Uint32Array),
    cheapScores: new GrowingArray(Float64Array),
    bounds: new GrowingArray(Float64Array),
    states: new GrowingArray(Uint8Array),
  };
  private readonly caches = new WeakMap<PostIndex, IndexCaches>();

  cachesOf(index: PostIndex): IndexCaches {
    let caches = this.caches.get(index);
    if (!caches) {
      caches = new IndexCaches();
      this.caches.set(index, caches);
    }
    return caches.at(index.catalogue.version);
  }

  /** Drops references to the index of the last query: a site may leave memory between two queries. */
  release(): void {
    this.overlap.release();
    this.pair.release();
  }
}
