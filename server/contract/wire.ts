// The wire format, as types only: the server answers with these, the widget reads them.

/** Success envelope of every list and detail. */
export interface Envelope<T> {
  data: T[];
  meta: { metrics: string[]; sort: string };
  links: Links;
  success: true;
}

export interface Links {
  first: string;
  /** null on the last page and at record 2000. */
  next: string | null;
  /** Absent on page 1. */
  prev?: string;
}

/** Error body, always without `data`. The HTTP status is 200, except for internal errors of the server. */
export interface ErrorBody {
  code: 403 | 404 | 405 | 422 | 429 | 500 | 503;
  message: string;
  success: false;
  /** Only with 422: the accepted values of each refused parameter. */
  errors?: Record<string, string[]>;
}

/** Fields of every record about a post. */
interface PostCore {
  title: string;
  /** Canonical URL, without campaign parameters. */
  url: string;
  /** Equal to `url`. */
  link: string;
  /** Names joined by ", ". */
  author: string;
  authors: string[];
  section: string;
  tags: string[];
  image_url: string;
  /** Equal to `image_url` where there is no thumbnail; "" where there is neither. */
  thumb_url_medium: string;
}

/** Post record of /analytics, /search and similar lists. */
export interface PostRecord extends PostCore {
  /** `YYYY-MM-DDTHH:MM:SS` in UTC, without a zone; "" when unknown. */
  pub_date: string;
  full_content_word_count: number;
  /** "" or JSON as a string. */
  metadata: string;
  _hits: number;
  metrics: Record<string, number>;
}

/** What lists show of a post to a share of its readers. */
export interface AlternativeRecord {
  title: string;
  image_url: string;
  thumb_url_medium: string;
  /** Share of the readers; those of all alternatives add up to 1, but for rounding. */
  share: number;
}

/** Of lists in pages. */
interface Shown {
  /** While several titles or pictures are compared: the post's own first, then the others in their order. */
  alternatives?: AlternativeRecord[];
}

/** What was counted within one interval of a series. */
export interface IntervalMetrics {
  /** First moment, ISO 8601, with the offset of the site's zone. */
  start: string;
  /** The interval is not over yet, or the period begins or ends within it: only that part was counted. */
  partial: boolean;
  metrics: Record<string, number>;
}

/** Record of /analytics/series. */
export interface IntervalRecord extends IntervalMetrics {
  /** With `compare=previous`; partial also where it begins before the first view of the site was counted. */
  previous?: IntervalMetrics;
}

/** Record of /analytics/post/growth: the views of a post up to an age. */
export interface GrowthRecord {
  unit: 'hour' | 'day';
  /** Hours after the publication, or days of the site's calendar, that of the publication being the first. */
  age: number;
  /** The end of it: ISO 8601, with the offset of the site's zone. */
  until: string;
  /** It is not over yet. */
  partial: boolean;
  /** From the publication up to the age; of days, from the beginning of the first one. */
  views: number;
  /** Of the posts it is compared with, up to the same age; null where they are fewer than five. */
  typical: { posts: number; low: number; median: number; high: number } | null;
}

/** What a post is, as it is stored or as its page says. */
export interface PostFacts {
  /** Canonical URL. */
  url: string;
  page_type: string;
  title: string;
  section: string;
  authors: string[];
  tags: string[];
  /** ISO 8601 in UTC, with Z; "" when unknown. */
  pub_date: string;
  image_url: string;
  language: string;
  words: number;
}

/** Record of /metadata/post. */
export interface StoredPostRecord {
  stored: PostFacts;
  /** Fields that the publisher sent: its page does not change them. */
  sent: (keyof PostFacts)[];
  /** What its page said when it was read last; null where that is not known. */
  read: PostFacts | null;
  /** Its other addresses, the first hundred. */
  aliases: string[];
  hidden: boolean;
  /** Since when there is no page at its address, so that lists leave it out, ISO 8601; null: there is one. */
  gone: string | null;
  /** Path of a small picture on this server; "" where there is none. */
  thumbnail: string;
  /** The last change of what is stored, ISO 8601. */
  updated: string;
  /** null: the crawler never met its page. */
  crawl: {
    /** ISO 8601; null: never. */
    read: string | null;
    /** When it is read next; null: when that is asked for. */
    due: string | null;
    /** It was asked for, and is read before all others. */
    requested: boolean;
    /** What hindered the last attempt; "" where nothing did. */
    failure: string;
    attempts: number;
  } | null;
}

/** With `totals=1`, beside the records of /analytics/series: the whole period, distinct visitors counted once. */
export interface SeriesTotals {
  metrics: Record<string, number>;
  /**
   * With `compare=previous`. `partial`: it begins before the first view of the site was counted. `days_before`: days of
   * traffic before it: after few, nearly all of its visitors are new.
   */
  previous?: { metrics: Record<string, number>; partial: boolean; days_before: number };
}

