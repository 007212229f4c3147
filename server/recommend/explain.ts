// Why a post stands where it stands: what each point of view said of it, and the terms it shares with what was asked from.
// The same calls as `recommend`, looked at one by one; asked for by people, so it may take its time.
import { allows } from './allowed.ts';
import { candidates, keepAllowed } from './candidates.ts';
import type { PostText } from './digest.ts';
import type { PostIndex } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import { askReaders } from './readers.ts';
import type { Recommendation, RecommendRequest } from './recommend.ts';
import { factorsOf, type Judged, score, scoreOf } from './rescore.ts';
import { namedTerms } from './termNames.ts';
import { type Asked, understand } from './understand.ts';
import { LESSER_FLOOR, TASTE_SHARE } from './weights.ts';

export interface Explanation {
  url: string;
  score: number;
  /**
   * `product`: the parts multiplied are the score. `sum`: `taste` and `readers` added are. `recent`: nothing relevant was
   * found, and the newest posts are shown.
   */
  made: 'product' | 'sum' | 'recent';
  /**
   * words: closeness in words. title, tags, author: at least 1. time: at most 1. taste: the visitor's. vectors: at least
   * 1, where the operator brought one of the post being read. readers: what others read next.
   */
  parts: Partial<Record<'words' | 'title' | 'tags' | 'author' | 'time' | 'taste' | 'vectors' | 'readers', number>>;
  /** Closeness in all words, tags and authors, and the least a post must have to be shown. Absent without a `url`. */
  relevance?: { closeness: number; least: number };
  /** Words, pairs of words and tags in common, with their share of the closeness in words, the heaviest first. */
  terms: { term: string; share: number }[];
}

const MOST_TERMS = 12;

/** @param posts Those that were recommended, with their scores and texts. */
export function explain(
  index: PostIndex,
  request: RecommendRequest,
  { posts, now }: { posts: readonly (PostText & Recommendation)[]; now: number },
): Explanation[] {
  const asked = understand(index, request);
  const allowed = allows(index.catalogue, request.filters, { never: asked.never, now });
  const close = keepAllowed(candidates(index, asked), allowed);
  const scored = score(index, asked, close);
  const told = askReaders(index, scored, { asked, allowed, request, now });
  const words = new Map(Array.from({ length: told.count }, (_, at) => [told.numbers[at]!, told.scores[at]!]));
  return posts.map((post) => {
    const number = index.catalogue.find(post.url);
    // A score of 0 says that nothing was relevant, or that the post has gone meanwhile.
    if (post.score === 0 || number < 0) return { url: post.url, score: 0, made: 'recent', parts: {}, terms: [] };
    return explained(index, { asked, scored, told, number, words: words.get(number) ?? 0 }, post);
  });
}

interface Ranked {
  asked: Asked;
  scored: Judged;
  /** The same when readers have been asked. */
  told: Judged;
  number: number;
  /** How close it is in words. */
  words: number;
}

function explained(index: PostIndex, ranked: Ranked, post: PostText & Recommendation): Explanation {
  const { asked, number, words } = ranked;
  const scored = scoreOf(ranked.scored.judge, number, words);
  const told = scoreOf(ranked.told.judge, number, words);
  const terms = sharedTerms(index, ranked, post);
  if (asked.post < 0) {
    const { closest } = ranked.scored;
    const taste = closest === 0 ? 0 : (TASTE_SHARE * scored) / closest;
    // Where nobody was asked, taste alone is the score.
    const mixed = told !== scored || scored === 0;
    const parts = mixed ? { taste, readers: told - taste } : { taste: scored };
    return { url: post.url, score: told, made: 'sum', parts, terms };
  }
  const factors = factorsOf(index, asked);
  const parts: Explanation['parts'] = { words };
  for (const part of ['title', 'tags', 'author', 'time', 'taste', 'vectors'] as const) {
    const factor = factors[part]?.of(number);
    if (factor !== undefined) parts[part] = factor;
  }
  parts.readers = told / scored;
  const relevance = { closeness: asked.closeness(number), least: LESSER_FLOOR };
  return { url: post.url, score: told, made: 'product', parts, relevance, terms };
}

function sharedTerms(index: PostIndex, { asked, number }: Ranked, post: PostText): Explanation['terms'] {
  const { terms = new Uint32Array(0), weights = new Float32Array(0) } = asked.probe?.looked ?? {};
  const weightOf = new Map(Array.from(terms, (term, at) => [term, weights[at]!]));
  const shared = new Map<number, number>();
  let all = 0;
  const read = index.reader.read(index.digests.place(number));
  for (let i = 0; i < read.count; i++) {
    const said = (weightOf.get(read.terms[i]!) ?? 0) * ROOTS[read.frequencies[i]!]!;
    if (said === 0) continue;
    all += said;
    shared.set(read.terms[i]!, said);
  }
  const names = namedTerms(index.vocabulary, post);
  const heaviest = [...shared].sort((a, b) => b[1] - a[1]).slice(0, MOST_TERMS);
  return heaviest.map(([term, said]) => ({ term: names.get(term) ?? '', share: said / all }));
}
