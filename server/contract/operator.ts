// What the operator's pages of the console are answered, as types, and the orders of its list. Imports nothing.

/** Sites on one page of the list. */
export const SITES_ON_PAGE = 50;

/** `silent`: those whose last view is longest ago first. */
export const SITE_ORDERS = ['views', 'name', 'refused', 'silent'] as const;
export type SiteOrder = (typeof SITE_ORDERS)[number];

/** `unloaded`: it is on the disk, and loaded when it is asked for. */
export type IndexState = 'loaded' | 'loading' | 'unloaded';

export interface OperatorSite {
  site: string;
  /** IANA name. */
  timezone: string;
  /** Of its own today; of posts and other pages, hidden ones included. */
  views_today: number;
  /** In the last hour and the quarter of an hour that has begun. */
  views_hour: number;
  /** ISO 8601, UTC, to the quarter of an hour; null: none on the last three days. */
  last_view: string | null;
  /** Events of the last minutes that were not stored and should have been, as the copy that answers counts them. */
  refused: number;
  /** Why most of them were not; null: there are none. */
  refused_as: string | null;
  posts: number;
  index: IndexState;
  /** 0 to 1, while it is loading. */
  loaded: number | null;
  /** The partner that made it. */
  partner: string | null;
}

export interface OperatorSitesAnswer {
  data: OperatorSite[];
  /** Of all sites, and of those that were looked for. */
  sites: number;
  found: number;
  /** From 1. */
  page: number;
  pages: number;
  /** Several copies of the server may share the database: each counts its own refused events. */
  shared: boolean;
  /** ISO 8601, UTC. */
  now: string;
}

export interface ServerFinding {
  /** What was looked at. */
  about: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
  /** What to do, where something is to be done. */
  remedy?: string;
}

/** State of the copy of the server that answers. Sizes are bytes, times ISO 8601 in UTC. */
export interface ServerRecord {
  now: string;
  version: string;
  node: string;
  started: string;
  /** Bytes of memory that the process takes. */
  memory: number;
  /** Where events go and where lists come from, and why, if that is not the database. */
  events: 'stored' | 'spooled' | 'refused';
  reads: 'database' | 'memory' | 'none';
  problems: string[];
  /** Events that are not in the tables yet. */
  queue: {
    /** Whose senders are not answered yet. */
    waiting: number;
    /** Acknowledged, in the write-ahead log. */
    events: number;
    bytes: number;
    /** Age of the oldest in seconds. */
    seconds: number;
    /** Bytes that the log has room for; 0: there is no log. */
    room: number;
  };
  /** null: it does not answer. `inside`: the engine runs in the process of the server. */
  database: { rows: number; parts: number; bytes: number } | null;
  inside: boolean;
  /** Bytes left on the disk of the data folder; null: unknown. */
  free: number | null;
  /** In memory. */
  indexes: {
    sites: number;
    posts: number;
    bytes: number;
    limit: number;
    loading: number;
    waiting: number;
    evictions: number;
    /** Bytes of what readers read next. */
    readers: number;
  };
  /** null: none is known. */
  last_backup: string | null;
  /** As `afterword doctor` prints them, the worst first. */
  findings: ServerFinding[];
}
