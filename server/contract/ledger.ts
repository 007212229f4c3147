// The ledger: what pages report of their lists, as `ListReport` of the wire format, so that it can be said what they
// brought.

/** Bounds of a report; a report beyond one of them is dropped as malformed, but for names, which are cut. */
export const LEDGER_LIMITS = {
  /** Lists of one report. */
  lists: 100,
  /** Items of one list that were seen, and clicks on them. */
  items: 60,
  /** The last position in a list, from 1. */
  position: 255,
  /** The last number of an alternative title or picture; 1 is the post's own. */
  alternative: 11,
  /** Layout shift of a page; the widget reports a larger one as this. */
  shift: 1,
  /** Errors of one list; the widget reports more as this. */
  errors: 100,
  /** Characters of the name of a list, a slot, a layout, an experiment or a variant. */
  name: 64,
  /** Days that reports are kept; their sums by day stay as long as all traffic. */
  days: 90,
} as const;

/** Why a post stands in a list: the values of `ItemSource`. */
export const ITEM_SOURCES = ['words', 'readers', 'recent', 'popular', 'editor', 'sponsor'] as const;
