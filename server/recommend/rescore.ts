// Third call: the closest posts, judged again by title and time. Products, not sums: they carry from site to site.

import { best } from './best.ts';
import { candidates, type Found } from './candidates.ts';
import type { PostIndex } from './postIndex.ts';
import type { Asked } from './understand.ts';
import type { Probe } from './vectors.ts';
import {
  ERA_DAYS,
  ERA_GAIN,
  RERANKED,
  SEASON_DAYS,
  SEASON_GAIN,
  TASTE_GAIN,
  TITLE_COSINE_GAIN,
  TITLE_COVERAGE_GAIN,
} from './weights.ts';

const DAY_MS = 86_400_000;

/**
 * Scores of the relevant posts. Only the closest few hundred are judged again; the others keep their cosine, which
 * leaves them below, since no factor is smaller than 1.
 */
export function score(index: PostIndex, asked: Asked, found: Found): Found {
  const { urls } = index.catalogue;
  const factors = factorsOf(index, asked);
  const scores = found.scores.slice(0, found.count);
  for (const at of best(found, RERANKED, (a, b) => urls[a]! < urls[b]!)) {
    for (const factor of factors) scores[at]! *= factor(found.numbers[at]!);
  }
  return { ...found, scores };
}

function factorsOf(index: PostIndex, { post, read, taste }: Asked): Factor[] {
  const { pubDates } = index.catalogue;
  if (post < 0) return read.length > 0 ? [nearInTime(index, pubDates[read[0]!]!)] : [];
  const factors = [alikeInTitle(index, post), nearInTime(index, pubDates[post]!)];
  return taste ? [...factors, toTaste(index, taste)] : factors;
}

/** Lifts what the visitor likes, the favourite most. */
function toTaste(index: PostIndex, taste: Probe): Factor {
  const liked = candidates(index, { probe: taste });
  const likings = new Map<number, number>();
  let most = 0;
  for (let i = 0; i < liked.count; i++) {
    likings.set(liked.numbers[i]!, liked.scores[i]!);
    most = Math.max(most, liked.scores[i]!);
  }
  return (number) => 1 + (TASTE_GAIN * (likings.get(number) ?? 0)) / (most || 1);
}

/** Multiplies a post's cosine by what title and time say about it. */
export type Factor = (number: number) => number;

/** Lifts posts published near a moment; a post or a moment without a date is left as it is. */
export function nearInTime(index: PostIndex, moment: number): Factor {
  const { pubDates } = index.catalogue;
  return (number) => {
    const days = Math.abs(pubDates[number]! - moment) / DAY_MS;
    if (Number.isNaN(days)) return 1;
    return (1 + SEASON_GAIN * Math.exp(-days / SEASON_DAYS)) * (1 + ERA_GAIN * Math.exp(-days / ERA_DAYS));
  };
}

/**
 * Lifts posts whose title speaks of what the post being read speaks of: coverage is the share of the title (by
 * rarity) found anywhere in that post, and the titles' own cosine says how far they name the same thing.
 */
export function alikeInTitle(index: PostIndex, asked: number): Factor {
  const { digests } = index.catalogue;
  const { reader } = index;
  const all = new Set<number>();
  const title = new Map<number, number>();
  reader.read(digests[asked]!);
  for (let i = 0; i < reader.count; i++) {
    const term = reader.terms[i]!;
    all.add(term);
    if (i < reader.titleWords) title.set(term, index.rarity(index.postsWith(term)));
  }
  const length = Math.hypot(...title.values());
  return (number) => {
    reader.readTitle(digests[number]!, 0);
    let sum = 0;
    let covered = 0;
    let shared = 0;
    let squares = 0;
    for (let i = 0; i < reader.titleWords; i++) {
      const term = reader.terms[i]!;
      const rarity = index.rarity(index.postsWith(term));
      sum += rarity;
      squares += rarity * rarity;
      if (all.has(term)) covered += rarity;
      if (title.has(term)) shared += rarity * rarity;
    }
    if (sum === 0) return 1;
    const coverage = covered / sum;
    const likeness = length > 0 ? shared / (length * Math.sqrt(squares)) : 0;
    return (1 + TITLE_COVERAGE_GAIN * coverage) * (1 + TITLE_COSINE_GAIN * likeness);
  };
}
