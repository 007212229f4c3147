// Articles and what belongs together, as lines of JSON: what `afterword evaluate` and the bench read.
//
//   posts:    {"id","url","title","full_content","section","authors":[…],"tags":[…],"pub_date"}      one a line
//   related:  {"q":"id","rel":{"id":1,…}}                                                            one a line

import { isRecord } from '../isRecord.ts';
import type { IndexedPost } from '../textindex/catalogue.ts';

/** Posts of a site, and which of them belong together. */
export interface ArticleSet {
  posts: IndexedPost[];
  /** URL of a post → URLs that belong below it. */
  related: Map<string, Set<string>>;
}

/** Raised for a line that is not of the form; says which. */
export class ArticleSetError extends Error {
  override name = 'ArticleSetError';
}

/** @throws {ArticleSetError} */
export function parseArticleSet(posts: string, related: string): ArticleSet {
  const urlOf = new Map<string, string>();
  const read = lines('posts', posts).map(({ record, where }) => {
    const post = parsePost(record);
    if (post.url === '') throw new ArticleSetError(`${where} has no url.`);
    urlOf.set(text(record, 'id') || post.url, post.url);
    return post;
  });
  return { posts: read, related: parseRelated(related, urlOf) };
}

/**
 * Which posts belong together.
 * @param urlOf Name of a post in the lines → its URL.
 * @throws {ArticleSetError}
 */
export function parseRelated(related: string, urlOf: ReadonlyMap<string, string>): ArticleSet['related'] {
  const wanted = new Map<string, Set<string>>();
  for (const { record, where } of lines('related', related)) {
    const asked = urlOf.get(text(record, 'q'));
    if (asked === undefined) throw new ArticleSetError(`${where} asks for a post that is not among the posts.`);
    const ids = Object.keys(isRecord(record.rel) ? record.rel : {});
    const urls = ids.flatMap((id) => urlOf.get(id) ?? []).filter((url) => url !== asked);
    if (urls.length > 0) wanted.set(asked, new Set(urls));
  }
  return wanted;
}

function* readLines(name: string, content: string): Generator<{ record: Record<string, unknown>; where: string }> {
  let number = 0;
  for (const line of content.split('\n')) {
    number++;
    if (line.trim() === '') continue;
    const where = `Line ${number} of the ${name}`;
    const record = parseJson(line, where);
    if (!isRecord(record)) throw new ArticleSetError(`${where} is no JSON object.`);
    yield { record, where };
  }
}

const lines = (name: string, content: string) => [...readLines(name, content)];

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new ArticleSetError(`${where} is no JSON.`, { cause: error });
  }
}

function text(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

function texts(record: Record<string, unknown>, name: string): string[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A post of a line, also of one that `afterword export posts` writes; its URL is "" where it has none. */
export function parsePost(record: Record<string, unknown>): IndexedPost {
  const written = text(record, 'pub_date') || text(record, 'pub_date_tmsp');
  // A time without a zone is UTC.
  const date = Date.parse(/T[\d:.]+$/.test(written) ? `${written}Z` : written);
  return {
    url: text(record, 'url') || text(record, 'canonical_url'),
    title: text(record, 'title'),
    fullContent: text(record, 'full_content'),
    section: text(record, 'section'),
    authors: texts(record, 'authors'),
    tags: texts(record, 'tags'),
    pubDate: Number.isNaN(date) ? null : date,
    listed: (text(record, 'page_type') || 'post') === 'post',
  };
}
