// Scores of the candidates. A score is the closeness in words, or its mix with what readers say, times the effect of
// every ranking factor.
// What a post's score is depends on that post alone, never on which others may be shown.

import { float64At } from '../textindex/typedReads.ts';
import { type Effect, effectOf, type Factor, NO_EFFECT } from './factors/factor.ts';
import { freshness } from './factors/freshness.ts';
import { FACTORS } from './factors/index.ts';
import { popularity } from './factors/popularity.ts';
import type { Query } from './query.ts';
import type { NextReads } from './readers.ts';
import type { Candidates, ScoredCandidates, Scorer } from './scorer.ts';
import { TASTE_SHARE } from './weights.ts';

export function withScores(query: Query, candidates: Candidates): ScoredCandidates {
  const scorer = createScorer(query, candidates.brought);
  const { post, nextReads } = query;
  return {
    ...candidates,
    scorer: post < 0 && nextReads ? besideTaste(query, { scorer, nextReads, closest: candidates.closest }) : scorer,
  };
}

/** Without a page: a visitor's taste and other readers added up, each against the best there could be. */
function besideTaste(
  query: Query,
  { scorer, nextReads: { shares }, closest }: { scorer: Scorer; nextReads: NextReads; closest: number },
): Scorer {
  const dialled = [freshness, popularity].map((factor) => effectOf(factor, query) ?? NO_EFFECT);
  const byReaders = (number: number) =>
    dialled.reduce((share, effect) => share * effect.of(number), float64At(shares, number));
  const made = (number: number, score: number) => (TASTE_SHARE * score) / (closest || 1) + byReaders(number);
  return {
    cheapScore: scorer.cheapScore,
    fullScore: (number, cheapScore) => made(number, scorer.fullScore(number, cheapScore)),
    upperBound: (number, cheapScore) => made(number, scorer.upperBound(number, cheapScore)),
    closerBound: (number, cheapScore) => made(number, scorer.closerBound(number, cheapScore)),
    cheapUpperBound: (number, closeness) => made(number, scorer.cheapUpperBound(number, closeness)),
    max: Number.POSITIVE_INFINITY,
  };
}

/** @param brought Posts that are not read. */
function createScorer(query: Query, brought: ReadonlySet<number> = NONE): Scorer {
  const cheap = effectsOf(query, 'cheap');
  const reading = effectsOf(query, 'reads');
  const bounds = cheap.flatMap(({ bound }) => bound ?? []);
  const maxOfReading = product(reading.map(({ max }) => max));
  const maxOfCheap = product(cheap.map((effect) => (effect.bound ? 1 : effect.max)));
  const max = maxOfReading * maxOfCheap;
  return {
    cheapScore(number, closeness) {
      let score = closeness;
      for (let i = 0; i < cheap.length; i++) score *= cheap[i]!.of(number);
      return score;
    },
    fullScore(number, cheapScore) {
      let score = cheapScore;
      if (brought.has(number)) return Math.fround(score);
      for (let i = 0; i < reading.length; i++) score *= reading[i]!.of(number);
      // As many digits as a closeness has: of two copies none shall stand first because of the last one.
      return Math.fround(score);
    },
    upperBound: (number, cheapScore) => (brought.has(number) ? cheapScore : cheapScore * maxOfReading),
    closerBound(number, cheapScore) {
      let score = cheapScore;
      if (brought.has(number)) return score;
      for (let i = 0; i < reading.length; i++) score *= reading[i]!.bound?.(number) ?? reading[i]!.max;
      return score;
    },
    cheapUpperBound(number, closeness) {
      let score = closeness * (brought.has(number) ? maxOfCheap : max);
      for (let i = 0; i < bounds.length; i++) score *= bounds[i]!(number);
      return score;
    },
    max: maxOfReading * product(cheap.map((effect) => effect.max)),
  };
}

const NONE: ReadonlySet<number> = new Set();

function effectsOf(query: Query, cost: Factor['cost']): Effect[] {
  return FACTORS.flatMap((factor) => {
    const effect = factor.cost === cost ? effectOf(factor, query) : undefined;
    return effect === undefined || effect === NO_EFFECT ? [] : effect;
  });
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, one) => all * one, 1);

/** A post's score, from its closeness in words. */
export const scoreOf = ({ fullScore, cheapScore }: Scorer, number: number, closeness: number): number =>
  fullScore(number, cheapScore(number, closeness));
