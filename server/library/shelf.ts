// What is in memory of one site: its index, a card per post, and which address leads to which post.
import { withoutQuery } from '../posts/canonicalUrl.ts';
import { type Post, type PostCard, toCard } from '../posts/post.ts';
import type { IndexedPost } from '../recommend/catalogue.ts';
import type { Embeddings } from '../recommend/embeddings.ts';
import { PostIndex } from '../recommend/postIndex.ts';
import type { Recommendation, RecommendRequest } from '../recommend/recommend.ts';
import { SearchIndex } from '../search/searchIndex.ts';
import { Answers } from './answers.ts';
import { inSlices } from './breath.ts';

const indexed = (post: Post): IndexedPost => ({ ...post, listed: post.pageType === 'post' });

/** Called when there is an index worth keeping: resolves when it is kept. Nothing is tidied meanwhile. */
export type Keep = (shelf: Shelf) => Promise<void>;

export class Shelf {
  index = new PostIndex();
  /** Follows the index: whatever can be recommended can be found. */
  searching = new SearchIndex(this.index);
  private readonly cards = new Map<string, PostCard>();
  private readonly aliases = new Map<string, string>();
  /** URL → when it was removed, so that a load under way does not bring it back. */
  private readonly removed = new Map<string, number>();
  private tidying: Promise<void> | undefined;
  /** Tidying, and keeping what was tidied. */
  private busy: Promise<void> = Promise.resolve();
  private readonly keepIndex: Keep | undefined;
  private readonly answers = new Answers();

  constructor(keep?: Keep) {
    this.keepIndex = keep;
    this.index.follower = this.searching;
  }

  /** The posts of one page of an answer. @param now Epoch milliseconds. */
  recommend(request: RecommendRequest, now: number): Recommendation[] {
    return this.answers.recommend(this.index, request, now);
  }

  /** Goes on with an index that was kept, before any post came. */
  takeOver(index: PostIndex): void {
    index.catalogue.embeddings = this.embeddings;
    this.index = index;
    this.searching = new SearchIndex(index);
    index.follower = this.searching;
  }

  /** Vectors the operator brought. */
  get embeddings(): Embeddings {
    return this.index.catalogue.embeddings;
  }

  /**
   * Takes a post in whose words the kept index has under this number.
   * @returns false when it has not.
   */
  giveBack(number: number, card: PostCard): boolean {
    const post = { ...card, fullContent: '' };
    if (this.keep(post)) return this.index.giveBack(number, indexed(post));
    return true;
  }

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
    this.cards.set(post.url, toCard(post));
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

  /** Posts, and bytes of the indexes over them; what the cards take is not known. */
  size(): { posts: number; bytes: number } {
    const bytes = Object.values(this.index.bytes).reduce(
      (sum, part) => sum + part,
      this.searching.bytes + this.embeddings.bytes,
    );
    return { posts: this.cards.size, bytes };
  }

  /** Brings the indexes up to date in the background; one such work at a time. */
  tidy(): Promise<void> {
    if (this.tidying) return this.tidying;
    const { merges } = this.index;
    const tidied = inSlices(this.work());
    this.tidying = tidied;
    this.busy = tidied
      .then(() => (this.index.merges > merges ? this.keepIndex?.(this) : undefined))
      .finally(() => {
        this.tidying = undefined;
      });
    // Whoever asked for it sees the failure in `tidied`; what `keep` meets is its own matter.
    this.busy.catch(() => undefined);
    return tidied;
  }

  /** Resolves when no work goes on in the background. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.busy]);
  }

  private *work(): Generator<void> {
    yield* this.index.tidy();
    yield* this.searching.tidy();
  }

  /** The load is complete: removals need not be remembered any more. */
  settled(): void {
    this.removed.clear();
  }
}
