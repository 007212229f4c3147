// A big site made from the articles in hand: posts of the same lengths, each woven from the sentences of a few articles,
// with names and words of its own, as new articles have them.
import { DAY } from '../../server/durations.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';

/** Share of the words that are replaced by rare ones. */
const RENAMED = 0.04;

/** @returns `count` posts, the same ones for the same seed. */
export function* grow(from: readonly IndexedPost[], count: number, seed = 1): Generator<IndexedPost> {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const sentences = from.map((post) => post.fullContent.split(/(?<=[.!?])\s+/));
  for (let i = 0; i < count; i++) {
    const home = Math.floor(random() * from.length);
    const post = from[home]!;
    const others = [sentences[home]!, pick(sentences), pick(sentences)];
    const length = sentences[home]!.length;
    const text: string[] = [];
    while (text.length < length) text.push(pick(random() < 0.6 ? others[0]! : pick(others)));
    yield {
      ...post,
      url: `https://grown.example/${i}`,
      title: renamed(`${post.title}`, 0.3),
      fullContent: renamed(text.join(' '), RENAMED),
      pubDate: Date.UTC(2010, 0, 1) + Math.floor(random() * 5000 * DAY),
    };
  }

  /** Rare words follow Zipf's law over an ever larger stock. */
  function renamed(text: string, share: number): string {
    return text.replace(/[a-z]{5,}/g, (word) =>
      random() < share ? `${word.slice(0, 3)}${Math.floor(1 / (random() + 1e-6) ** 1.2).toString(36)}` : word,
    );
  }
}

/** Numbers from 0 to 1 in an order the seed decides (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
