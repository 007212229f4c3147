// Which documents have a unit of a question (a word, or words side by side), and how much that says for them.

import { topK } from '../textindex/topK.ts';
import { float32At, uint32At } from '../textindex/typedReads.ts';
import { type MayHave, Pairs } from './neighbours.ts';
import type { Unit } from './parseQuery.ts';
import type { PostingList } from './postings.ts';
import type { SearchIndex } from './searchIndex.ts';
import {
  COMMON_AT_LEAST,
  COMMON_SHARE,
  LENGTH_SHARE,
  MOST_NEIGHBOURS,
  NEIGHBOURS_COUNT,
  SATURATION,
} from './weights.ts';
import { Phrase } from './wordTally.ts';
import type { SearchQuery } from './workspace.ts';

/** Documents in ascending order with a score each; `count` of them. */
export interface Matches {
  documents: Uint32Array;
  scores: Float32Array;
  count: number;
}

/** A unit resolved against the index. */
export interface Wanted {
  /** Numbers of its words; −1 for a word that stands in no post. */
  words: number[];
  quoted: boolean;
  /** Inverse document frequency; the sum for a unit of several words. */
  rarity: number;
  /** Too common to be required. */
  common: boolean;
  /** Documents to be looked at. */
  cost: number;
  /** Whether they are the words that were typed, and not others in their place. */
  isTyped: boolean;
  /** Postings to be read in place of those of its word. */
  list?: PostingList;
}

/**
 * The words of a unit, resolved.
 * @param words Their numbers.
 * @param list Postings in place of those of its only word.
 */
export function wanted(
  query: SearchQuery,
  { quoted }: Pick<Unit, 'quoted'>,
  words: number[],
  list?: PostingList,
): Wanted {
  const { index } = query;
  const { postings } = index.documents;
  const counts = list ? [list.count] : words.map((word) => postings.count(word));
  const cost = Math.min(...counts);
  const most = Math.max(COMMON_AT_LEAST, index.size * COMMON_SHARE);
  const common = !quoted && cost > most && (list !== undefined || words.every((word) => inMoreThan(most, query, word)));
  const rarity =
    counts.reduce((sum, count) => sum + index.shared.statistics.rarity(Math.max(1, count)), 0) /
    Math.sqrt(words.length);
  return { words, quoted, rarity, common, cost, isTyped: list === undefined, ...(list && { list }) };
}

/** Whether more posts than so many have a word; documents of posts that have changed since or are gone do not count. */
export function inMoreThan(most: number, { index, workspace }: SearchQuery, word: number): boolean {
  const { posts, postings, size, present: all } = index.documents;
  const listed = postings.count(word);
  if (listed <= most) return false;
  // However many of the documents that are gone had it.
  if (listed - (size - all) > most) return true;
  const { docs, count } = postings.read(word, workspace.other);
  let present = 0;
  for (let i = 0; i < count; i++) if (uint32At(posts, uint32At(docs, i)) !== 0) present++;
  return present > most;
}

/** Every document that has all words of a unit, side by side or not. They lie in the workspace until the next call. */
export function matchesOf(query: SearchQuery, unit: Wanted, passes: (post: number) => boolean): Matches {
  const { index, workspace } = query;
  const { posts, postings } = index.documents;
  const { docs, count } = unit.list ?? postings.read(rarestOf(index, unit), workspace.rarest);
  const documents = workspace.documents.of(count);
  const scores = workspace.scores.of(count);
  let kept = 0;
  for (const document of docs.subarray(0, count)) {
    const post = (posts[document] ?? 0) - 1;
    if (post < 0 || !passes(post)) continue;
    documents[kept] = document;
    scores[kept++] = 0;
  }
  return narrowed(query, { documents, scores, count: kept }, unit);
}

/** Of some documents those that have all words of a unit, their scores raised by it. Works in place. */
export function narrowed(query: SearchQuery, { documents, scores, count }: Matches, unit: Wanted): Matches {
  const { index, workspace } = query;
  const rarest = rarestOf(index, unit);
  let left = count;
  for (const word of new Set(unit.words)) {
    if (word === rarest) continue;
    const list = index.documents.postings.read(word, workspace.other);
    let kept = 0;
    for (let i = 0, at = 0; i < left; i++) {
      const document = documents[i]!;
      while (at < list.count && list.docs[at]! < document) at++;
      if (at === list.count) break;
      if (list.docs[at] !== document) continue;
      documents[kept] = document;
      scores[kept++] = scores[i]!;
    }
    left = kept;
  }
  return scored(query, { documents, scores, count: left }, { unit, word: rarest, optional: false });
}

/** As `narrowed`, without leaving any out. */
export function raised(query: SearchQuery, matches: Matches, unit: Wanted): Matches {
  return scored(query, matches, { unit, word: rarestOf(query.index, unit), optional: true });
}

