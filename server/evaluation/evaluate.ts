// How well rankings find what editors linked to: ours, and the simple ones beside it.
//
//   for (const step of evaluate(articles, { clock })) …     a step per question answered; the last one has the results

import { recommend } from '../recommend/recommend.ts';
import { Workspace } from '../recommend/workspace.ts';
import { WorkspacePool } from '../recommend/workspacePool.ts';
import type { IndexedPost } from '../textindex/catalogue.ts';
import { PostIndex } from '../textindex/postIndex.ts';
import type { ArticleSet } from './articleSet.ts';
import { bm25, mostRecent, type Ranker, sharedTags, tfIdf } from './baselines.ts';
import { mean, type Quality, qualityOf } from './measures.ts';

export interface Result extends Quality {
  name: string;
  /** Share of the site's posts that were recommended at least once. */
  coverage: number;
  /** Milliseconds a question, mean. */
  latency: number;
}

export interface Step {
  name: string;
  /** Questions answered with this ranking, of `total`. */
  done: number;
  total: number;
  /** On the last step of a ranking. */
  result?: Result;
}

/** Rank at which a post still counts. */
const DEPTH = 20;

const RANKINGS: readonly (readonly [name: string, make: (posts: readonly IndexedPost[]) => Ranker])[] = [
  ['most recent', mostRecent],
  ['shared tags and date', sharedTags],
  ['TF-IDF cosine', tfIdf],
  ['BM25, 100 terms', bm25],
  ['afterword', (posts) => ourRanker(indexOf(posts))],
];

/** How many rankings stand side by side. */
export const RANKING_COUNT = RANKINGS.length;

/** @param clock Milliseconds of any origin, for the latency. */
export function* evaluate(articles: ArticleSet, clock: () => number): Generator<Step> {
  for (const [name, make] of RANKINGS) yield* evaluateOne(name, make(articles.posts), { articles, clock });
}

/** Our engine, filled with the posts of one site. */
export function indexOf(posts: readonly IndexedPost[]): PostIndex {
  const index = new PostIndex();
  for (const post of posts) index.put(post, { deferred: true });
  for (const _ of index.tidy());
  return index;
}

/** @param gains Parameters of ranking factors that differ from their defaults. */
export function ourRanker(index: PostIndex, gains: Readonly<Record<string, number>> = {}): Ranker {
  const request = {
    gains,
    filters: {},
    excluded: new Set<string>(),
    sort: 'score',
    page: 1,
    respectEmpty: true,
  } as const;
  const always = Number.POSITIVE_INFINITY;
  const workspaces = new WorkspacePool(() => new Workspace());
  return (url, most) =>
    workspaces
      .use((workspace) => recommend(index, { ...request, url, limit: most }, always, workspace))
      .map((one) => one.url);
}

export function* evaluateOne(
  name: string,
  ranker: Ranker,
  { articles, clock }: { articles: ArticleSet; clock: () => number },
): Generator<Step, Result> {
  const total = articles.related.size;
  const qualities: Quality[] = [];
  const shown = new Set<string>();
  let spent = 0;
  for (const [url, wanted] of articles.related) {
    const start = clock();
    const order = ranker(url, DEPTH);
    spent += clock() - start;
    qualities.push(qualityOf(order, wanted));
    for (const other of order.slice(0, 10)) shown.add(other);
    if (qualities.length < total) yield { name, done: qualities.length, total };
  }
  const meanOf = (measure: keyof Quality) => mean(qualities.map((quality) => quality[measure]));
  const result: Result = {
    name,
    ndcg: meanOf('ndcg'),
    precision: meanOf('precision'),
    reciprocal: meanOf('reciprocal'),
    recall: meanOf('recall'),
    coverage: shown.size / (articles.posts.length || 1),
    latency: spent / (total || 1),
  };
  yield { name, done: total, total, result };
  return result;
}
