// What a request asks for, in the engine's own words: posts by number and probes made from them.

import type { PostIndex } from './postIndex.ts';
import type { RecommendRequest } from './recommend.ts';
import { alikeInNames } from './rescore.ts';
import { tasteOf } from './taste.ts';
import { evened, type Probe, probeOf } from './vectors.ts';
import { QUERY_TERMS, TASTE_VISITS } from './weights.ts';

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
  /** How close a post is in all its words, tags and authors, evened out for length: what the floors are compared with. */
  closeness: (number: number) => number;
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
  const taste = read.length > 0 ? tasteOf(index, read) : undefined;
  if (post < 0) return { post, read, probe: taste, taste: undefined, never, closeness: () => Number.POSITIVE_INFINITY };
  const probe = probeOf(index, post, QUERY_TERMS);
  return { post, read, probe, taste, never, closeness: closenessTo(index, post, probe) };
}

/** Compares in full, once a post: the terms looked for are not all there are. */
function closenessTo(index: PostIndex, post: number, { distinct }: Probe): (number: number) => number {
  const share = evened(distinct);
  const names = alikeInNames(index, post);
  const known = new Map<number, number>();
  return (number) => {
    let closeness = known.get(number);
    if (closeness === undefined) {
      closeness = index.overlap.cosine(number) * names(number) * share;
      known.set(number, closeness);
    }
    return closeness;
  };
}
