// What is newly said about a post, laid over what is known: field by field, the later write wins.
import { countWords } from './countWords.ts';
import type { Post, PostPatch } from './post.ts';

/** Who says something about a post: its publisher, or the page itself, read by the crawler. */
export type Speaker = 'publisher' | 'page';

export interface Said {
  url: string;
  patch: PostPatch;
  /** Default: the publisher. */
  by?: Speaker | undefined;
  /** Epoch milliseconds of this write. */
  now: number;
}

const BLANK: Omit<Post, 'url' | 'updatedAt' | 'sent'> = {
  pageType: 'other',
  title: '',
  imageUrl: '',
  thumbUrl: '',
  pubDate: null,
  section: '',
  authors: [],
  tags: [],
  fullContent: '',
  wordCount: 0,
  language: '',
  duration: 0,
  postId: '',
  videoPlatform: '',
  metadata: '',
};

/**
 * Merges a patch into a post. Fields the patch leaves out keep their value; words are counted again when the text changes.
 * What the publisher has sent stands: a page says only the rest.
 * @param known What was known, undefined for a new post.
 */
export function mergeMetadata(known: Post | undefined, { url, patch, by = 'publisher', now }: Said): Post {
  const sent = new Set(known?.sent);
  const fields = (Object.keys(patch) as (keyof PostPatch)[]).filter((field) => patch[field] !== undefined);
  const heard = by === 'publisher' ? fields : fields.filter((field) => !sent.has(field));
  const post: Post = {
    ...BLANK,
    ...known,
    ...pick(patch, heard),
    url,
    updatedAt: Math.max(now, known?.updatedAt ?? 0),
  };
  if (heard.includes('fullContent')) post.wordCount = countWords(post.fullContent);
  if (by === 'publisher') for (const field of heard) sent.add(field);
  if (sent.size > 0) post.sent = [...sent];
  return post;
}

function pick(patch: PostPatch, fields: readonly (keyof PostPatch)[]): PostPatch {
  return Object.fromEntries(fields.map((field) => [field, patch[field]]));
}