/**
 * Proximity: raises the scores of documents in which words that were asked for one after another stand side by side.
 * "state department" is mostly that, and not a department of some state. In place; reads no text, so about one document
 * in twenty is raised without cause.
 * @param most The best so many are wanted: those that cannot be among them may keep their scores.
 */
export function raisedByNeighbours(
  query: SearchQuery,
  matches: Matches,
  { units, most }: { units: readonly Wanted[]; most: number },
): Matches {
  const gains = units.slice(0, MOST_NEIGHBOURS).flatMap((first, place) => {
    const second = units[place + 1];
    const words = [first.words.at(-1) ?? -1, second?.words[0] ?? -1];
    if (second === undefined || words.includes(-1)) return [];
    return [{ words, gain: (NEIGHBOURS_COUNT * (first.rarity + second.rarity)) / 2 }];
  });
  if (gains.length === 0) return matches;
  const total = gains.reduce((sum, { gain }) => sum + gain, 0);
  // A little less: sums are rounded.
  const least = scoreAt(matches, most) - total * 1.001;
  const { documents, scores, count } = matches;
  let best = 0;
  for (let i = 0; i < count; i++) if (scores[i]! >= least) best++;
  for (const { words, gain } of gains) {
    const mayHave = pairOf(query, words, best);
    for (let i = 0; i < count; i++) if (scores[i]! >= least && mayHave(documents[i]!)) scores[i]! += gain;
  }
  return matches;
}

/** Tests whether two words may stand side by side in a document; made once. */
function pairOf({ index, pairs }: SearchQuery, [first = -1, second = -1]: readonly number[], asked: number): MayHave {
  const key = `${first} ${second}`;
  let mayHave = pairs.get(key);
  if (mayHave === undefined) {
    const pair = new Pairs();
    pair.add(first, second);
    mayHave = index.documents.neighbours.lookFor(pair, asked);
    pairs.set(key, mayHave);
  }
  return mayHave;
}

/** The score of the best but so many less one; 0 where there are fewer. */
function scoreAt({ documents, scores, count }: Matches, most: number): number {
  if (count <= most) return 0;
  const worst = topK({ numbers: documents, scores, count }, most, () => false).at(-1);
  return worst === undefined ? 0 : float32At(scores, worst);
}

function rarestOf(index: SearchIndex, { words }: Wanted): number {
  const { postings } = index.documents;
  return words.reduce((rarest, word) => (postings.count(word) < postings.count(rarest) ? word : rarest));
}

/** BM25 over the rarest of a unit's words: words side by side occur at most that often. */
function scored(
  { index, workspace }: SearchQuery,
  { documents, scores, count }: Matches,
  { unit, word, optional }: { unit: Wanted; word: number; optional: boolean },
): Matches {
  const { postings, lengths } = index.documents;
  const { docs, frequencies, count: listed } = unit.list ?? postings.read(word, workspace.rarest);
  const perWord = (SATURATION * LENGTH_SHARE) / (index.meanLength || 1);
  const base = SATURATION * (1 - LENGTH_SHARE);
  let kept = 0;
  for (let i = 0, at = 0; i < count; i++) {
    const document = documents[i]!;
    while (at < listed && docs[at]! < document) at++;
    const has = at < listed && docs[at] === document;
    if (!has && !optional) continue;
    const often = has ? frequencies[at]! : 0;
    documents[kept] = document;
    scores[kept++] = scores[i]! + (unit.rarity * often) / (often + base + perWord * lengths[document]!);
  }
  return { documents, scores, count: kept };
}

export interface SideBySide {
  /** Leaves out most documents in which some words stand side by side nowhere. Works in place, reads no text. */
  sift(matches: Matches): Matches;
  /** Whether the words of each unit stand side by side in a document; undefined where no unit has more than one. */
  holds: ((document: number) => boolean) | undefined;
}

export function sideBySide(index: SearchIndex, units: readonly Wanted[]): SideBySide {
  const { posts, neighbours } = index.documents;
  const { shared } = index;
  const phrases = units.filter(({ words }) => words.length > 1).map(({ words }) => new Phrase(words));
  return {
    sift({ documents, scores, count }) {
      let left = count;
      for (const { pairs } of phrases) {
        const mayHave = neighbours.lookFor(pairs, left);
        let kept = 0;
        for (let i = 0; i < left; i++) {
          const document = documents[i]!;
          if (!mayHave(document)) continue;
          documents[kept] = document;
          scores[kept++] = scores[i]!;
        }
        left = kept;
      }
      return { documents, scores, count: left };
    },
    holds:
      phrases.length === 0
        ? undefined
        : (document) => {
            const post = (posts[document] ?? 0) - 1;
            return phrases.every((phrase) => phrase.standsIn(shared.post(post)) || inAName(index, post, phrase));
          },
  };
}

function inAName(index: SearchIndex, post: number, phrase: Phrase): boolean {
  for (const words of index.names(post)) if (phrase.standsAmong(words)) return true;
  return false;
}
