// Simple rankings to stand beside ours, so that a figure means something.
import type { IndexedPost } from '../textindex/catalogue.ts';

/** Ranks the other posts of a site for one of them, best first; `most` are enough. */
export type Ranker = (url: string, most: number) => string[];

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const QUERY_TERMS = 100;
const K1 = 1.2;
const B = 0.75;

const wordsOf = (post: IndexedPost): string[] =>
  `${post.title} ${post.fullContent}`.normalize('NFKC').toLowerCase().match(WORD) ?? [];

/** The newest posts, whatever is being read. */
export function mostRecent(posts: readonly IndexedPost[]): Ranker {
  const order = [...posts].sort((a, b) => (b.pubDate ?? 0) - (a.pubDate ?? 0)).map(({ url }) => url);
  return (url, most) => order.filter((other) => other !== url).slice(0, most);
}

/** Shared tags, the rarer the better; among equals the nearest in time. */
export function sharedTags(posts: readonly IndexedPost[]): Ranker {
  const uses = countAll(posts.map(({ tags }) => tags));
  const weight = (tag: string) => Math.log(1 + posts.length / (uses.get(tag) ?? 1));
  const byUrl = new Map(posts.map((post) => [post.url, post]));
  return (url, most) => {
    const asked = byUrl.get(url);
    if (asked === undefined) return [];
    return topOf(posts, most, (post) => {
      if (post.url === url) return 0;
      const shared = post.tags.filter((tag) => asked.tags.includes(tag));
      const score = shared.reduce((sum, tag) => sum + weight(tag), 0);
      return score / (1 + 1e-12 * Math.abs((post.pubDate ?? 0) - (asked.pubDate ?? 0)));
    });
  };
}

/** Cosine of √frequency × ln(1 + N/df) over single words. */
export function tfIdf(posts: readonly IndexedPost[]): Ranker {
  const lists = countedWords(posts);
  const vectors = lists.counts.map((words) => {
    const weights = [...words].map(([word, n]) => [word, Math.sqrt(n) * lists.rarity(word)] as const);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(weights.map(([word, weight]) => [word, weight / length]));
  });
  return byWords(posts, lists.having, {
    query: (at) => [...(vectors[at] ?? [])],
    value: (word, at) => vectors[at]?.get(word) ?? 0,
  });
}

/** BM25, queried with the hundred rarest words of the post. */
export function bm25(posts: readonly IndexedPost[]): Ranker {
  const { counts, having, rarity } = countedWords(posts);
  const lengths = counts.map((words) => [...words.values()].reduce((sum, n) => sum + n, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
  return byWords(posts, having, {
    query: (at) =>
      [...(counts[at] ?? [])]
        .map(([word, n]) => [word, n * rarity(word)] as const)
        .sort((a, b) => b[1] - a[1])
        .slice(0, QUERY_TERMS)
        .map(([word]) => [word, rarity(word)]),
    value(word, at) {
      const n = counts[at]?.get(word) ?? 0;
      return (n * (K1 + 1)) / (n + K1 * (1 - B + (B * (lengths[at] ?? 0)) / average));
    },
  });
}

function byWords(
  posts: readonly IndexedPost[],
  having: ReadonlyMap<string, readonly number[]>,
  weights: {
    query: (at: number) => (readonly [word: string, weight: number])[];
    value: (word: string, at: number) => number;
  },
): Ranker {
  const places = new Map(posts.map((post, at) => [post.url, at]));
  return (url, most) => {
    const asked = places.get(url);
    if (asked === undefined) return [];
    const scores = new Float64Array(posts.length);
    for (const [word, weight] of weights.query(asked)) {
      for (const at of having.get(word) ?? []) scores[at] = (scores[at] ?? 0) + weight * weights.value(word, at);
    }
    scores[asked] = 0;
    return topOf(posts, most, (_, at) => scores[at] ?? 0);
  };
}

function countedWords(posts: readonly IndexedPost[]) {
  const counts = posts.map((post) => countAll([wordsOf(post)]));
  const having = new Map<string, number[]>();
  counts.forEach((words, at) => {
    for (const word of words.keys()) {
      const list = having.get(word);
      if (list) list.push(at);
      else having.set(word, [at]);
    }
  });
  return { counts, having, rarity: (word: string) => Math.log(1 + posts.length / (having.get(word)?.length ?? 1)) };
}

function countAll(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function topOf(
  posts: readonly IndexedPost[],
  most: number,
  score: (post: IndexedPost, at: number) => number,
): string[] {
  return posts
    .map((post, at) => ({ url: post.url, score: score(post, at) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1))
    .slice(0, most)
    .map(({ url }) => url);
}
