// The content audit of a site, as /analytics/setup/posts answers it: missing metadata, orphan posts, posts whose page
// is gone, crawl failures.
// Types and bounds; imports nothing.

/** Fields that lists and figures are made of. In the order of the answer. */
export const NEEDED_FIELDS = ['image_url', 'pub_date', 'section'] as const;
export type NeededField = (typeof NEEDED_FIELDS)[number];

/** Most posts or pages listed for each finding. */
export const AUDIT_EXAMPLES = 10;

/** A post is an orphan where nothing has led to it for so many days, and its publication is a day ago. */
export const ORPHAN_DAYS = 30;

export interface AuditedPost {
  url: string;
  title: string;
}

export interface PostsLacking {
  field: NeededField;
  count: number;
  /** The newest. */
  posts: AuditedPost[];
}

export interface CrawlFailuresRecord {
  /** Why, as in the record of a stored post. */
  failure: string;
  count: number;
  /** The last to fail. `tried` is ISO 8601, UTC; `again`: the crawler tries by itself. */
  pages: { url: string; tried: string; again: boolean }[];
}

export interface ContentAuditRecord {
  /** Posts that lists may show. */
  posts: number;
  lacking: PostsLacking[];
  /** Neither seen in a list nor opened from another page of the site. */
  orphans: { days: number; count: number; posts: AuditedPost[] };
  /** Posts that lists leave out because their page is gone, the last ones first. */
  gone: { count: number; posts: AuditedPost[] };
  /** Pages that the crawler could not read; the most frequent reason first. */
  crawl_failures: CrawlFailuresRecord[];
}
