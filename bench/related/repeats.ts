// Lists of ten that repeat themselves: more than four posts of one series, or two copies of an article. Asked below every
// post of a site.
import type { Ranker } from '../../server/evaluation/baselines.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';

const SERIES = 4;
/** Pairs of neighbouring words in common, of those that either has. */
const COPY = 0.8;

/** Shares of 1. */
export interface Repeats {
  /** Lists with more than four of one series. */
  series: number;
  /** Lists with two near copies. */
  copies: number;
}

export function repeatsOf(posts: readonly IndexedPost[], ranker: Ranker): Repeats {
  const names = new Map(posts.map(({ url, title }) => [url, seriesNames(title)]));
  const shingles = new Map(posts.map((post) => [post.url, shinglesOf(post)]));
  const of = (url: string) => shingles.get(url)!;
  let series = 0;
  let copies = 0;
  for (const { url } of posts) {
    const list = ranker(url, 10);
    const counts = new Map<string, number>();
    for (const name of list.flatMap((one) => names.get(one)!)) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (Math.max(0, ...counts.values()) > SERIES) series++;
    if (list.some((one, at) => list.slice(0, at).some((other) => areCopies(of(one), of(other))))) copies++;
  }
  return { series: series / posts.length, copies: copies / posts.length };
}

/** The title without numbers and months, and what stands before a colon or a dash: by other rules than the engine's. */
function seriesNames(title: string): string[] {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/\b(january|february|march|april|may|june|july|august|september|october|november|december)\b/g, ' ')
      .replace(/[\d.,#()\s]+/g, ' ')
      .trim();
  const head = title.split(/: | [–—-] /)[0]!;
  return [...new Set([plain(title), plain(head)])].filter((name) => name !== '');
}

function shinglesOf({ fullContent }: IndexedPost): Set<string> {
  const words = fullContent.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

function areCopies(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const one of a) if (b.has(one)) shared++;
  return shared >= COPY * (a.size + b.size - shared) && shared > 0;
}
