// The thread in which the lists for searches are made, beside the one that makes the index of a big site.

import { Documents } from '../search/documents.ts';
import { Tally } from '../search/wordTally.ts';
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { type ForwardPage, readForwardPage } from './forwardPages.ts';
import { toSharedParts } from './sharedParts.ts';
import { type Answer, answerJobs } from './threads.ts';

export type SearchJob =
  | { do: 'add'; page: ForwardPage }
  /** Asked for again and again until there is no more. */
  | { do: 'give' };
export type SearchReply = { did: 'add' } | { did: 'give'; part: SnapshotPart | undefined };

const documents = new Documents();
const tally = new Tally();
let parts: Iterator<SnapshotPart> | undefined;

function add(page: ForwardPage): Answer<SearchReply> {
  for (const { post, entry, names } of readForwardPage(page)) {
    if (entry) documents.add(post, tally.readPost(entry, names));
    else documents.remove(post);
  }
  return { reply: { did: 'add' } };
}

function give(): Answer<SearchReply> {
  parts ??= toSharedParts(documents.snapshot());
  return { reply: { did: 'give', part: parts.next().value } };
}

answerJobs<SearchJob, SearchReply>((job) => () => (job.do === 'add' ? add(job.page) : give()));
