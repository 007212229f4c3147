// The thread in which the index of a big site is made, with the help of two others: posts come in as lines, their cards go out;
// then the index goes out, piece by piece. Whoever is answered by the server's own thread meanwhile hears nothing of it: not the work, not the collector.
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { type CardPage, cardAt } from './cards.ts';
import { readIndex } from './indexFile.ts';
import { everything, type KeptIndex, takeUp } from './kept.ts';
import { SearchAside } from './searchAside.ts';
import { shared } from './sharedPieces.ts';
import { indexed, Shelf } from './shelf.ts';
import { spelledAt } from './spelledPages.ts';
import type { SpellingJob, SpellingReply } from './spellingThread.ts';
import { answerJobs, openThread } from './threads.ts';

export type IndexJob =
  | { do: 'begin'; file: string | undefined }
  | { do: 'take'; lines: Uint8Array<ArrayBuffer> }
  /** Asked for again and again until there is no more. */
  | { do: 'give' };

export type IndexReply =
  | { did: 'begin'; kept: boolean; problem?: string }
  | { did: 'take'; cards: CardPage }
  | { did: 'give'; piece: SnapshotPart | undefined };

/** Beside this file, as it was built. */
const speller = openThread<SpellingJob, SpellingReply>(new URL('spellingThread.js', import.meta.url), 'words');
const shelf = new Shelf();
let kept: KeptIndex | undefined;
let search: SearchAside | undefined;
let pieces: AsyncIterator<SnapshotPart, undefined> | undefined;

async function begin(file: string | undefined): Promise<IndexReply> {
  let problem: string | undefined;
  try {
    if (file !== undefined) kept = await takeUp(readIndex(file), shelf, { fresh: false });
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  search = new SearchAside(shelf.index);
  return { did: 'begin', kept: kept !== undefined, ...(problem !== undefined && { problem }) };
}

async function take({ cards, spelled }: SpellingReply): Promise<CardPage> {
  for (let place = 0; place < cards.urls.length; place++) {
    const card = cardAt(cards, place);
    // What has changed since it was kept is read by whoever takes the index over.
    if (kept) kept.restorePost(card);
    else shelf.index.putLater(indexed({ ...card, fullContent: '' }), spelledAt(spelled, place));
  }
  // Nothing is asked here of a card but when its post was changed last.
  shelf.meet(cards);
  await search?.handOver();
  return cards;
}

async function* all(): AsyncGenerator<SnapshotPart, undefined> {
  await shelf.tidy();
  yield* shared(everything(shelf));
  if (search) yield* search.snapshot();
}

answerJobs<IndexJob, IndexReply>((job) => {
  if (job.do === 'begin') return async () => ({ reply: await begin(job.file) });
  if (job.do === 'take') {
    // Read while the posts before them are taken in.
    const spelled = speller.ask({ do: 'spell', lines: job.lines }, [job.lines.buffer]);
    spelled.catch(() => undefined);
    return async () => {
      const cards = await take(await spelled);
      return { reply: { did: 'take', cards }, handedOver: [cards.bytes.buffer] };
    };
  }
  return async () => {
    pieces ??= all();
    return { reply: { did: 'give', piece: (await pieces.next()).value } };
  };
});
