// What an index is kept as between two starts: pieces, each a few typed arrays and a little JSON, small enough to be written
// and read one at a time while questions are answered.

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** Those of an index for searches. */
type SearchPiece = 'documents' | 'lists' | 'list page' | 'neighbours' | 'neighbour blocks';

/** Those of a snapshot of cards. */
type CardPiece = 'cards' | 'aliases';

export interface Piece {
  name: 'index' | 'posts' | 'weights' | 'digests' | 'words' | 'seen' | 'terms' | SearchPiece | CardPiece | 'end';
  /** Which one of its name. */
  at: number;
  /** Live arrays: to be copied before the next piece is asked for. */
  arrays: Numbers[];
  facts: unknown;
}

export const piece = (name: Piece['name'], at: number, arrays: Numbers[], facts: unknown = null): Piece => ({
  name,
  at,
  arrays,
  facts,
});
