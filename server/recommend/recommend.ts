// Ranking: what to read next. Pure: data in, order out; time is an argument.
//
//   recommend(index, request, now)   = candidates → keepAllowed → withScores → askReaders → orElseRecent → orderAndSlice

import type { PostIndex } from '../textindex/postIndex.ts';
import { candidates, keepAllowed } from './candidates.ts';
import { createFilter } from './filters.ts';
import { orderAndSlice, orElseRecent } from './order.ts';
import { createQuery } from './query.ts';
import { askReaders, type Readers } from './readers.ts';
import { withScores } from './scoring.ts';
import { Workspace } from './workspace.ts';

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

export interface RecommendRequest {
  /** Canonical URL being read: contextual. */
  url?: string;
  /** What the visitor has read, newest first: personal. Never shown again. */
  visits?: readonly { url: string; time: number }[];
  /** What other readers read next; absent: content alone decides. Asked only where there are visits. */
  readers?: Readers;
  filters: RecommendFilters;
  /** Canonical URLs that must not appear. */
  excluded: ReadonlySet<string>;
  sort: 'score' | 'pub_date';
  limit: number;
  page: number;
  /** true: nothing relevant means nothing; false: the most recent posts instead. */
  respectEmpty: boolean;
  /** Parameters of ranking factors that differ from their defaults, by name. */
  gains?: Readonly<Record<string, number>>;
}

export interface Recommendation {
  url: string;
  /** Higher is closer; 0 for the most recent posts shown where nothing is relevant. */
  score: number;
}

/**
 * The posts of one page of an answer. The same index, request and time give the same answer; page 1 and page 2 of n
 * are the first 2n. Filters and exclusions only leave out: where relevant posts are shown, the others keep their scores and
 * their order, and none comes in but a copy of one that was left out. (Copies are looked for among the first hundred posts
 * shown and the last thirty before them; a list ends after two thousand of them.)
 * @param now Epoch milliseconds: the last publication date that is shown.
 * @param workspace Memory to compute in, which no other query uses meanwhile. Default: a new one.
 */
export function recommend(
  index: PostIndex,
  request: RecommendRequest,
  now: number,
  workspace = new Workspace(),
): Recommendation[] {
  const query = createQuery(index, request, workspace);
  const allowed = createFilter(index.catalogue, request.filters, { never: query.never, now });
  const found = keepAllowed(candidates(query), allowed);
  const scored = withScores(query, found);
  const withReaders = askReaders(query, scored, { allowed, request, now });
  const ranking = orElseRecent(query, withReaders, { allowed, request });
  return orderAndSlice(query, ranking, request);
}
