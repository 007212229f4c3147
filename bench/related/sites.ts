// The article sets the ranking is measured on: posts of a site, and which of them its editors linked to one another.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ArticleSet } from '../../server/evaluation/evaluate.ts';
import type { IndexedPost } from '../../server/recommend/catalogue.ts';

export const SITES = ['18f', 'digitalgov'] as const;
export type SiteName = (typeof SITES)[number];

export interface NamedSet extends ArticleSet {
  name: string;
  posts: IndexedPost[];
}

interface PostLine {
  id: string;
  url: string;
  title: string;
  full_content: string;
  section: string;
  authors: string[];
  tags: string[];
  pub_date: string;
}

export function readSite(name: SiteName): NamedSet {
  const posts = lines<PostLine>(name, 'posts');
  const urlOf = new Map(posts.map(({ id, url }) => [id, url]));
  const related = new Map<string, Set<string>>();
  for (const { q, rel } of lines<{ q: string; rel: Record<string, number> }>(name, 'related')) {
    related.set(urlOf.get(q)!, new Set(Object.keys(rel).map((id) => urlOf.get(id)!)));
  }
  return { name, posts: posts.map(toIndexed), related };
}

function lines<T>(site: SiteName, file: string): T[] {
  const text = gunzipSync(readFileSync(new URL(`../articles/${site}/${file}.jsonl.gz`, import.meta.url))).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function toIndexed(post: PostLine): IndexedPost {
  const date = Date.parse(/Z|[+-]\d\d:?\d\d$/.test(post.pub_date) ? post.pub_date : `${post.pub_date}Z`);
  return {
    url: post.url,
    title: post.title,
    fullContent: post.full_content,
    section: post.section ?? '',
    authors: post.authors,
    tags: post.tags,
    pubDate: Number.isNaN(date) ? null : date,
    listed: true,
  };
}
