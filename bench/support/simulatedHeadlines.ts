// Headline tests as the server runs them: readers come evenly through days, shares and endings are judged every five
// minutes by what was counted in day-long steps back.
import { type Random, seeded } from '../../demo/world/random.ts';
import { DAY } from '../../server/durations.ts';
import { HALF_LIFE_MS, judgeAlternatives, LONGEST_TEST_MS } from '../../server/experiments/judgeAlternatives.ts';
import { type Arm, decayed } from '../../server/experiments/thompson.ts';
import type { Alternatives } from '../../server/posts/alternatives.ts';
import type { PostCard } from '../../server/posts/post.ts';

const LOOK_MS = 300_000;
/** A day longer than a test that nothing decides. */
const LOOKED_AT_MS = LONGEST_TEST_MS + DAY;
/** Looks of one step of counting. */
const LOOKS = HALF_LIFE_MS / LOOK_MS;

export interface HeadlineCase {
  /** Quality clicks of each title, by showings; the best one last. */
  rates: readonly number[];
  /** Showings a day; of the first day, where they fall. */
  perDay: number;
  /** Showings of each day by those of the day before. Default: 1. */
  falls?: number;
  /** Showings that are looked at; those after an ending are all of the winner. Default: those of eight days. */
  showings?: number;
}

/** What became of one test. */
export interface HeadlineOutcome {
  /** Share of the last tenth of the showings, and of all, that the best title had. */
  last: number;
  whole: number;
  /** Number of the title that won, from 0. Absent: the test ran on. */
  winner?: number;
  /** Showings until then. */
  endedAt?: number;
  /** It was decided before the longest time. */
  isSure: boolean;
}

/** What each title had. */
type Step = readonly { shown: number; successes: number }[];

const POST = { url: 'https://paper.example/a', title: 'Own', imageUrl: '', thumbUrl: '' } as PostCard;

export function simulateHeadlines({ rates, perDay, falls = 1, ...of }: HeadlineCase, seed: number): HeadlineOutcome {
  const random = seeded(`headlines ${rates} ${perDay}`, seed);
  const { showings = showingsAfter(LOOKED_AT_MS, { perDay, falls }) } = of;
  const others = rates.slice(1).map((_, at) => ({ title: `Title ${at + 2}` }));
  let test: Alternatives = { others, shares: rates.map(() => 1 / rates.length), startedAt: 0 };
  const sums: Step[] = [rates.map(() => ({ shown: 0, successes: 0 }))];
  let shown = 0;
  let ended: Pick<HeadlineOutcome, 'winner' | 'endedAt'> = {};
  let now = 0;
  while (of.showings === undefined ? now < LOOKED_AT_MS : shown < showings) {
    now += LOOK_MS;
    const due = Math.min(showings, showingsAfter(now, { perDay, falls })) - shown;
    const winner = test.end?.winner;
    const shares = winner === undefined ? test.shares : rates.map((_, at) => Number(at === winner - 1));
    sums.push(showTo(sums.at(-1)!, { shares, rates, random, due }));
    shown += due;
    if (test.end !== undefined) continue;
    const { alternatives } = judgeAlternatives(POST, test, { arms: armsOf(sums), whole: sums.at(-1)!, now }) ?? {};
    if (alternatives === undefined || !('startedAt' in alternatives)) continue;
    test = alternatives;
    if (test.end?.winner !== undefined) ended = { winner: test.end.winner - 1, endedAt: shown };
  }
  const ofBest = (step: Step | undefined) => step?.at(-1)?.shown ?? 0;
  const total = (step: Step) => step.reduce((sum, one) => sum + one.shown, 0);
  const late = sums.findLast((step) => total(step) <= showings * 0.9)!;
  return {
    last: (ofBest(sums.at(-1)) - ofBest(late)) / (showings - total(late)),
    whole: ofBest(sums.at(-1)) / showings,
    ...ended,
    isSure: ended.endedAt !== undefined && (test.end?.at ?? 0) < LONGEST_TEST_MS,
  };
}

function showingsAfter(time: number, { perDay, falls }: { perDay: number; falls: number }): number {
  const days = time / DAY;
  return Math.round(perDay * (falls === 1 ? days : (1 - falls ** days) / (1 - falls)));
}

/** What each title had after some more showings. */
function showTo(
  before: Step,
  { shares, rates, random, due }: { shares: readonly number[]; rates: readonly number[]; random: Random; due: number },
): Step {
  const step = before.map((one) => ({ ...one }));
  for (let showing = 0; showing < due; showing++) {
    let place = random();
    const found = shares.findIndex((share) => {
      place -= share;
      return place < 0;
    });
    // Shares may add up to a little less than 1.
    const at = found < 0 ? step.length - 1 : found;
    step[at]!.shown += 1;
    if (random() < rates[at]!) step[at]!.successes += 1;
  }
  return step;
}

/**
 * As the server counts: whole days back from now, each counting half of the one after.
 * @param sums Of all showings up to each look, the first before any.
 */
function armsOf(sums: readonly Step[]): Arm[] {
  const until = (look: number): Step => sums[Math.max(0, look)] ?? [];
  const arms: Arm[] = until(0).map(() => ({ shown: 0, successes: 0 }));
  for (let days = 0; sums.length - 1 > days * LOOKS; days++) {
    const end = sums.length - 1 - days * LOOKS;
    for (const [at, arm] of arms.entries()) {
      const [last, first] = [until(end)[at]!, until(end - LOOKS)[at]!];
      const day = { shown: last.shown - first.shown, successes: last.successes - first.successes };
      const counted = decayed(day, days * HALF_LIFE_MS, HALF_LIFE_MS);
      arm.shown += counted.shown;
      arm.successes += counted.successes;
    }
  }
  return arms;
}
