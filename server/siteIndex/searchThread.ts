// The thread that makes the inverted index for searches, beside the one that makes the index of a big site.

import { Documents } from '../search/documents.ts';
import { Tally } from '../search/wordTally.ts';
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { type Handlers, serveMethods } from '../workers/serveMethods.ts';
import { type ForwardPage, readForwardPage } from './forwardPages.ts';
import { toSharedParts } from './sharedParts.ts';

export interface SearchMethods {
  add(page: ForwardPage): void;
  /** The next part of the snapshot; undefined after the last one. */
  nextPart(): SnapshotPart | undefined;
}

function createSearchMethods(): Handlers<SearchMethods> {
  const documents = new Documents();
  const tally = new Tally();
  let parts: Iterator<SnapshotPart> | undefined;
  return {
    add(page) {
      for (const { post, entry, names } of readForwardPage(page)) {
        if (entry) documents.add(post, tally.readPost(entry, names));
        else documents.remove(post);
      }
    },
    nextPart() {
      parts ??= toSharedParts(documents.snapshot());
      return parts.next().value;
    },
  };
}

serveMethods<SearchMethods>(createSearchMethods());
