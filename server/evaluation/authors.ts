// How well a profile foretells: an author's earlier posts stand for visits, the later ones for what the visitor would read.
import type { PostIndex } from '../recommend/postIndex.ts';
import { recommend } from '../recommend/recommend.ts';
import type { ArticleSet } from './articleSet.ts';
import { mean, qualityOf } from './measures.ts';

/** Posts an author must have written to be asked about, and visits before the first question. */
const LEAST_POSTS = 5;
const LEAST_VISITS = 3;
/** Later posts that count. */
const WANTED = 10;
const DAY_MS = 86_400_000;

export interface ProfileQuality {
  /** nDCG@10, mean over the questions. */
  ndcg: number;
  questions: number;
}

/** Asks after each of an author's posts but the first few and the last. Nothing is said of who wrote a post. */
export function evaluateAuthors(index: PostIndex, { posts }: Pick<ArticleSet, 'posts'>): ProfileQuality {
  const byAuthor = new Map<string, { url: string; pubDate: number }[]>();
  for (const { url, pubDate, authors } of posts) {
    if (pubDate === null) continue;
    for (const author of authors) byAuthor.set(author, [...(byAuthor.get(author) ?? []), { url, pubDate }]);
  }
  const gains: number[] = [];
  for (const written of byAuthor.values()) {
    if (written.length < LEAST_POSTS) continue;
    written.sort((a, b) => a.pubDate - b.pubDate);
    for (let read = LEAST_VISITS; read < written.length; read++) {
      const visits = written.slice(0, read).reverse();
      const wanted = new Set(written.slice(read, read + WANTED).map(({ url }) => url));
      gains.push(qualityOf(foretold(index, visits), wanted).ndcg);
    }
  }
  return { ndcg: mean(gains), questions: gains.length };
}

function foretold(index: PostIndex, visits: readonly { url: string; pubDate: number }[]): string[] {
  const request = {
    visits: visits.map(({ url, pubDate }) => ({ url, time: pubDate + DAY_MS })),
    filters: {},
    excluded: new Set<string>(),
    sort: 'score',
    limit: 10,
    page: 1,
    respectEmpty: true,
  } as const;
  return recommend(index, request, Number.POSITIVE_INFINITY).map(({ url }) => url);
}
