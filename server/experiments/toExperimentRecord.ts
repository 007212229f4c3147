// An experiment and its result as the interface and the command line answer them.
import type { ExperimentDefinition, ExperimentRecord, ExperimentResult } from '../contract/experiments.ts';
import { type AnalysisPlan, analyse, type Comparison, type VariantCounts } from './analyse.ts';
import type { Experiment } from './experiment.ts';
import { verdictOf } from './verdict.ts';

export const toExperimentRecord = ({
  name,
  slot,
  goal,
  readers,
  state,
  startedAt,
  stoppedAt,
  endedBy,
  variants,
}: Experiment): ExperimentRecord => ({
  name,
  slot,
  goal,
  readers,
  state,
  started: new Date(startedAt).toISOString(),
  stopped: stoppedAt === undefined ? null : new Date(stoppedAt).toISOString(),
  ended_by: endedBy ?? null,
  variants: variants.map((variant) => ({ ...variant })),
});

/** The running experiments of a site, as an answer of a list carries them: without any, it has no word of them. */
export function toDefinitions(experiments: readonly Experiment[] = []): { experiments?: ExperimentDefinition[] } {
  const running = experiments.filter(({ state }) => state === 'running');
  if (running.length === 0) return {};
  return {
    experiments: running.map(({ name, slot, variants }) => ({
      name,
      slot,
      variants: variants.map((one) => ({ ...one })),
    })),
  };
}

/**
 * @param counts Of each variant of the plan, in its order.
 * @param at.now When they were counted; epoch milliseconds.
 */
export function toResult(
  plan: AnalysisPlan,
  counts: readonly VariantCounts[],
  { now, isStopped }: { now: number; isStopped: boolean },
): ExperimentResult {
  const readout = analyse(plan, counts);
  const { is, variant, lines } = verdictOf(plan, readout, isStopped);
  return {
    counted: new Date(now).toISOString(),
    readers: readout.readers,
    verdict: is,
    about: variant ?? null,
    says: lines,
    sample_ratio: { wrong: readout.sampleRatio.isWrong, p_value: readout.sampleRatio.pValue },
    variants: readout.variants.map(({ name, readers, rates, comparisons = [] }) => ({
      name,
      readers,
      rates: { ...rates },
      comparisons: comparisons.map(toComparisonRecord),
    })),
  };
}

const toComparisonRecord = ({ metric, difference, pValue, decided }: Comparison) => ({
  metric,
  difference: difference?.by ?? null,
  low: difference?.low ?? null,
  high: difference?.high ?? null,
  p_value: pValue,
  decided: decided ?? null,
});
