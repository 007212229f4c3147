// What a request asks for, in the engine's own words: posts by number and probes made from them.

import type { PostIndex } from './postIndex.ts';
import type { RecommendRequest } from './recommend.ts';
import { type Probe, probeOf, tasteOf } from './vectors.ts';
import { QUERY_TERMS, TASTE_DECAY, TASTE_TERMS, TASTE_VISITS } from './weights.ts';

export interface Asked {
  /** The post being read; -1 when none is named or it is not known. */
  post: number;
  /** Newest visits that are known, as numbers. */
  read: number[];
  /** What to look for first: the post being read, else the taste; undefined when there is nothing to go by. */
  probe: Probe | undefined;
  /** The visitor's taste beside a post being read. */
  taste: Probe | undefined;
  /** Posts that must not appear: the one being read, all that were read, all that are excluded. */
  never: Set<number>;
}

export function understand(index: PostIndex, request: RecommendRequest): Asked {
  const { catalogue } = index;
  const post = request.url === undefined ? -1 : catalogue.find(request.url);
  const visited = (request.visits ?? []).map(({ url }) => catalogue.find(url)).filter((number) => number >= 0);
  const never = new Set(visited);
  for (const url of request.excluded) never.add(catalogue.find(url));
  if (post >= 0) never.add(post);
  // The post being read is not news about the visitor: it already is the context.
  const read = visited.filter((number) => number !== post).slice(0, TASTE_VISITS);
  const taste = read.length > 0 ? tasteOf(index, read, { decay: TASTE_DECAY, most: TASTE_TERMS }) : undefined;
  const context = post >= 0 ? probeOf(index, post, QUERY_TERMS) : undefined;
  return { post, read, probe: context ?? taste, taste: context && taste, never };
}
