// What is asked of a recommendation, and what it returns.

import type { DialSettings } from '../contract/dials.ts';
import type { ItemSource } from '../contract/wire.ts';
import type { Next } from '../readers/behaviour/behaviour.ts';

/** What readers of a site may be shown: filters of the interface, all of which a post must pass. */
export interface RecommendFilters {
  sections?: readonly string[];
  authors?: readonly string[];
  tags?: readonly string[];
  /** `exclude=<meta>:<value>`, repeatable. */
  exclude?: readonly { meta: 'authors' | 'section' | 'tags'; value: string }[];
  /** Epoch milliseconds, inclusive. */
  pubDateStart?: number;
  /** Epoch milliseconds, inclusive. Default, and at most: now; a post is not shown before its date. */
  pubDateEnd?: number;
}

/** A post that stands at a position of the list, where filters and exclusions allow it. */
export interface PinnedPost {
  /** Canonical URL. */
  url: string;
  /** From 1. */
  position: number;
}

export interface RecommendRequest {
  /** Canonical URL being read: contextual. */
  url?: string;
  /** What the visitor has read, newest first: personal. Never shown again. */
  visits?: readonly { url: string; time: number }[];
  /** What other readers read next; absent: content alone decides. Asked where there are visits, or a dial asks. */
  readers?: Readers;
  /** Default: those of `resolveDials`. */
  dials?: DialSettings;
  filters: RecommendFilters;
  /** Canonical URLs that must not appear. */
  excluded: ReadonlySet<string>;
  /** Canonical URLs that rules of editors leave out of this list. Default: none. */
  hidden?: readonly string[];
  /** Posts that editors put at positions of the list. Default: none. */
  pins?: readonly PinnedPost[];
  sort: 'score' | 'pub_date';
  limit: number;
  page: number;
  /** true: nothing relevant means nothing; false: the most recent posts instead. */
  respectEmpty: boolean;
  /** Parameters of ranking factors that differ from their defaults, by name. */
  gains?: Readonly<Record<string, number>>;
}

/** Returns what readers of some posts read next; implemented by `behaviour/`. */
export interface Readers {
  /** @param read Canonical URLs, newest first. @returns Best first. */
  next(read: readonly string[], options: { now: number; most: number }): readonly Next[];
}

export interface Recommendation {
  url: string;
  /** Higher is closer; 0 for the most recent posts shown where nothing is relevant. */
  score: number;
  source: ItemSource;
}
