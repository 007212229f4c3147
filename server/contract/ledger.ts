// The ledger: what a page reports of the lists it showed, so that it can be said what they brought. The widget writes
// these reports, the server reads them; an event of the action `list` carries them.

/** Bounds of a report; a report beyond one of them is dropped as malformed. */
export const LEDGER_LIMITS = {
  /** Lists of one report. */
  lists: 20,
  /** Items of one list. */
  items: 60,
  /** The last position in a list, from 1. */
  position: 255,
  /** Clicks on one item in one report. */
  clicks: 100,
  /** Characters of the name of a list, a slot, a layout, an experiment or a variant. */
  name: 64,
  /** Days that reports are kept; their sums by day stay as long as all traffic. */
  days: 90,
} as const;

/** Why a post stands in a list. */
export const ITEM_SOURCES = ['words', 'readers', 'recent', 'popular', 'editor', 'sponsor'] as const;
export type ItemSource = (typeof ITEM_SOURCES)[number];

/** An item of a list, and what happened to it since the report before. */
export interface ListItem {
  /** From 1. */
  position: number;
  /** URL of the post. */
  post: string;
  source: ItemSource;
  /** Half of it was in the window for one second, in a visible tab. Once a page view. Default: false. */
  seen?: boolean | undefined;
  /** Default: 0. */
  clicks?: number | undefined;
}

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
   * The list was shown, or would have been, where a variant shows none: said in the first report of a page view only.
   * Default: false.
   */
  shown?: boolean | undefined;
  /** Those that were seen or clicked. */
  items: ListItem[];
}
