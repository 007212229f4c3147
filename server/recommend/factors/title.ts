// Ranking factor: words of one post's title in the other post.

import { TITLE_WORDS } from '../../textindex/settings.ts';
import { wantedWords, wordTerm } from '../../textindex/termReader.ts';
import type { Query } from '../query.ts';
import { defineFactor, type Effect, NO_EFFECT } from './factor.ts';

const GAINS = {
  /** The share of the title being read (by rarity) that the other post has. */
  titleFound: 0.6,
  /** The share of the other post's title that the post being read has. */
  titleCovered: 0.5,
};

export const title = defineFactor({
  name: 'title',
  description: 'At least 1: words of one title in the other post.',
  cost: 'reads',
  gains: GAINS,
  fitted: { titleFound: 'gain', titleCovered: 'gain' },
  of: (query, gains) => (query.post < 0 ? NO_EFFECT : titleEffect(query, gains)),
});

function titleEffect({ index, workspace, post }: Query, gains: typeof GAINS): Effect {
  const { statistics } = index;
  const { reader, source } = workspace;
  const rarityOf = (word: number) => statistics.rarityOf(wordTerm(word));
  const wanted = wantedWords(reader.titleNumbers(index.post(post)), rarityOf, workspace.marks);
  let length = 0;
  for (const rarity of wanted.rarities) length += rarity;
  const posts = new Uint32Array(TITLE_WORDS);
  const rarities = new Float64Array(TITLE_WORDS);
  const known = new Map<number, number>();
  /** Of the other title alone, which lies where its post begins. */
  const computeCoverage = (number: number) => {
    let all = 0;
    let covered = 0;
    const theirs = reader.readTitle(index.post(number));
    statistics.postsOf(theirs, posts);
    statistics.raritiesOf(posts, theirs.count, rarities);
    for (let i = 0; i < theirs.count; i++) {
      const rarity = rarities[i]!;
      all += rarity;
      if (source.find(theirs.terms[i]!) >= 0) covered += rarity;
    }
    return 1 + (gains.titleCovered * covered) / (all || 1);
  };
  const coverage = (number: number) => {
    const effect = known.get(number) ?? computeCoverage(number);
    known.set(number, effect);
    return effect;
  };
  const of = (number: number) => {
    const found = reader.rarityFound(wanted, index.post(number));
    return (1 + (gains.titleFound * found) / (length || 1)) * coverage(number);
  };
  const max = 1 + gains.titleFound;
  return { of, max: max * (1 + gains.titleCovered), bound: (number) => max * coverage(number) };
}
