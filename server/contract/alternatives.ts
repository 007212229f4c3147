// Alternative titles and pictures of a post, of which lists show one to each reader.

/** Of a post, beside its own title and picture. */
export const MOST_ALTERNATIVES = 10;
/** Characters of an alternative title: more than any list shows. */
export const LONGEST_ALTERNATIVE_TITLE = 300;

/** A test of titles or pictures. */
export interface HeadlineRecord {
  url: string;
  state: 'running' | 'won' | 'stopped';
  /** ISO 8601, UTC. */
  started: string;
  ended: string | null;
  /** Number of the alternative that won. */
  winner: number | null;
  /** When the site's webhook took the winner; null: it did not, or there is none. */
  announced: string | null;
  /** By number, from 1: the post's own first. Those without a title or picture have the post's own. */
  alternatives: HeadlineAlternative[];
}

export interface HeadlineAlternative {
  title: string;
  image_url: string;
  /** Of the readers, 0 to 1; of one that ended, as it was at the end. */
  share: number;
  /** Where one test is asked for, as long as the reports of its pages are kept. */
  metrics?: HeadlineMetrics;
}

/** What readers did while the test ran. */
export interface HeadlineMetrics {
  /** How often lists showed it to a reader. */
  seen: number;
  clicks: number;
  quality_clicks: number;
  /** To be the best one by its quality clicks, 0 to 1; what was counted counts half as much a day later. */
  probability: number;
}
