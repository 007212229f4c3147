// Candidates, their scores, and the function that scores them, with its upper bounds.
import type { Scored } from '../textindex/topK.ts';

/** The candidates of a query; the scores are their closeness in words. */
export interface Candidates extends Scored {
  scores: Float32Array;
  /** Closeness of the closest before any was filtered out: what is compared with it does not change with a filter. */
  closest: number;
  /** Posts that readers alone bring: too far in words to be read for their titles. Default: none. */
  brought?: ReadonlySet<number>;
  /** Whether the post being read has relevant posts at the site, whatever a filter lets through. */
  belongs: boolean;
}

/** Scores posts by number, in steps: the last has to read the post, the one before it only a little of it. */
export interface Scorer {
  /** Closeness in words times the effects of the cheap factors. */
  cheapScore: (number: number, closeness: number) => number;
  /** The score, from the cheap score. */
  fullScore: (number: number, cheapScore: number) => number;
  /** Upper bound of the score, from the cheap score … */
  upperBound: (number: number, cheapScore: number) => number;
  /** … a tighter one, for which a little of the post is read … */
  closerBound: (number: number, cheapScore: number) => number;
  /** … and one from the closeness alone. All hold but for rounding. */
  cheapUpperBound: (number: number, closeness: number) => number;
  /** Upper bound of a score divided by its base; infinite where a score is no product. */
  max: number;
}

/** An upper bound may be lower than a score by this share of it. */
export const ROUNDING = 1e-6;

export interface ScoredCandidates extends Candidates {
  scorer: Scorer;
}
