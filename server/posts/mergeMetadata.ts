// What is newly said about a post, laid over what is known: field by field, the later write wins.
import type { Post, PostPatch } from './post.ts';

const BLANK: Omit<Post, 'url' | 'updatedAt'> = {
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
 * @param known What was known, undefined for a new post.
 * @param said.now Epoch milliseconds of this write.
 */
export function mergeMetadata(known: Post | undefined, said: { url: string; patch: PostPatch; now: number }): Post {
  const patch: PostPatch = Object.fromEntries(Object.entries(said.patch).filter(([, value]) => value !== undefined));
  const post: Post = { ...BLANK, ...known, ...patch, url: said.url, updatedAt: said.now };
  if (patch.fullContent !== undefined) post.wordCount = countWords(patch.fullContent);
  return post;
}

/** Scripts written without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words of a text: runs between blanks that hold a letter or digit; by dictionary where words are not spaced. */
export function countWords(text: string): number {
  let count = 0;
  if (UNSPACED.test(text)) {
    for (const segment of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
      if (segment.isWordLike) count++;
    return count;
  }
  for (const [run] of text.matchAll(/\S+/g)) if (/[\p{L}\p{N}]/u.test(run)) count++;
  return count;
}
