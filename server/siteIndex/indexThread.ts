// The thread in which the index of a big site is made, with the help of two others: posts come in as lines, their cards go out;
// then the index goes out, part by part. Whoever is answered by the server's own thread meanwhile hears nothing of it: not the work, not the collector.
import type { SnapshotPart } from '../textindex/snapshotPart.ts';
import { type CardPage, cardAt } from './cards.ts';
import { type RestoredIndex, restoreIndex, snapshotParts } from './indexSnapshot.ts';
import { SearchFollower } from './searchFollower.ts';
import { toSharedParts } from './sharedParts.ts';
import { indexed, SiteIndex } from './siteIndex.ts';
import { readSnapshot } from './snapshotFile.ts';
import { answerJobs, openThread } from './threads.ts';
import type { TokenizerJob, TokenizerReply } from './tokenizerThread.ts';
import { tokenizedPostAt } from './tokenPages.ts';

export type IndexJob =
  | { do: 'begin'; file: string | undefined }
  | { do: 'take'; lines: Uint8Array<ArrayBuffer> }
  /** Asked for again and again until there is no more. */
  | { do: 'give' };

export type IndexReply =
  | { did: 'begin'; kept: boolean; problem?: string }
  | { did: 'take'; cards: CardPage }
  | { did: 'give'; part: SnapshotPart | undefined };

/** Beside this file, as it was built. */
const tokenizer = openThread<TokenizerJob, TokenizerReply>(new URL('tokenizerThread.js', import.meta.url), 'tokenizer');
const siteIndex = new SiteIndex();
let kept: RestoredIndex | undefined;
let search: SearchFollower | undefined;
let parts: AsyncIterator<SnapshotPart, undefined> | undefined;

async function begin(file: string | undefined): Promise<IndexReply> {
  let problem: string | undefined;
  try {
    if (file !== undefined) kept = await restoreIndex(readSnapshot(file), siteIndex, { fresh: false });
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  search = new SearchFollower(siteIndex.index);
  return { did: 'begin', kept: kept !== undefined, ...(problem !== undefined && { problem }) };
}

async function take({ cards, tokens }: TokenizerReply): Promise<CardPage> {
  for (let place = 0; place < cards.urls.length; place++) {
    const card = cardAt(cards, place);
    // What has changed since it was kept is read by whoever takes the index over.
    if (kept) kept.restorePost(card);
    else siteIndex.index.putLater(indexed({ ...card, fullContent: '' }), tokenizedPostAt(tokens, place));
  }
  // Nothing is asked here of a card but when its post was changed last.
  siteIndex.meet(cards);
  await search?.handOver();
  return cards;
}

async function* all(): AsyncGenerator<SnapshotPart, undefined> {
  await siteIndex.tidy();
  yield* toSharedParts(snapshotParts(siteIndex));
  if (search) yield* search.snapshot();
}

answerJobs<IndexJob, IndexReply>((job) => {
  if (job.do === 'begin') return async () => ({ reply: await begin(job.file) });
  if (job.do === 'take') {
    // Read while the posts before them are taken in.
    const tokens = tokenizer.ask({ do: 'tokenize', lines: job.lines }, [job.lines.buffer]);
    tokens.catch(() => undefined);
    return async () => {
      const cards = await take(await tokens);
      return { reply: { did: 'take', cards }, handedOver: [cards.bytes.buffer] };
    };
  }
  return async () => {
    parts ??= all();
    return { reply: { did: 'give', part: (await parts.next()).value } };
  };
});
