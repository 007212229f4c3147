// The thread in which the lists for searches are made, beside the one that makes the index of a big site.
import type { Piece } from '../recommend/piece.ts';
import { Tally } from '../search/digestWords.ts';
import { Documents } from '../search/documents.ts';
import { type DigestPage, readDigests } from './digestPages.ts';
import { shared } from './sharedPieces.ts';
import { type Answer, answerJobs } from './threads.ts';

export type SearchJob =
  | { do: 'add'; page: DigestPage }
  /** Asked for again and again until there is no more. */
  | { do: 'give' };
export type SearchReply = { did: 'add' } | { did: 'give'; piece: Piece | undefined };

const documents = new Documents();
const tally = new Tally();
let pieces: Iterator<Piece> | undefined;

function add(page: DigestPage): Answer<SearchReply> {
  for (const { post, digest, names } of readDigests(page)) {
    if (digest) documents.add(post, tally.readPost(digest, names));
    else documents.remove(post);
  }
  return { reply: { did: 'add' } };
}

function give(): Answer<SearchReply> {
  pieces ??= shared(documents.pieces());
  return { reply: { did: 'give', piece: pieces.next().value } };
}

answerJobs<SearchJob, SearchReply>((job) => () => (job.do === 'add' ? add(job.page) : give()));
