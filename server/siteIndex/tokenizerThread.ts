// The thread in which the posts of a big site are parsed and their words read, before the one that makes the index.
import { type PostCard, toCard } from '../posts/post.ts';
import { parsePosts } from '../storage/postRows.ts';
import { ForwardEntryWriter } from '../textindex/forwardEntry.ts';
import { type CardPage, toCardPage } from './cards.ts';
import { type Answer, answerJobs, buffersOf } from './threads.ts';
import { type TokenPage, TokenPageWriter } from './tokenPages.ts';

export interface TokenizerJob {
  do: 'tokenize';
  lines: Uint8Array;
}
export interface TokenizerReply {
  did: 'tokenize';
  cards: CardPage;
  tokens: TokenPage;
}

const reader = new ForwardEntryWriter();
const writer = new TokenPageWriter();

function read(lines: Uint8Array): Answer<TokenizerReply> {
  const cards: PostCard[] = [];
  for (const post of parsePosts(lines)) {
    writer.add(reader.tokenize(post));
    cards.push(toCard(post));
  }
  const reply: TokenizerReply = { did: 'tokenize', cards: toCardPage(cards), tokens: writer.take() };
  return { reply, handedOver: [reply.cards.bytes.buffer, ...buffersOf(reply.tokens)] };
}

answerJobs<TokenizerJob, TokenizerReply>(
  ({ lines }) =>
    () =>
      read(lines),
);
