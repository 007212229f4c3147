// What the counts of an experiment say: each variant's rates, their differences to the control, and whether readers
// came in the intended shares. Valid at any look.
import { type Goal, GUARDRAILS, isMeasured, type Rates } from '../contract/experiments.ts';
import { METRICS, type Metric, type MetricName } from './metrics.ts';
import { differenceError, type RatioSums, rateOf } from './ratio.ts';
import { SAMPLE_RATIO_ALPHA, sampleRatioEvidence } from './sampleRatio.ts';
import { ALPHA, type SequentialTest, sequentialTest } from './sequentialTest.ts';

/** Of the first planned readers of the experiment, by the time each was first shown the list. */
export interface VariantCounts {
  /** Readers whose window the slot came into, in a variant without a list as well. */
  readers: number;
  sums: Readonly<Record<MetricName, RatioSums>>;
}

export interface AnalysisPlan {
  goal: Goal;
  /** Readers after which the experiment ends. */
  readers: number;
  /** The control first. */
  variants: readonly { name: string; share: number }[];
}

export interface Comparison {
  metric: MetricName;
  value: number;
  control: number;
  /**
   * `value` less `control`, and the interval it lies in, also where one looks each day. Absent: too little is known.
   */
  difference?: { by: number; low: number; high: number };
  /** Where there is no difference, evidence ever seems this large in at most so many of hundred experiments. 0 to 1. */
  pValue: number;
  /** Absent: undecided. */
  decided?: 'better' | 'worse';
}

export interface VariantReadout {
  name: string;
  readers: number;
  rates: Readonly<Rates>;
  /** To the control, of each metric. Absent: it is the control. */
  comparisons?: readonly Comparison[];
}

export interface Readout {
  readers: number;
  variants: readonly VariantReadout[];
  /** Whether variants get other shares of the readers than they should, and how surely. */
  sampleRatio: { isWrong: boolean; pValue: number };
}

/** Share of false alarms that all guardrails of all variants may raise together. */
const GUARDRAIL_ALPHA = 0.01;

/** Fewer readers of a variant say nothing: means of fewer are not normal yet. */
const FEWEST_READERS = 100;
/** Nor do fewer readers with a click, or whatever is counted, in the smaller of two variants if they are equal. */
const FEWEST_COUNTED = 20;

/** The tests of an experiment. Those of several looks may be shared. */
export interface Tests {
  goal: SequentialTest;
  guardrail: SequentialTest;
}

type Compared = Pick<AnalysisPlan, 'variants' | 'goal'>;

/** How many comparisons share what may be decided falsely: by Bonferroni. */
export function comparisonsOf({ variants, goal }: Compared): Record<keyof Tests, number> {
  const others = variants.length - 1;
  return { goal: others, guardrail: others * GUARDRAILS[goal].length };
}

export function testsOf(compared: Compared): Tests {
  const { goal, guardrail } = comparisonsOf(compared);
  return { goal: sequentialTest(ALPHA / goal), guardrail: sequentialTest(GUARDRAIL_ALPHA / guardrail) };
}

/** @param counts Of each variant of the plan, in its order. */
export function analyse(plan: AnalysisPlan, counts: readonly VariantCounts[], tests: Tests = testsOf(plan)): Readout {
  const [control] = counts;
  const readers = counts.reduce((sum, variant) => sum + variant.readers, 0);
  const shares = plan.variants.map(({ share }) => share);
  const ratio = sampleRatioEvidence(
    counts.map((variant) => variant.readers),
    shares,
  );
  const fraction = readers / plan.readers;
  return {
    readers,
    sampleRatio: { isWrong: ratio >= 1 / SAMPLE_RATIO_ALPHA, pValue: Math.min(1, 1 / ratio) },
    variants: plan.variants.map(({ name }, at) => {
      const own = counts[at];
      if (own === undefined || control === undefined) throw new Error(`No counts of the variant ${name}.`);
      const described = { name, readers: own.readers, rates: ratesOf(own) };
      if (own === control) return described;
      const comparisons = METRICS.map((metric) => {
        const isGoal = metric.name === plan.goal;
        const test = isGoal ? tests.goal : tests.guardrail;
        return compare(metric, { own, control }, { test, fraction });
      });
      return { ...described, comparisons };
    }),
  };
}

const ratesOf = ({ sums }: VariantCounts): Rates => {
  const known = METRICS.filter(({ name }) => !isMeasured(name) || sums[name].y > 0);
  return Object.fromEntries(known.map(({ name }) => [name, rateOf(sums[name])])) as Record<MetricName, number>;
};

function compare(
  { name: metric, better, margin = 0 }: Metric,
  { own, control }: { own: VariantCounts; control: VariantCounts },
  { test, fraction }: { test: SequentialTest; fraction: number },
): Comparison {
  const [mine, its] = [own, control].map(({ readers, sums }) => ({ readers, sums: sums[metric] }));
  if (mine === undefined || its === undefined) throw new Error('Two variants are compared.');
  const rates = { metric, value: rateOf(mine.sums), control: rateOf(its.sums) };
  const error = differenceError(mine, its);
  const smaller = Math.min(mine.sums.y, its.sums.y) / (mine.sums.y + its.sums.y);
  const counted = readersCounted(mine.sums, its.sums) * smaller;
  const isKnown = Math.min(own.readers, control.readers) >= FEWEST_READERS && counted >= FEWEST_COUNTED;
  if (!isKnown || !Number.isFinite(error) || error === 0) return { ...rates, pValue: 1 };
  const by = rates.value - rates.control;
  const reach = test.criticalZ(fraction) * error;
  const pValue = Math.min(1, 1 / test.evidence(by / error, fraction));
  const difference = { by, low: by - reach, high: by + reach };
  const [gain, loss] = better === 'higher' ? [difference.low, difference.high] : [-difference.high, -difference.low];
  if (gain > 0) return { ...rates, difference, pValue, decided: 'better' };
  return { ...rates, difference, pValue, ...(loss < -margin && { decided: 'worse' }) };
}

/**
 * Effective sample size (L. Kish, Survey Sampling, 1965, 11.7): how many readers, each counted alike, would have these
 * sums. A hundred readers whose page moved by 0.02 are a hundred.
 */
function readersCounted(...of: readonly RatioSums[]): number {
  const x = of.reduce((sum, sums) => sum + sums.x, 0);
  const xx = of.reduce((sum, sums) => sum + sums.xx, 0);
  return xx > 0 ? (x * x) / xx : 0;
}
