// What an experiment is: variants of a list, to which readers are assigned by shares.

/** Which posts a related list shows, and in which order: by the page, by what readers read next, by both, and so on. */
export const RANKINGS = ['content', 'readers', 'mix', 'newest', 'popular'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** What an experiment decides by; the others are guardrails. */
export const GOALS = ['clicks', 'quality_clicks', 'views'] as const;
export type Goal = (typeof GOALS)[number];

/**
 * Running: readers are assigned. Stopped: all get the control, and the result stays. Archived: as stopped, not
 * listed.
 */
export const STATES = ['running', 'stopped', 'archived'] as const;
export type State = (typeof STATES)[number];

export const MOST_VARIANTS = 10;
/** Of a site, archived ones included. */
export const MOST_EXPERIMENTS = 100;
/** Readers after which an experiment ends, where it names no number. */
export const PLANNED_READERS = 50_000;

/** A variant, and what it changes of the list. */
export interface VariantRecord {
  name: string;
  /** Percent of the readers. */
  share: number;
  layout?: string | undefined;
  heading?: string | undefined;
  limit?: number | undefined;
  slot?: string | undefined;
  ranking?: Ranking | undefined;
  /** No list is drawn. */
  list?: 'none' | undefined;
}

/** An experiment as it is answered. */
export interface ExperimentRecord {
  name: string;
  slot: string;
  goal: Goal;
  /** Readers after which it ends. */
  readers: number;
  state: State;
  /** ISO 8601, UTC. */
  started: string;
  stopped: string | null;
  /** The control first. */
  variants: VariantRecord[];
}
