// The categories and types of referrers, in the terms of the interface.

/** Categories of referrers: each names the lists under `/referrers/{category}`. */
export const REFERRER_CATEGORIES = ['social', 'search', 'aggregator', 'ai', 'other', 'internal'] as const;

/** `direct`: the request had no referrer. */
export type ReferrerCategory = (typeof REFERRER_CATEGORIES)[number] | 'direct';

/** The coarser types, which all clients of the interface support. */
export type ReferrerType = Exclude<ReferrerCategory, 'aggregator' | 'ai'>;

export const typeOfCategory = (category: ReferrerCategory): ReferrerType =>
  category === 'aggregator' || category === 'ai' ? 'other' : category;

/** Record of /analytics/referrers and /referrers. */
export interface ReferrerRecord {
  /**
   * Brand of a search engine or an assistant, main domain of a network, else the host without `www.`; `direct` for
   * none.
   */
  name: string;
  type: ReferrerType;
  /** Finer than the type: aggregators and assistants have the type `other`. */
  category: ReferrerCategory;
  _hits: number;
  metrics: Record<string, number>;
}
