// What goes over the wire, as types only: the server answers with these, the widget reads them.

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

/** Error body, always without `data`. HTTP status is 200 but for faults of the server itself. */
export interface ErrorBody {
  code: 403 | 404 | 422 | 429 | 500 | 503;
  message: string;
  success: false;
  /** Only with 422: what each refused parameter accepts. */
  errors?: Record<string, string[]>;
}

/** What every record about a post carries. */
interface PostCore {
  title: string;
  /** Canonical URL, bare: no campaign parameters are ever added. */
  url: string;
  /** The same as `url`. */
  link: string;
  /** Names joined by ", ". */
  author: string;
  authors: string[];
  section: string;
  tags: string[];
  image_url: string;
  /** `image_url` where there is no thumbnail; "" where there is neither. */
  thumb_url_medium: string;
}

/** Post record of /analytics, /top, /search and the like. */
export interface PostRecord extends PostCore {
  /** `YYYY-MM-DDTHH:MM:SS`, UTC, no zone; "" when unknown. */
  pub_date: string;
  full_content_word_count: number;
  /** "" or a string of JSON. */
  metadata: string;
  _hits: number;
  metrics: Record<string, number>;
}

/** /top tells an order, never a number. */
export type TopRecord = Omit<PostRecord, '_hits' | 'metrics'>;

/** Record of /related. */
/** Why a post is recommended: what `explain=1` adds to its record, for who has the site's secret. */
export interface RelatedExplanation {
  score: number;
  /** How the parts make the score: multiplied, added, or not at all, where the newest posts are shown. */
  made: 'product' | 'sum' | 'recent';
  /** By name: closeness in words, what each ranking factor multiplies it by, and what other readers read next. */
  parts: Record<string, number | undefined>;
  relevance?: { closeness: number; least: number };
  terms: { term: string; share: number }[];
}

export interface RelatedRecord extends PostCore {
  explain?: RelatedExplanation;
  /** ISO 8601, UTC, with Z; "" when unknown. */
  pub_date: string;
}

/** What a tracker reports. */
export type Action = 'pageview' | 'heartbeat' | 'videostart' | 'vheartbeat' | 'conversion' | 'share' | 'custom';

/** One event as the widget posts it to /events; the other doors are turned into the same shape. */
export interface IncomingEvent {
  idsite: string;
  action: Action;
  url: string;
  urlref?: string;
  /** Epoch milliseconds, ISO 8601, or JavaScript's Date text. */
  date?: string | number;
  /** Epoch milliseconds; comes before `date`. */
  ts?: number;
  /** Engaged seconds since the last heartbeat. */
  inc?: number;
  /** Total engaged seconds so far; informative only. */
  tt?: number;
  /** Made by the sender once per event, the same when it is sent again. */
  eid?: string;
  /** Older senders' number against caches; tells two beacons apart together with all the rest. */
  rand?: string;
  /** The sender's own id of a page view. */
  pvid?: string;
  /** Visitor id of AMP pages. */
  ampid?: string;
  title?: string;
  screen?: string;
  u?: string;
  data?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}

/** Body of POST /metadata/{posts,videos}, as far as this server reads it. */
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
}

/** Answer of GET /history. */
export interface HistoryBody {
  data: { uuid: string; urls: string[] };
  success: true;
}
