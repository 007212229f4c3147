// How a visit comes to a page, in the words of the interface.

/** Kinds of referrer, as an editor sorts them: each names the lists under `/referrers/{category}`. */
export const REFERRER_CATEGORIES = ['social', 'search', 'aggregator', 'ai', 'other', 'internal'] as const;

/** `direct`: no referrer was sent. */
export type ReferrerCategory = (typeof REFERRER_CATEGORIES)[number] | 'direct';

/** The coarser classes that clients of the interface have always known. */
export type ReferrerType = Exclude<ReferrerCategory, 'aggregator' | 'ai'>;

export const typeOfCategory = (category: ReferrerCategory): ReferrerType =>
  category === 'aggregator' || category === 'ai' ? 'other' : category;

/** Record of /analytics/referrers and /referrers. */
export interface ReferrerRecord {
  /** Brand of a search engine or an assistant, main domain of a network, else the host without `www.`; `direct` for none. */
  name: string;
  type: ReferrerType;
  /** Finer than the type: aggregators and assistants are of type `other`. */
  category: ReferrerCategory;
  _hits: number;
  metrics: Record<string, number>;
}
