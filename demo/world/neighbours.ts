// Which articles a reader of one reads next: parts of a series, the same subjects, the same time.
import { DAY } from '../../server/durations.ts';
import type { Article } from '../edition.ts';

/** Articles kept for each. */
const KEPT = 8;
const COMMON = new Set(
  'the a an and of to in for on with how what why your our is are we it at from by can you do part'.split(' '),
);

/** The closest articles of each, closest first; by slug. */
export type Neighbours = ReadonlyMap<string, readonly Article[]>;

export function findNeighbours(articles: readonly Article[]): Neighbours {
  const described = articles.map((article) => ({ article, words: wordsOf(article) }));
  const rarity = new Map<string, number>();
  for (const { words } of described) for (const word of words) rarity.set(word, (rarity.get(word) ?? 0) + 1);
  const worth = (word: string) => Math.log(articles.length / rarity.get(word)!);

  const neighbours = new Map<string, readonly Article[]>();
  for (const one of described) {
    const scored = described
      .filter((other) => other !== one)
      .map((other) => {
        let score = 0;
        for (const word of one.words) if (other.words.has(word)) score += worth(word);
        const apart = Math.abs(one.article.published - other.article.published);
        return { article: other.article, score: score * (1 + Math.exp(-apart / (14 * DAY))) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.article.slug.localeCompare(b.article.slug));
    neighbours.set(
      one.article.slug,
      scored.slice(0, KEPT).map(({ article }) => article),
    );
  }
  return neighbours;
}

/** Words of the title and whole tags: enough to tell a series and a subject. */
function wordsOf({ title, tags }: Article): Set<string> {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set([...words.filter((word) => !COMMON.has(word)), ...tags.map((tag) => `#${tag}`)]);
}
