// Third call: scores of the candidates. A score is the closeness in words times the effect of every ranking factor.
// What a post's score is depends on that post alone, never on which others may be shown.

import { type Effect, effectOf, type Factor, NO_EFFECT } from './factors/factor.ts';
import { FACTORS } from './factors/index.ts';
import type { Query } from './query.ts';
import type { Candidates, ScoredCandidates, Scorer } from './scorer.ts';

export const withScores = (query: Query, candidates: Candidates): ScoredCandidates => ({
  ...candidates,
  scorer: createScorer(query),
});

/** @param factors Default: all. */
function createScorer(query: Query, factors: readonly Factor[] = FACTORS): Scorer {
  const cheap = effectsOf(query, factors, 'cheap');
  const reading = effectsOf(query, factors, 'reads');
  const bounds = cheap.flatMap(({ bound }) => bound ?? []);
  const maxOfReading = product(reading.map(({ max }) => max));
  const max = maxOfReading * product(cheap.map((effect) => (effect.bound ? 1 : effect.max)));
  return {
    cheapScore(number, closeness) {
      let score = closeness;
      for (let i = 0; i < cheap.length; i++) score *= cheap[i]!.of(number);
      return score;
    },
    fullScore(number, cheapScore) {
      let effect = cheapScore;
      for (let i = 0; i < reading.length; i++) effect *= reading[i]!.of(number);
      // As many digits as a closeness has: of two copies none shall stand first because of the last one.
      return Math.fround(effect);
    },
    upperBound: (_, cheapScore) => cheapScore * maxOfReading,
    cheapUpperBound(number, closeness) {
      let score = closeness * max;
      for (let i = 0; i < bounds.length; i++) score *= bounds[i]!(number);
      return score;
    },
  };
}

function effectsOf(query: Query, factors: readonly Factor[], cost: Factor['cost']): Effect[] {
  return factors.flatMap((factor) => {
    const effect = factor.cost === cost ? effectOf(factor, query) : undefined;
    return effect === undefined || effect === NO_EFFECT ? [] : effect;
  });
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, one) => all * one, 1);

/** A post's score, from its closeness in words. */
export const scoreOf = ({ fullScore, cheapScore }: Scorer, number: number, closeness: number): number =>
  fullScore(number, cheapScore(number, closeness));
