// Ranking: what to read next. Pure: data in, order out; time is an argument.

/** What readers of a site may be shown: filters of the interface, all of which a post must pass. */
export interface RecommendFilters {
  sections?: readonly string[];
  authors?: readonly string[];
  tags?: readonly string[];
  /** `exclude=<meta>:<value>`, repeatable. */
  exclude?: readonly { meta: 'authors' | 'section' | 'tags'; value: string }[];
  /** Epoch milliseconds, inclusive. */
  pubDateStart?: number;
  pubDateEnd?: number;
}

export interface RecommendRequest {
  /** Canonical URL being read: contextual. */
  url?: string;
  /** What the visitor has read, newest first: personal. Never shown again. */
  visits?: readonly { url: string; time: number }[];
  filters: RecommendFilters;
  /** Canonical URLs that must not appear. */
  excluded: ReadonlySet<string>;
  sort: 'score' | 'pub_date';
  limit: number;
  page: number;
  /** true: nothing relevant means nothing; false: the most recent posts instead. */
  respectEmpty: boolean;
}

export interface Recommendation {
  url: string;
  /** Higher is closer; 0 for the most recent posts shown where nothing is relevant. */
  score: number;
}
