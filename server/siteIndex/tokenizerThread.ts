// The thread that parses and tokenizes the posts of a big site, ahead of the thread that indexes them.
import { type PostCard, toCard } from '../posts/post.ts';
import { parsePosts } from '../storage/postRows.ts';
import { ForwardEntryWriter } from '../textindex/forwardEntry.ts';
import { buffersOf, type Handlers, serveMethods, transferred } from '../workers/serveMethods.ts';
import { type CardPage, toCardPage } from './cards.ts';
import { type TokenPage, TokenPageWriter } from './tokenPages.ts';

export interface TokenizedPosts {
  cards: CardPage;
  tokens: TokenPage;
}

export interface TokenizerMethods {
  /** @param lines Posts as storage has them, one a line. */
  tokenize(lines: Uint8Array): TokenizedPosts;
}

function createTokenizer(): Handlers<TokenizerMethods> {
  const reader = new ForwardEntryWriter();
  const writer = new TokenPageWriter();
  return {
    tokenize(lines) {
      const cards: PostCard[] = [];
      for (const post of parsePosts(lines)) {
        writer.add(reader.tokenize(post));
        cards.push(toCard(post));
      }
      const posts: TokenizedPosts = { cards: toCardPage(cards), tokens: writer.take() };
      return transferred(posts, [posts.cards.bytes.buffer, ...buffersOf(posts.tokens)]);
    },
  };
}

serveMethods<TokenizerMethods>(createTokenizer());
