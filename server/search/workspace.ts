// Memory that searches reuse. A search has a workspace to itself until its answer is complete.

import { GrowingArray } from '../textindex/growingArray.ts';
import type { MayHave } from './neighbours.ts';
import { emptyList } from './postings.ts';
import type { SearchIndex } from './searchIndex.ts';

export class SearchWorkspace {
  /** Decoded postings, two lists: those of a unit's rarest word are read before and after its other words'. */
  rarest = emptyList();
  other = emptyList();
  /** Documents that match, with their scores. */
  readonly documents = new GrowingArray(Uint32Array);
  readonly scores = new GrowingArray(Float32Array);
  /** Posts of those documents, with their dates. */
  readonly numbers = new GrowingArray(Uint32Array);
  readonly dates = new GrowingArray(Float64Array);

  /** Drops references to the index of the last search: a site may leave memory between two searches. */
  release(): void {
    this.rarest.from = undefined;
    this.other.from = undefined;
  }
}

/** The index that is searched, and what the search needs while it runs. */
export interface SearchQuery {
  readonly index: SearchIndex;
  readonly workspace: SearchWorkspace;
  /** Tests whether two words may stand side by side in a document, by their numbers: readings share most pairs. */
  readonly pairs: Map<string, MayHave>;
}
