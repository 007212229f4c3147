// The thread in which the index of a big site is made: posts come in as lines, their cards go out; then the index goes out, piece
// by piece. Whoever is answered by the server's own thread meanwhile hears nothing of it: not the work, not the collector.
import { parentPort } from 'node:worker_threads';
import { type PostCard, toCard } from '../posts/post.ts';
import type { Piece } from '../recommend/piece.ts';
import { parsePosts } from '../storage/postRows.ts';
import { type CardPage, toCardPage } from './cards.ts';
import { readIndex } from './indexFile.ts';
import { everything, type KeptIndex, takeUp } from './kept.ts';
import { indexed, Shelf } from './shelf.ts';

export type ThreadJob =
  | { do: 'begin'; file: string | undefined }
  | { do: 'take'; lines: Uint8Array }
  /** Asked for again and again until there is no more. */
  | { do: 'give' };

export type ThreadReply =
  | { did: 'begin'; kept: boolean; problem?: string }
  | { did: 'take'; cards: CardPage }
  | { did: 'give'; piece: Piece | undefined }
  | { error: string };

const shelf = new Shelf();
let kept: KeptIndex | undefined;
let pieces: Iterator<Piece> | undefined;

async function begin(file: string | undefined): Promise<ThreadReply> {
  try {
    if (file !== undefined) kept = await takeUp(readIndex(file), shelf, { fresh: false });
    return { did: 'begin', kept: kept !== undefined };
  } catch (error) {
    return { did: 'begin', kept: false, problem: messageOf(error) };
  }
}

function take(lines: Uint8Array): CardPage {
  const cards: PostCard[] = [];
  for (const post of parsePosts(lines)) {
    // What has changed since it was kept is read by whoever takes the index over.
    if (kept) kept.giveBack(post);
    else shelf.index.stock(indexed(post));
    cards.push(toCard(post));
  }
  const page = toCardPage(cards);
  // Nothing is asked here of a card but when its post was changed last.
  shelf.meet(page);
  return page;
}

async function give(): Promise<Piece | undefined> {
  if (!pieces) {
    await shelf.tidy();
    pieces = all();
  }
  return pieces.next().value;
}

function* all(): Generator<Piece, undefined> {
  yield* everything(shelf);
  yield* shelf.searching.pieces();
}

async function answer(job: ThreadJob): Promise<void> {
  const send = (reply: ThreadReply, buffers: ArrayBufferLike[] = []) =>
    parentPort?.postMessage(reply, buffers as ArrayBuffer[]);
  try {
    if (job.do === 'begin') send(await begin(job.file));
    else if (job.do === 'take') {
      const cards = take(job.lines);
      send({ did: 'take', cards }, [cards.bytes.buffer]);
    } else {
      const piece = await give();
      send(
        { did: 'give', piece },
        piece?.arrays.map(({ buffer }) => buffer),
      );
    }
  } catch (error) {
    send({ error: messageOf(error) });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

parentPort?.on('message', answer);
