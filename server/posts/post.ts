// What a post is to this server: one record per canonical URL, the same for database, lists and recommendations.
import type { Alternative, Alternatives } from './alternatives.ts';

/** `other` is a page that is not a post (a home page, a product): it never enters a list of posts. */
export type PageType = 'post' | 'index' | 'video' | 'other';

/** A post, video or page as its metadata describes it. Text fields are "" and lists empty where nothing is known. */
export interface Post {
  /** Canonical URL: the post's identity within its site. */
  url: string;
  pageType: PageType;
  title: string;
  imageUrl: string;
  thumbUrl: string;
  /** Epoch milliseconds, UTC; null when unknown. */
  pubDate: number | null;
  section: string;
  authors: string[];
  tags: string[];
  /** Plain text of the article. */
  fullContent: string;
  wordCount: number;
  /** BCP 47 tag, "" when unknown. */
  language: string;
  /** Seconds, for videos; 0 when unknown. */
  duration: number;
  postId: string;
  videoPlatform: string;
  /** "" or a string of JSON. */
  metadata: string;
  /** Fields the publisher has sent: reading the page never changes them. Absent: none. */
  sent?: readonly (keyof PostPatch)[];
  /** Titles and pictures that lists show in place of the post's own. Absent: none. */
  alternatives?: Alternatives;
  /**
   * Epoch milliseconds since when there is no page at its address (404, 410): no list that readers see has it, its
   * traffic still counts. Absent: there is one, as far as is known.
   */
  goneAt?: number;
  /** Epoch milliseconds of the last change: later writes win. */
  updatedAt: number;
}

/** A post without its text: all that a record in a list shows. */
export type PostCard = Omit<Post, 'fullContent'>;

/** Whether readers can be led to it. */
export const isListed = ({ pageType, goneAt }: Pick<Post, 'pageType' | 'goneAt'>): boolean =>
  pageType === 'post' && goneAt === undefined;

export function toCard({ fullContent: _, ...card }: Post): PostCard {
  return card;
}

/** A write to a post: only what was said. Fields left out keep their value. */
export type PostPatch = Partial<Omit<Post, 'url' | 'updatedAt' | 'wordCount' | 'sent' | 'alternatives'>> & {
  /** Those that lists are to show, none to stop them; or how their test stands now. */
  alternatives?: readonly Alternative[] | Alternatives;
};

/** Whatever query its address has, it is the same; a page of lists may show something else for each. */
export const isOneThing = (page: Pick<Post, 'pageType'> | undefined): boolean =>
  page?.pageType === 'post' || page?.pageType === 'video';
