// A part of a snapshot: a few typed arrays and a little JSON, small enough to be written and read one at a time between
// queries.

export type SnapshotArray = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** Of an index for searches. */
type SearchPart = 'documents' | 'lists' | 'list page' | 'neighbours' | 'neighbour blocks';

/** Of a snapshot of cards. */
type CardPart = 'cards' | 'aliases';

export interface SnapshotPart {
  name: 'index' | 'posts' | 'weights' | 'forward' | 'words' | 'seen' | 'terms' | SearchPart | CardPart | 'end';
  /** Which one of its name. */
  at: number;
  /** Live arrays: to be copied before the next part is asked for. */
  arrays: SnapshotArray[];
  facts: unknown;
}

export const snapshotPart = (
  name: SnapshotPart['name'],
  at: number,
  arrays: SnapshotArray[],
  facts: unknown = null,
): SnapshotPart => ({
  name,
  at,
  arrays,
  facts,
});
