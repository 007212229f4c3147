// What is in memory of one site: its index, a card per post, and which address leads to which post.
import { lookUpsOf } from '../posts/canonicalUrl.ts';
import { isListed, type Post, type PostCard, toCard } from '../posts/post.ts';
import type { Recommendation, RecommendRequest } from '../recommend/request.ts';
import { Workspace } from '../recommend/workspace.ts';
import { WorkspacePool } from '../recommend/workspacePool.ts';
import { SearchIndex } from '../search/searchIndex.ts';
import type { IndexedPost } from '../textindex/catalogue.ts';
import type { Embeddings } from '../textindex/embeddings.ts';
import { PostIndex } from '../textindex/postIndex.ts';
import { type CardPage, Cards } from './cards.ts';
import { RecommendationCache } from './recommendationCache.ts';
import { inSlices } from './yieldToEventLoop.ts';

/** A post as the indexes take it in. */
export const indexed = (post: Post): IndexedPost => ({ ...post, listed: isListed(post) });

/** Writes a snapshot of the index; resolves when it is written. Nothing is tidied meanwhile. */
export type SnapshotWriter = (siteIndex: SiteIndex) => Promise<void>;

/** An address as it is pasted, or as browsers show it: without its scheme. A word with points looks so as well. */
const ADDRESS = /^(?:(?:https?:)?\/\/|[^/?#]+(?:\.[^/?#]|:\d+\/))/i;

/** How addresses of one page are written: with either scheme, with `www.` and a slash at the end or without. */
function waysToWrite(address: string): string[] {
  const bare = address.replace(/^(?:https?:)?\/\//i, '');
  const [path, rest] = [bare.replace(/[?#].*/s, ''), /[?#].*/s.exec(bare)?.[0] ?? ''];
  const slashed = path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`;
  const hosted = [path, slashed].flatMap((one) => [one, one.replace(/^(www\.)?/i, (www) => (www ? '' : 'www.'))]);
  return hosted.flatMap((one) => [`https://${one}${rest}`, `http://${one}${rest}`]);
}

/** Measured: the objects around the arrays of an empty index; a card of usual length; an alias with both addresses. */
const EMPTY_BYTES = 1.5e6;
const CARD_BYTES = 800;
const ALIAS_BYTES = 300;

export class SiteIndex {
  index = new PostIndex();
  /** Follows the index: whatever can be recommended can be found. */
  searchIndex = new SearchIndex(this.index);
  private readonly cards = new Cards();
  private readonly aliases = new Map<string, string>();
  /** URL → when it was removed, so that a load under way does not bring it back. */
  private readonly removed = new Map<string, number>();
  private tidying: Promise<void> | undefined;
  /** Tidying, and writing the snapshot afterwards. */
  private work: Promise<void> = Promise.resolve();
  /** Number of merges when the last snapshot was written; -1: none was. */
  private kept = 0;
  private readonly snapshotWriter: SnapshotWriter | undefined;
  private readonly recommendations: RecommendationCache;

  /** @param workspaces Memory that the queries of all sites compute in. */
  constructor(snapshotWriter?: SnapshotWriter, workspaces = new WorkspacePool(() => new Workspace())) {
    this.snapshotWriter = snapshotWriter;
    this.recommendations = new RecommendationCache(workspaces);
    this.index.follower = this.searchIndex;
  }

  /** The posts of one page of an answer. @param now Epoch milliseconds. */
  recommend(request: RecommendRequest, now: number): Recommendation[] {
    return this.recommendations.recommend(this.index, request, now);
  }

  /**
   * Adopts indexes restored from a snapshot or built by a thread; the previous ones are dropped, except for the cards.
   * @param with.fresh Whether they are still to be kept.
   */
  takeOver(index: PostIndex, { searchIndex, fresh }: { searchIndex: SearchIndex; fresh: boolean }): void {
    index.catalogue.embeddings = this.embeddings;
    this.index = index;
    this.searchIndex = searchIndex;
    index.follower = searchIndex;
    this.kept = fresh ? -1 : index.merges;
  }

  /** The same request with the posts' own addresses: any address of a post will do. */
  canonical(request: RecommendRequest): RecommendRequest {
    const known = (url: string) => this.resolve(url) ?? url;
    const visits = request.visits?.map(({ url, time }) => ({ url: known(url), time }));
    // Rules name posts by the addresses that these had when they were written.
    const moved = (url: string) => this.aliases.get(url) ?? url;
    const hidden = request.hidden?.map(moved);
    const pins = request.pins?.map((pin) => ({ ...pin, url: moved(pin.url) }));
    return {
      ...request,
      ...(request.url && { url: known(request.url) }),
      ...(visits && { visits }),
      ...(hidden && { hidden }),
      ...(pins && { pins }),
    };
  }

  /** Every post there is now; what comes meanwhile, too. */
  all(): Iterable<PostCard> {
    return this.cards;
  }

  /** Vectors that the operator imported. */
  get embeddings(): Embeddings {
    return this.index.catalogue.embeddings;
  }

  /**
   * Restores a post whose words the snapshot has under this number.
   * @returns false when it has not.
   */
  restorePost(number: number, card: PostCard): boolean {
    // What another copy wrote last may have come by itself meanwhile, in this very version.
    if (!this.mayKeep(card) || this.index.find(card.url) >= 0) return true;
    if (this.cards.updatedAt(card.url) !== card.updatedAt) this.cards.set(card);
    return this.index.restore(indexed({ ...card, fullContent: '' }), number);
  }

  /** Takes a written post in: it is recommendable at once. */
  place(post: Post): void {
    if (this.keep(post)) this.index.put(indexed(post));
  }

  /**
   * Takes a stored post in while loading: it is recommendable once the site index is tidied, and costs less until then.
   */
  putLater(post: Post): void {
    if (this.keep(post)) this.index.put(indexed(post), { deferred: true });
  }

  /** Adds the cards of posts whose words are indexed elsewhere. */
  meet(page: CardPage): void {
    this.cards.add(page, (post) => this.mayKeep(post));
  }

  /** @returns false when what is known of the post is newer, or its address is another post's by now. */
  private keep(post: Post): boolean {
    if (!this.mayKeep(post)) return false;
    this.cards.set(toCard(post));
    return true;
  }

  private mayKeep({ url, updatedAt }: Pick<PostCard, 'url' | 'updatedAt'>): boolean {
    const newest = Math.max(this.cards.updatedAt(url) ?? 0, this.removed.get(url) ?? 0);
    return updatedAt >= newest && !this.aliases.has(url);
  }

  remove(url: string, now: number): void {
    this.removed.set(url, now);
    this.cards.delete(url);
    this.index.remove(url);
  }

  /** Declares an alias of a post; a post of its own under that address is removed. */
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
    const known = this.known(url);
    // Most addresses are known as they are: the other forms take a parse.
    if (known !== undefined) return known;
    for (const form of lookUpsOf(url)) {
      const canonical = this.known(form);
      if (canonical !== undefined) return canonical;
    }
    return undefined;
  }

  /** The post whose address was typed where words are asked for, in whichever way it is written. */
  named(query: string): string | undefined {
    const address = query.trim().replace(/^<(.*)>$/, '$1');
    if (/\s/.test(address) || !ADDRESS.test(address)) return undefined;
    for (const form of [address, ...waysToWrite(address)]) {
      const url = this.resolve(form);
      if (url !== undefined) return url;
    }
    return undefined;
  }

  isAlias(url: string): boolean {
    return this.aliases.has(url);
  }

  private known(url: string): string | undefined {
    return this.cards.has(url) ? url : this.aliases.get(url);
  }

  has(url: string): boolean {
    return this.cards.has(url);
  }

  card(url: string): PostCard | undefined {
    return this.cards.get(url);
  }

  /** The JSON of every card, so many at once. */
  encodedCards(most: number): Iterable<Pick<CardPage, 'bytes' | 'ends'>> {
    return this.cards.encoded(most);
  }

  /** Other addresses of posts, each with the post's own. */
  aliasEntries(): Iterable<[alias: string, canonical: string]> {
    return this.aliases;
  }

  /** When a post was changed last; undefined when there is none. */
  updatedAt(url: string): number | undefined {
    return this.cards.updatedAt(url);
  }

  get posts(): number {
    return this.cards.size;
  }

  /** Bytes in memory, about: objects and cards are estimated. */
  get bytes(): number {
    const ours =
      EMPTY_BYTES + this.cards.size * CARD_BYTES + this.aliases.size * ALIAS_BYTES + this.recommendations.bytes;
    return this.indexBytes + ours;
  }

  /** Bytes of the typed arrays of the indexes. */
  get indexBytes(): number {
    const indexes = Object.values(this.index.bytes).reduce((sum, part) => sum + part, 0);
    return indexes + this.searchIndex.bytes + this.embeddings.bytes;
  }

  /** Its index is being tidied, or its snapshot written. */
  get busy(): boolean {
    return this.tidying !== undefined;
  }

  /** Brings the indexes up to date in the background; one such work at a time. */
  tidy(): Promise<void> {
    if (this.tidying) return this.tidying;
    const tidied = inSlices(this.steps());
    this.tidying = tidied;
    this.work = tidied
      .then(() => this.writeChangedSnapshot())
      .finally(() => {
        this.tidying = undefined;
      });
    // The caller sees the failure in `tidied`; the writer of snapshots handles its own.
    this.work.catch(() => undefined);
    return tidied;
  }

  /** Writes a snapshot of the index, whether it has changed or not. */
  async writeSnapshot(): Promise<void> {
    await this.idle();
    this.kept = -1;
    await this.tidy();
    await this.idle();
  }

  /** Resolves when no background work is running. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.work]);
  }

  private async writeChangedSnapshot(): Promise<void> {
    const { merges } = this.index;
    if (merges === this.kept) return;
    this.kept = merges;
    await this.snapshotWriter?.(this);
  }

  private *steps(): Generator<void> {
    yield* this.index.tidy();
    yield* this.searchIndex.tidy();
  }

  /** The load is complete: removals need not be remembered any more. */
  settled(): void {
    this.removed.clear();
  }
}
