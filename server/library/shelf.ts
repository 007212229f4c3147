// What is in memory of one site: its index, a card per post, and which address leads to which post.
import { withoutQuery } from '../posts/canonicalUrl.ts';
import type { Post, PostCard } from '../posts/post.ts';
import type { IndexedPost } from '../recommend/catalogue.ts';
import { PostIndex } from '../recommend/postIndex.ts';
import { inSlices } from './breath.ts';

const indexed = (post: Post): IndexedPost => ({ ...post, listed: post.pageType === 'post' });

export class Shelf {
  readonly index = new PostIndex();
  private readonly cards = new Map<string, PostCard>();
  private readonly aliases = new Map<string, string>();
  /** URL → when it was removed, so that a load under way does not bring it back. */
  private readonly removed = new Map<string, number>();
  private tidying: Promise<void> | undefined;

  /** Takes a written post in: it is recommendable at once. */
  place(post: Post): void {
    if (this.keep(post)) this.index.put(indexed(post));
  }

  /** Takes a stored post in while loading: it is recommendable once the shelf is tidied, and costs less until then. */
  stock(post: Post): void {
    if (this.keep(post)) this.index.stock(indexed(post));
  }

  /** @returns false when what is known of the post is newer, or its address is another post's by now. */
  private keep(post: Post): boolean {
    const newest = Math.max(this.cards.get(post.url)?.updatedAt ?? 0, this.removed.get(post.url) ?? 0);
    if (post.updatedAt < newest || this.aliases.has(post.url)) return false;
    const { fullContent: _, ...card } = post;
    this.cards.set(post.url, card);
    return true;
  }

  remove(url: string, now: number): void {
    this.removed.set(url, now);
    this.cards.delete(url);
    this.index.remove(url);
  }

  /** Says that an address is another one of a post's; a post of its own under that address gives way. */
  alias(alias: string, canonical: string): void {
    if (alias === canonical) {
      this.aliases.delete(alias);
      return;
    }
    this.aliases.set(alias, canonical);
    this.cards.delete(alias);
    this.index.remove(alias);
  }

  /** Canonical URL of a post's address; undefined when it is not known. */
  resolve(url: string): string | undefined {
    return this.known(url) ?? this.known(withoutQuery(url));
  }

  isAlias(url: string): boolean {
    return this.aliases.has(url);
  }

  private known(url: string): string | undefined {
    return this.cards.has(url) ? url : this.aliases.get(url);
  }

  card(url: string): PostCard | undefined {
    return this.cards.get(url);
  }

  /** Posts, and bytes of the index over them; what the cards take is not known. */
  size(): { posts: number; bytes: number } {
    const bytes = Object.values(this.index.bytes).reduce((sum, part) => sum + part, 0);
    return { posts: this.cards.size, bytes };
  }

  /** Brings the index up to date in the background; one such work at a time. */
  tidy(): Promise<void> {
    this.tidying ??= inSlices(this.index.tidy()).finally(() => {
      this.tidying = undefined;
    });
    return this.tidying;
  }

  /** The load is complete: removals need not be remembered any more. */
  settled(): void {
    this.removed.clear();
  }
}
