// First call: a query is a request resolved against an index, with the workspace that answering it writes to.

import type { PostIndex } from '../textindex/postIndex.ts';
import { authorEffect } from './factors/author.ts';
import { tagsEffect } from './factors/tags.ts';
import { lengthCorrection, type QueryVector, vectorOfPost } from './queryVector.ts';
import type { RecommendRequest } from './recommend.ts';
import { vectorOfTaste } from './taste.ts';
import { QUERY_TERMS, TASTE_VISITS } from './weights.ts';
import type { Workspace } from './workspace.ts';

export interface Query {
  readonly index: PostIndex;
  readonly workspace: Workspace;
  /** Gains of the ranking factors that differ from their defaults. */
  readonly gains: Readonly<Record<string, number>>;
  /** The post being read; -1 when none is named or it is not known. */
  readonly post: number;
  /** Newest visits that are known, as numbers of posts. */
  readonly read: readonly number[];
  /** What candidates are generated from: the post being read, else the visitor's taste; undefined when there is neither. */
  readonly vector: QueryVector | undefined;
  /** The visitor's taste beside a post being read. */
  readonly taste: QueryVector | undefined;
  /** Posts that must not appear: the one being read, all that were read, all that are excluded. */
  readonly never: ReadonlySet<number>;
  /** How close a post is in all its words, tags and authors, corrected for length: compared with the relevance floors. */
  readonly closeness: (number: number) => number;
}

export function createQuery(index: PostIndex, request: RecommendRequest, workspace: Workspace): Query {
  const { catalogue } = index;
  const post = request.url === undefined ? -1 : catalogue.find(request.url);
  const visited = (request.visits ?? []).map(({ url }) => catalogue.find(url)).filter((number) => number >= 0);
  const never = new Set(visited);
  for (const url of request.excluded) never.add(catalogue.find(url));
  if (post >= 0) never.add(post);
  // The post being read is not news about the visitor: it already is the context.
  const read = visited.filter((number) => number !== post).slice(0, TASTE_VISITS);
  const taste = read.length > 0 ? vectorOfTaste(index, workspace, read) : undefined;
  const resolved = { index, workspace, gains: request.gains ?? {}, post, read, never };
  if (post < 0) return { ...resolved, vector: taste, taste: undefined, closeness: () => Number.POSITIVE_INFINITY };
  const vector = vectorOfPost(index, workspace, { post, most: QUERY_TERMS });
  return { ...resolved, vector, taste, closeness: closenessTo(index, workspace, { post, vector }) };
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
      closeness = overlap.cosine(number) * (tags.of(number) * author.of(number)) * correction;
      known.set(number, closeness);
    }
    return closeness;
  };
}
