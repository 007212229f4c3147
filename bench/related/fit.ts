// Fits the gains of the ranking to the links of some sites: gradient ascent on nDCG@10 made smooth, so that no question
// decides by a hair. A post's rank is ½ plus how many others stand before it, each counted by a sigmoid of the difference
// of scores (Qin, Liu and Li, "A general approximation framework for direct optimization of information retrieval measures").
import type { ArticleSet } from '../../server/evaluation/articleSet.ts';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { mean } from '../../server/evaluation/measures.ts';
import { candidates, keepAllowed } from '../../server/recommend/candidates.ts';
import { createQuery } from '../../server/recommend/createQuery.ts';
import { effectOf, type Factor } from '../../server/recommend/factors/factor.ts';
import { FACTORS } from '../../server/recommend/factors/index.ts';
import { createFilter } from '../../server/recommend/filters.ts';
import type { Query } from '../../server/recommend/query.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import { topK } from '../../server/textindex/topK.ts';

/** Parameters of ranking factors, by name. */
export type Gains = Readonly<Record<string, number>>;

interface Fitted {
  gain: string;
  kind: 'gain' | 'power';
  factor: Factor;
}

/** What each factor of the ranking says is fitted. */
const FITTED: readonly Fitted[] = FACTORS.flatMap((factor) =>
  Object.entries(factor.fitted).map(([gain, kind]) => ({ gain, kind: kind!, factor })),
);

/** Every gain begins here: a factor without knowledge of any site. */
const START = 0.3;
/**
 * Strength of a Gaussian prior on the logarithm of each gain, with its mean at that of `START`: a gain moves from there
 * by one for each so much nDCG that a further unit brings. What brings less is chance, as a few hundred questions leave
 * nDCG .01 either way.
 */
const PRIOR = 0.003;
/** How sharply scores separate posts: those that differ by a fortieth are nearly tied. */
const SHARPNESS = 40;
const STEPS = 60;
/** Of the logarithm of a gain in one step, at first. */
const STRIDE = 0.1;

/** Posts closest in words that a question is fitted on: others are hardly ever among the first ten. */
const LOOKED_AT = 60;

/** A question: what is known of the posts closest in words. */
interface Question {
  /** Logarithm of the closeness in words, by candidate. */
  words: number[];
  /** By place in `FITTED`, what the factor finds, by candidate: a score is multiplied by 1 + gain × it, or by it ^ power. */
  views: number[][];
  /** Places of the posts wanted. */
  wanted: number[];
  /** The best sum of gains there could be. */
  ideal: number;
}

/** Each site counts as much as any other, however many links it has. */
export function fitGains(sites: readonly ArticleSet[]): Gains {
  const questions = sites.map(questionsOf);
  const logs = FITTED.map(() => Math.log(START));
  // Adam's rule without its first moment: strides of the same length whatever the scale of a gain, and shorter with time.
  const squares = FITTED.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const gains = gainsOf(logs);
    const bySite = questions.map((question) => slopesAt(question, gains));
    const slopes = FITTED.map((_, at) => mean(bySite.map((one) => one[at]!)));
    const stride = STRIDE * (1 - step / STEPS);
    slopes.forEach((ofMeasure, at) => {
      const slope = ofMeasure - PRIOR * (logs[at]! - Math.log(START));
      squares[at] = 0.9 * squares[at]! + 0.1 * slope ** 2;
      logs[at]! += (stride * slope) / Math.sqrt(squares[at]! / (1 - 0.9 ** (step + 1)) + 1e-12);
    });
  }
  return gainsOf(logs);
}

const gainsOf = (logs: readonly number[]): Gains =>
  Object.fromEntries(FITTED.map(({ gain }, at) => [gain, Math.exp(logs[at]!)]));

/** How the smooth measure changes with the logarithm of each gain. */
function slopesAt(questions: readonly Question[], gains: Gains): number[] {
  const slopes = questions.map((question) => slopesOf(question, gains));
  return FITTED.map((_, at) => mean(slopes.map((one) => one[at]!)));
}

function slopesOf({ words, views, wanted, ideal }: Question, gains: Gains): number[] {
  const said = views.map((view, one) => view.map((found) => gains[FITTED[one]!.gain]! * found));
  const scores = words.map((closeness, at) =>
    FITTED.reduce(
      (score, { kind }, one) => score + (kind === 'power' ? said[one]![at]! : Math.log1p(said[one]![at]!)),
      closeness,
    ),
  );
  // How the score of a candidate changes with the logarithm of a gain.
  const change = (one: number, at: number) => {
    const effect = said[one]![at]!;
    return FITTED[one]!.kind === 'power' ? effect : effect / (1 + effect);
  };
  const slopes = FITTED.map(() => 0);
  for (const one of wanted) {
    let rank = 0.5;
    const pulls = scores.map((score) => {
      const before = 1 / (1 + Math.exp(SHARPNESS * (scores[one]! - score)));
      rank += before;
      return SHARPNESS * before * (1 - before);
    });
    const worth = -1 / ((1 + rank) * Math.log(2) * Math.log2(1 + rank) ** 2) / ideal;
    FITTED.forEach((_, at) => {
      const mine = change(at, one);
      pulls.forEach((pull, other) => {
        if (pull > 1e-6) slopes[at]! += worth * pull * (change(at, other) - mine);
      });
    });
  }
  return slopes;
}

function questionsOf({ posts, related }: ArticleSet): Question[] {
  const index = indexOf(posts);
  const workspace = new Workspace();
  const request = {
    filters: {},
    excluded: new Set<string>(),
    sort: 'score',
    page: 1,
    limit: 10,
    respectEmpty: true,
  } as const;
  return [...related].map(([url, wanted]) => {
    const query = createQuery(index, { ...request, url }, Number.POSITIVE_INFINITY, workspace);
    const allowed = createFilter(index.catalogue, {}, { never: query.never, now: Number.POSITIVE_INFINITY });
    const found = keepAllowed(candidates(query), allowed);
    const closest = topK(found, LOOKED_AT, (a, b) => a < b);
    const numbers = closest.map((at) => found.numbers[at]!);
    const { urls } = index.catalogue;
    let ideal = 0;
    for (let rank = 1; rank <= Math.min(10, wanted.size); rank++) ideal += 1 / Math.log2(1 + rank);
    return {
      words: closest.map((at) => Math.log(found.scores[at]!)),
      views: viewsOf(query, numbers),
      wanted: numbers.flatMap((number, at) => (wanted.has(urls[number]!) ? [at] : [])),
      ideal,
    };
  });
}

/** What each factor finds: its effect when of all gains this one alone is 1 and the others are 0. */
function viewsOf(query: Query, numbers: readonly number[]): Question['views'] {
  const none = Object.fromEntries(FITTED.map(({ gain }) => [gain, 0]));
  return FITTED.map(({ gain, kind, factor }) => {
    const effect = effectOf(factor, { ...query, gains: { ...none, [gain]: 1 } })!;
    return numbers.map((number) => (kind === 'power' ? Math.log(effect.of(number)) : effect.of(number) - 1));
  });
}
