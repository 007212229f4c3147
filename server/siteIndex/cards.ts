// The cards of a site's posts, by URL. Those that come by the hundred stay the bytes they come in until one is read: as
// objects, all of them would be copied and scanned by the garbage collector, which delays requests.
import { at } from '../at.ts';
import type { PostCard } from '../posts/post.ts';

/** Cards as they come from another thread: the JSON of each, one after another. */
export interface CardPage {
  urls: string[];
  /** By card: when it was changed last, and where its JSON ends. */
  times: Float64Array;
  ends: Uint32Array;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Cards of a page at most, as a power of two: a card is known by its page and its place there. */
const PAGE_BITS = 12;
const PLACE = (1 << PAGE_BITS) - 1;

export class Cards {
  /** A card, or where its bytes are. */
  private readonly known = new Map<string, PostCard | number>();
  private readonly pages: CardPage[] = [];

  get size(): number {
    return this.known.size;
  }

  has(url: string): boolean {
    return this.known.has(url);
  }

  get(url: string): PostCard | undefined {
    const card = this.known.get(url);
    if (typeof card !== 'number') return card;
    const read = this.read(card);
    this.known.set(url, read);
    return read;
  }

  set(card: PostCard): void {
    this.known.set(card.url, card);
  }

  delete(url: string): void {
    this.known.delete(url);
  }

  /** When a post was changed last; undefined when there is no card of it. */
  updatedAt(url: string): number | undefined {
    const card = this.known.get(url);
    return typeof card === 'number' ? this.pages[card >>> PAGE_BITS]?.times[card & PLACE] : card?.updatedAt;
  }

  /** Takes in those cards of a page that are `wanted`. */
  add(page: CardPage, wanted: (post: Pick<PostCard, 'url' | 'updatedAt'>) => boolean): void {
    const number = this.pages.push(page) - 1;
    for (const [place, url] of page.urls.entries()) {
      if (wanted({ url, updatedAt: at(page.times, place) })) this.known.set(url, (number << PAGE_BITS) | place);
    }
  }

  /** Every card there is now, and those that are added meanwhile. What is parsed for it is not kept. */
  *[Symbol.iterator](): Generator<PostCard> {
    // All references share one string for the address.
    for (const [url, card] of this.known) yield typeof card === 'number' ? { ...this.read(card), url } : card;
  }

  /** The JSON of every card, so many at once; what came as bytes is copied as it is. */
  *encoded(most: number): Generator<Pick<CardPage, 'bytes' | 'ends'>> {
    let texts: Buffer[] = [];
    for (const card of this.known.values()) {
      texts.push(typeof card === 'number' ? this.bytesOf(card) : Buffer.from(JSON.stringify(card)));
      if (texts.length < most) continue;
      yield joined(texts);
      texts = [];
    }
    if (texts.length > 0) yield joined(texts);
  }

  private read(card: number): PostCard {
    return cardAt(at(this.pages, card >>> PAGE_BITS), card & PLACE);
  }

  private bytesOf(card: number): Buffer {
    return textAt(at(this.pages, card >>> PAGE_BITS), card & PLACE);
  }
}

/** The card at one place of a page. */
export const cardAt = (page: Pick<CardPage, 'bytes' | 'ends'>, place: number): PostCard =>
  JSON.parse(textAt(page, place).toString()) as PostCard;

function textAt({ bytes, ends }: Pick<CardPage, 'bytes' | 'ends'>, place: number): Buffer {
  const start = place === 0 ? 0 : at(ends, place - 1);
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, at(ends, place) - start);
}

function joined(texts: readonly Buffer[]): Pick<CardPage, 'bytes' | 'ends'> {
  const bytes = new Uint8Array(texts.reduce((sum, { length }) => sum + length, 0));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    bytes.set(text, end);
    end += text.length;
    ends[at] = end;
  }
  return { bytes, ends };
}

/** Makes a page of cards, as many as it takes. */
export function toCardPage(cards: readonly PostCard[]): CardPage {
  return {
    urls: cards.map(({ url }) => url),
    times: Float64Array.from(cards, ({ updatedAt }) => updatedAt),
    ...joined(cards.map((card) => Buffer.from(JSON.stringify(card)))),
  };
}
