// Fits the gains of the ranking to the links of one site: gradient ascent on nDCG@10 made smooth, so that no question
// decides by a hair. A post's rank is ½ plus how many others stand before it, each counted by a sigmoid of the difference
// of scores (Qin, Liu and Li, "A general approximation framework for direct optimization of information retrieval measures").
import type { ArticleSet } from '../../server/evaluation/articleSet.ts';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { mean } from '../../server/evaluation/measures.ts';
import { allows } from '../../server/recommend/allowed.ts';
import { best } from '../../server/recommend/best.ts';
import { candidates, keepAllowed } from '../../server/recommend/candidates.ts';
import type { PostIndex } from '../../server/recommend/postIndex.ts';
import { type Factors, factorsOf } from '../../server/recommend/rescore.ts';
import { type Asked, understand } from '../../server/recommend/understand.ts';
import { GAINS, type Gains } from '../../server/recommend/weights.ts';

/** Fitted; the days time is counted in say nearly the same as its power, and stay. */
const FITTED = ['titleFound', 'titleSpoken', 'tags', 'author', 'timePower'] as const;
type Fitted = (typeof FITTED)[number];

/** Every gain begins here: a point of view that knows nothing of any site. */
const START = 0.3;
/** How sharply scores tell posts apart: those that differ by a thirtieth are nearly tied. */
const SHARPNESS = 30;
const STEPS = 60;
/** Of the logarithm of a gain in one step, at first. */
const STRIDE = 0.1;

/** Posts closest in words that a question is fitted on: others are hardly ever among the first ten. */
const LOOKED_AT = 60;

/** A question: what is known of the posts closest in words. */
interface Question {
  /** Logarithm of the closeness in words, by candidate. */
  words: number[];
  /** What each point of view says, by candidate: a score is multiplied by 1 + gain × it, or by it to the power of time. */
  views: Record<Fitted, number[]>;
  /** Places of the posts wanted. */
  wanted: number[];
  /** The best sum of gains there could be. */
  ideal: number;
}

export function fitGains(site: ArticleSet): Gains {
  const questions = questionsOf(site);
  const logs = FITTED.map(() => Math.log(START));
  // Adam's rule without its first moment: strides of the same length whatever the scale of a gain, and shorter with time.
  const squares = FITTED.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const slopes = slopesAt(questions, gainsOf(logs));
    const stride = STRIDE * (1 - step / STEPS);
    slopes.forEach((slope, at) => {
      squares[at] = 0.9 * squares[at]! + 0.1 * slope ** 2;
      logs[at]! += (stride * slope) / Math.sqrt(squares[at]! / (1 - 0.9 ** (step + 1)) + 1e-12);
    });
  }
  return gainsOf(logs);
}

function gainsOf(logs: readonly number[]): Gains {
  const [titleFound, titleSpoken, tags, author, timePower] = logs.map(Math.exp) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { titleFound, titleSpoken, tags, author, timePower, timeDays: GAINS.timeDays };
}

/** How the smooth measure changes with the logarithm of each gain. */
function slopesAt(questions: readonly Question[], gains: Gains): number[] {
  const slopes = questions.map((question) => slopesOf(question, gains));
  return FITTED.map((_, at) => mean(slopes.map((one) => one[at]!)));
}

function slopesOf({ words, views, wanted, ideal }: Question, gains: Gains): number[] {
  const scores = words.map((closeness, at) => {
    let score = closeness + gains.timePower * views.timePower[at]!;
    for (const name of FITTED) if (name !== 'timePower') score += Math.log1p(gains[name] * views[name][at]!);
    return score;
  });
  // How the score of a candidate changes with the logarithm of a gain.
  const change = (name: Fitted, at: number) => {
    const said = gains[name] * views[name][at]!;
    return name === 'timePower' ? said : said / (1 + said);
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
    FITTED.forEach((name, at) => {
      const mine = change(name, one);
      pulls.forEach((pull, other) => {
        if (pull > 1e-6) slopes[at]! += worth * pull * (change(name, other) - mine);
      });
    });
  }
  return slopes;
}

function questionsOf({ posts, related }: ArticleSet): Question[] {
  const index = indexOf(posts);
  const request = {
    filters: {},
    excluded: new Set<string>(),
    sort: 'score',
    page: 1,
    limit: 10,
    respectEmpty: true,
  } as const;
  return [...related].map(([url, wanted]) => {
    const asked = understand(index, { ...request, url });
    const allowed = allows(index.catalogue, {}, { never: asked.never, now: Number.POSITIVE_INFINITY });
    const found = keepAllowed(candidates(index, asked), allowed);
    const closest = best(found, LOOKED_AT, (a, b) => a < b);
    const numbers = closest.map((at) => found.numbers[at]!);
    const { urls } = index.catalogue;
    let ideal = 0;
    for (let rank = 1; rank <= Math.min(10, wanted.size); rank++) ideal += 1 / Math.log2(1 + rank);
    return {
      words: closest.map((at) => Math.log(found.scores[at]!)),
      views: viewsOf(index, asked, numbers),
      wanted: numbers.flatMap((number, at) => (wanted.has(urls[number]!) ? [at] : [])),
      ideal,
    };
  });
}

/** What each point of view says when it alone counts, and fully. */
function viewsOf(index: PostIndex, asked: Asked, numbers: readonly number[]): Question['views'] {
  const alone = (name: Fitted, factor: keyof Factors) => {
    index.gains = {
      titleFound: 0,
      titleSpoken: 0,
      tags: 0,
      author: 0,
      timePower: 0,
      timeDays: GAINS.timeDays,
      [name]: 1,
    };
    const said = factorsOf(index, asked)[factor]!;
    return numbers.map((number) => (name === 'timePower' ? Math.log(said.of(number)) : said.of(number) - 1));
  };
  return {
    titleFound: alone('titleFound', 'title'),
    titleSpoken: alone('titleSpoken', 'title'),
    tags: alone('tags', 'tags'),
    author: alone('author', 'author'),
    timePower: alone('timePower', 'time'),
  };
}
