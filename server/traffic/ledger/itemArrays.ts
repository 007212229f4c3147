// The items of a report: parallel arrays in a row of the ledger, unfolded by ARRAY JOIN.

/** The array that holds a column of the items. */
export const ITEM_ARRAYS = {
  source: 'sources',
  position: 'positions',
  alternative: 'alternatives',
  post: 'posts',
} as const;

export type ItemColumn = keyof typeof ITEM_ARRAYS;

/** One row an item, with `was_seen` and `clicked`. @param columns Those that are read. Default: all. */
export const arrayJoinItems = (columns = Object.keys(ITEM_ARRAYS) as ItemColumn[]): string =>
  `ARRAY JOIN ${[
    ...columns.map((column) => `${ITEM_ARRAYS[column]} AS ${column}`),
    'ledger.seen AS was_seen',
    'ledger.clicks AS clicked',
  ].join(', ')}`;
