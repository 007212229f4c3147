// The thread in which the posts of a big site are parsed and their words read, before the one that makes the index.
import { type PostCard, toCard } from '../posts/post.ts';
import { parsePosts } from '../storage/postRows.ts';
import { ForwardEntryWriter } from '../textindex/forwardEntry.ts';
import { type CardPage, toCardPage } from './cards.ts';
import { type SpelledPage, SpelledWriter } from './spelledPages.ts';
import { type Answer, answerJobs, buffersOf } from './threads.ts';

export interface SpellingJob {
  do: 'spell';
  lines: Uint8Array;
}
export interface SpellingReply {
  did: 'spell';
  cards: CardPage;
  spelled: SpelledPage;
}

const reader = new ForwardEntryWriter();
const writer = new SpelledWriter();

function read(lines: Uint8Array): Answer<SpellingReply> {
  const cards: PostCard[] = [];
  for (const post of parsePosts(lines)) {
    writer.add(reader.tokenize(post));
    cards.push(toCard(post));
  }
  const reply: SpellingReply = { did: 'spell', cards: toCardPage(cards), spelled: writer.take() };
  return { reply, handedOver: [reply.cards.bytes.buffer, ...buffersOf(reply.spelled)] };
}

answerJobs<SpellingJob, SpellingReply>(
  ({ lines }) =>
    () =>
      read(lines),
);
