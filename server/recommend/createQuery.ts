// First call: resolves a request against an index.

import { resolveDials } from '../contract/dials.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { authorEffect } from './factors/author.ts';
import { tagsEffect } from './factors/tags.ts';
import type { Query } from './query.ts';
import { lengthCorrection, type QueryVector, vectorOfPost } from './queryVector.ts';
import { askPopular, askReaders } from './readers.ts';
import type { RecommendRequest } from './request.ts';
import { vectorOfTaste } from './taste.ts';
import { MIXED_QUERY_TERMS, QUERY_TERMS, RARE_POSTS, TASTE_VISITS } from './weights.ts';
import type { Workspace } from './workspace.ts';

/** @param now Epoch milliseconds. */
export function createQuery(index: PostIndex, asked: RecommendRequest, now: number, workspace: Workspace): Query {
  const dials = resolveDials({ url: asked.url !== undefined, visits: asked.visits !== undefined }, asked.dials);
  const request = asked.url !== undefined && dials.mix === 0 ? byPageAlone(asked) : asked;
  const post = request.url === undefined ? -1 : index.find(request.url);
  const visited = (request.visits ?? []).map(({ url }) => index.find(url)).filter((number) => number >= 0);
  const never = new Set(visited);
  for (const url of request.excluded) never.add(index.find(url));
  for (const url of request.hidden ?? []) never.add(index.find(url));
  if (post >= 0) never.add(post);
  // The post being read is not news about the visitor: it already is the context.
  const read = visited.filter((number) => number !== post).slice(0, TASTE_VISITS);
  const nextReads = dials.mix > 0 || request.visits ? askReaders({ index, workspace }, request, now) : undefined;
  // Below a page the behaviour of readers predicts the next read; taste in addition costs time and improves nothing.
  const isAsked = read.length > 0 && (post < 0 || !nextReads);
  const taste = isAsked ? vectorOfTaste(index, workspace, read) : undefined;
  const resolved = {
    ...{ index, workspace, gains: request.gains ?? {}, post, read, never, dials, now, nextReads },
    popular: dials.popularity > 0 ? askPopular(index, request, now) : NONE,
  };
  if (post < 0) {
    const dotProducts = taste ? index.score(taste.heaviest, workspace.sums.of(index.catalogue.size)) : NO_DOT_PRODUCTS;
    return {
      ...resolved,
      vector: taste,
      dotProducts,
      rareDotProducts: NO_DOT_PRODUCTS,
      taste: undefined,
      ...INFINITELY_CLOSE,
    };
  }
  const vector = vectorOfPost(index, workspace, { post, most: nextReads ? MIXED_QUERY_TERMS : QUERY_TERMS });
  const closeness = closenessTo(index, workspace, { post, vector });
  // Tags and authors only add to the cosine.
  const { overlap } = workspace;
  const correction = lengthCorrection(vector.distinct);
  const isAsCloseAs = (number: number, least: number) =>
    overlap.surelyReaches(number, least / correction) || closeness(number) >= least;
  return { ...resolved, vector, ...dotProductsOf(index, workspace, vector), taste, closeness, isAsCloseAs };
}

/** With all posts, in one pass over the postings. */
function dotProductsOf(
  index: PostIndex,
  { sums, rareSums }: Workspace,
  { heaviest }: QueryVector,
): Pick<Query, 'dotProducts' | 'rareDotProducts'> {
  const { size } = index.catalogue;
  const rareDotProducts = rareSums.of(size);
  const rare = { posts: RARE_POSTS, sums: rareDotProducts };
  return { dotProducts: index.score(heaviest, sums.of(size), { rare }), rareDotProducts };
}

const NO_DOT_PRODUCTS = new Float32Array(0);

/** Nothing is asked of the closeness to a taste. */
const INFINITELY_CLOSE = { closeness: () => Number.POSITIVE_INFINITY, isAsCloseAs: () => true };

const NONE: ReadonlyMap<number, number> = new Map();

/** With the mix at 0 a reader does not count, not even what was read. */
function byPageAlone({ visits: _, ...request }: RecommendRequest): RecommendRequest {
  return request;
}

/** Compares over all terms, once a post: the terms of the query vector are only the heaviest. */
function closenessTo(
  index: PostIndex,
  { overlap }: Workspace,
  { post, vector }: { post: number; vector: QueryVector },
): (number: number) => number {
  const correction = lengthCorrection(vector.distinct);
  // With the default gains: which posts are relevant does not depend on the gains of a request.
  const tags = tagsEffect(index, post);
  const author = authorEffect(index, post);
  const known = new Map<number, number>();
  return (number) => {
    let closeness = known.get(number);
    if (closeness === undefined) {
      const cosine = overlap.cosine(number);
      closeness = overlap.isManifold ? cosine * (tags.of(number) * author.of(number)) * correction : 0;
      known.set(number, closeness);
    }
    return closeness;
  };
}