/** A record of /top has an order, never a figure. */
export type TopRecord = Omit<PostRecord, '_hits' | 'metrics'> & Shown;

/** Explanation of a recommendation: `explain=1` adds it to the record, for requests with the site's secret. */
export interface RelatedExplanation {
  score: number;
  /**
   * Combination of the parts into the score: product, mix (`words` and `readers` added, times the others), sum, or
   * none, where what is read most now or new is shown; `rule`: none, where a rule of editors pins the post.
   */
  made: 'product' | 'mix' | 'sum' | 'recent' | 'rule';
  /** By name: textual similarity, the multiplier of each ranking factor, and co-visitation of other readers. */
  parts: Record<string, number | undefined>;
  relevance?: { closeness: number; least: number };
  terms: { term: string; share: number }[];
}

/** Record of /related. */
export interface RelatedRecord extends PostCore, Shown {
  source: ItemSource;
  explain?: RelatedExplanation;
  /** ISO 8601 in UTC, with Z; "" when unknown. */
  pub_date: string;
}

/** Kinds of events that a tracker reports. */
export type Action =
  | 'pageview'
  | 'heartbeat'
  | 'videostart'
  | 'vheartbeat'
  | 'conversion'
  | 'share'
  | 'custom'
  | 'list';

/** Why a post stands in a list. */
export type ItemSource = 'words' | 'readers' | 'recent' | 'popular' | 'editor' | 'sponsor';

/**
 * An item of a list, without names of fields, since pages report five and more at a time.
 * - `position` from 1.
 * - `post`: its URL, or its path where it has the origin of the event's `url`.
 * - `alternative`: number of the title and picture it was drawn with, from 1, the post's own. Default: 0, none are
 *   compared.
 */
export type ListItem = readonly [position: number, post: string, source: ItemSource, alternative?: number | undefined];

/** What a page says of one of its lists. A page view may report a list several times: each time what is new. */
export interface ListReport {
  /** Kind of the list: `related` or `top`. */
  list: string;
  /** Name of the slot, else its order on the page, from 1. */
  slot: string;
  layout: string;
  /** "" where there is none, as by default. */
  experiment?: string | undefined;
  /** Of the experiment; "" where there is none, as by default. */
  variant?: string | undefined;
  /**
   * The list was shown: the first of its items was seen or clicked, or would have been, where a variant shows none.
   * Said in the first report of a page view only. Default: false.
   */
  shown?: boolean | undefined;
  /**
   * Layout shift of the page since a list of an experiment was drawn, up to when its tab was first hidden; 0 to 1. Once
   * a list and page view. Absent: not measured.
   */
  shift?: number | undefined;
  /** Errors of our script in that time, and of the list. Absent: not counted. */
  errors?: number | undefined;
  /** Items of which half was in the window for one second, in a visible tab: each once a page view. Default: none. */
  seen?: ListItem[] | undefined;
  /** Items that were clicked since the report before: once for each click. Default: none. */
  clicked?: ListItem[] | undefined;
}

/** One event as the widget posts it to /events; events of the other endpoints are converted to this form. */
export interface IncomingEvent {
  idsite: string;
  action: Action;
  url: string;
  urlref?: string;
  /** Epoch milliseconds, ISO 8601, or JavaScript's Date text. */
  date?: string | number;
  /** Epoch milliseconds; takes precedence over `date`. */
  ts?: number;
  /** Engaged seconds since the last heartbeat. */
  inc?: number;
  /** Total engaged seconds; informative only. */
  tt?: number;
  /** Idempotency key, made by the sender once per event and repeated with each retry. */
  eid?: string;
  /** Cache buster of older senders; distinguishes two beacons together with all other fields. */
  rand?: string;
  /** The sender's own page view id. */
  pvid?: string;
  /** Visitor id of AMP pages. */
  ampid?: string;
  title?: string;
  screen?: string;
  u?: string;
  data?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  /** Of the action `list`: what became of the lists of the page. */
  lists?: readonly ListReport[];
}

/** Body of POST /metadata/{posts,videos}: the fields that this server reads. */
export interface MetadataBody {
  canonical_url: string;
  urls?: string[];
  page_type?: 'post' | 'index' | 'video';
  title?: string;
  image_url?: string;
  thumb_url?: string;
  /** ISO 8601, UTC. */
  pub_date_tmsp?: string;
  section?: string;
  authors?: string[];
  tags?: string[];
  full_content?: string;
  language?: string;
  duration?: number;
  post_id?: string;
  custom_metadata?: string | Record<string, unknown>;
  video_platform?: string;
  /** Titles and pictures that lists show in place of the post's own, until one has won. */
  alternatives?: { title?: string; image_url?: string }[];
}

/** What a site has set of its own; null: the default. */
export interface SettingsRecord {
  /** Of its related posts, 0 to 1. */
  dials: Record<string, number | null>;
}

/** Body of GET /history. */
export interface HistoryBody {
  data: { uuid: string; urls: string[] };
  success: true;
}
