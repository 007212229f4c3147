// How well a profile predicts: an author's earlier posts stand for visits, the later ones for what the visitor would
// read.

import { DAY } from '../durations.ts';
import { recommend } from '../recommend/recommend.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { ArticleSet } from './articleSet.ts';
import { mean, qualityOf } from './measures.ts';

/** Posts an author must have written to be asked about, and visits before the first question. */
const LEAST_POSTS = 5;
const LEAST_VISITS = 3;
/** Later posts that count. */
const WANTED = 10;

export interface ProfileQuality {
  /** nDCG@10, mean over the questions. */
  ndcg: number;
  questions: number;
}

/** Two authors' posts as one visitor's visits. */
export interface PairQuality extends ProfileQuality {
  /** Share of the questions where posts of both are among the ten. */
  both: number;
}

interface Written {
  url: string;
  pubDate: number;
}

/** Asks after each of an author's posts but the first few and the last. Nothing is said of who wrote a post. */
export function evaluateAuthors(index: PostIndex, { posts }: Pick<ArticleSet, 'posts'>): ProfileQuality {
  const gains: number[] = [];
  for (const written of authorsOf(posts)) {
    for (let read = LEAST_VISITS; read < written.length; read++) {
      const found = predicted(index, written.slice(0, read).reverse());
      gains.push(qualityOf(found, nextOf(written, read)).ndcg);
    }
  }
  return { ndcg: mean(gains), questions: gains.length };
}

/** A visitor of two interests: reads two authors by turns, each with the next one by name. */
export function evaluatePairs(index: PostIndex, { posts }: Pick<ArticleSet, 'posts'>): PairQuality {
  const authors = authorsOf(posts);
  const gains: number[] = [];
  let both = 0;
  authors.forEach((one, at) => {
    const other = authors[(at + 1) % authors.length] ?? [];
    for (let read = LEAST_VISITS; read < Math.min(one.length, other.length); read++) {
      const visits = one.slice(0, read).flatMap((post, turn) => [post, ...other.slice(turn, turn + 1)]);
      const visited = new Set(visits.map(({ url }) => url));
      const wanted = [nextOf(one, read), nextOf(other, read)].map(
        (urls) => new Set([...urls].filter((url) => !visited.has(url))),
      );
      if (wanted.some(({ size }) => size === 0)) continue;
      const found = predicted(index, visits.reverse());
      gains.push(qualityOf(found, new Set(wanted.flatMap((urls) => [...urls]))).ndcg);
      if (wanted.every((urls) => found.some((url) => urls.has(url)))) both++;
    }
  });
  return { ndcg: mean(gains), questions: gains.length, both: both / (gains.length || 1) };
}

/** What each author wrote, oldest first; by name, and only those who wrote enough. */
function authorsOf(posts: ArticleSet['posts']): Written[][] {
  const byAuthor = new Map<string, Written[]>();
  for (const { url, pubDate, authors } of posts) {
    if (pubDate === null) continue;
    for (const author of authors) byAuthor.set(author, [...(byAuthor.get(author) ?? []), { url, pubDate }]);
  }
  return [...byAuthor]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, written]) => written.sort((a, b) => a.pubDate - b.pubDate))
    .filter((written) => written.length >= LEAST_POSTS);
}

const nextOf = (written: readonly Written[], read: number) =>
  new Set(written.slice(read, read + WANTED).map(({ url }) => url));

function predicted(index: PostIndex, visits: readonly Written[]): string[] {
  const request = {
    visits: visits.map(({ url, pubDate }) => ({ url, time: pubDate + DAY })),
    filters: {},
    excluded: new Set<string>(),
    sort: 'score',
    limit: 10,
    page: 1,
    respectEmpty: true,
  } as const;
  return recommend(index, request, Number.POSITIVE_INFINITY).map(({ url }) => url);
}
