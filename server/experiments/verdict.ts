// The result of an experiment in words: who leads, by how much, how sure that is, what to do.
import { GUARDRAILS, type VerdictName } from '../contract/experiments.ts';
import { inDigits } from '../counted.ts';
import { type AnalysisPlan, type Comparison, comparisonsOf, type Readout, type VariantReadout } from './analyse.ts';
import { METRICS, type Metric, type MetricName } from './metrics.ts';

export interface Verdict {
  is: VerdictName;
  /** The variant it is about. Absent: about none. */
  variant?: string;
  /** Sentences: what was found, how sure it is, what to do. */
  lines: string[];
}

/** @param isStopped The experiment has ended: nothing is to be stopped, nothing to be waited for. Default: it runs. */
export function verdictOf(plan: AnalysisPlan, readout: Readout, isStopped = false): Verdict {
  return broken(plan, readout) ?? harm(readout, { plan, isStopped }) ?? decision(readout, { plan, isStopped });
}

interface Context {
  plan: AnalysisPlan;
  isStopped: boolean;
}

function broken({ variants }: AnalysisPlan, readout: Readout): Verdict | undefined {
  if (!readout.sampleRatio.isWrong) return undefined;
  const came = readout.variants.map(({ readers }) => inDigits(readers)).join(' : ');
  const wanted = variants.map(({ share }) => share).join(' : ');
  return {
    is: 'broken',
    lines: [
      `Do not use these figures: readers came as ${came} where ${wanted} is intended.`,
      `Right assignment looks like this in at most ${oddsOf(readout.sampleRatio.pValue)}.`,
      'Something loses readers of a variant. Look at the pages in each variant for errors, mend them, and start a new experiment.',
    ],
  };
}

function harm(readout: Readout, { plan, isStopped }: Context): Verdict | undefined {
  // Readers get the one that wins then, and not this one.
  if (winnerOf(readout, plan) !== undefined) return undefined;
  for (const variant of readout.variants) {
    const { name } = variant;
    const worse = worseOf(variant, plan);
    // One that is worse by the goal is out already.
    if (worse === undefined || goalOf(variant, plan)?.decided === 'worse') continue;
    const { harm: harmOf = 'does harm', advice } = metricOf(worse.metric);
    return {
      is: 'harm',
      variant: name,
      lines: [
        `${name} ${harmOf}: ${sentenceOf(worse, controlOf(plan))}`,
        surely(worse, plan),
        isStopped ? `Keep ${controlOf(plan)}.` : `Stop the experiment, and keep ${controlOf(plan)}.`,
        ...(advice === undefined ? [] : [advice]),
      ],
    };
  }
  return undefined;
}

function decision(readout: Readout, { plan, isStopped }: Context): Verdict {
  const control = controlOf(plan);
  const found = readout.variants.flatMap((variant) => {
    const goal = goalOf(variant, plan);
    return goal === undefined ? [] : [{ variant, goal }];
  });
  const ahead = [...found].sort((one, other) => other.goal.value - one.goal.value)[0];
  if (ahead === undefined) throw new Error('An experiment has a control and at least one other variant.');
  const winner = winnerOf(readout, plan);
  if (winner !== undefined)
    return {
      is: 'wins',
      variant: winner.variant.name,
      lines: [
        `${winner.variant.name} wins: ${sentenceOf(winner.goal, control)}`,
        surely(winner.goal, plan),
        `Give ${winner.variant.name} to all readers${isStopped ? '' : ', then stop the experiment'}.`,
      ],
    };
  const isWorse = found.every(({ goal }) => goal.decided === 'worse');
  const first = `${leadOf(ahead.goal, { variant: ahead.variant.name, control })}: ${sentenceOf(ahead.goal, control)}`;
  const seen = `${inDigits(readout.readers)} of ${inDigits(plan.readers)} planned readers came`;
  if (isWorse || readout.readers >= plan.readers)
    return {
      is: 'none',
      lines: [
        first,
        `No variant is ${isWorse ? '' : 'surely '}better than ${control}: ${seen}.`,
        `Keep ${control}${isStopped ? '' : ', and stop the experiment'}.`,
      ],
    };
  if (isStopped)
    return {
      is: 'wait',
      lines: [first, `It ended before this was decided: ${seen}.`, `Keep ${control}, or start a new experiment.`],
    };
  return { is: 'wait', lines: [first, `This is not decided: ${seen}.`, 'Let it run.'] };
}

/** The best variant of those that the goal has decided for, and no guardrail against. */
function winnerOf(
  { variants }: Readout,
  plan: AnalysisPlan,
): { variant: VariantReadout; goal: Comparison } | undefined {
  const better = variants.flatMap((variant) => {
    const goal = goalOf(variant, plan);
    return goal?.decided === 'better' && worseOf(variant, plan) === undefined ? [{ variant, goal }] : [];
  });
  return better.sort((one, other) => other.goal.value - one.goal.value)[0];
}

/** What a guardrail has decided against a variant. */
const worseOf = ({ comparisons = [] }: VariantReadout, { goal }: AnalysisPlan): Comparison | undefined =>
  comparisons.find(({ metric, decided }) => GUARDRAILS[goal].includes(metric) && decided === 'worse');

/** The variant that is ahead of the others, beside the control. */
function leadOf({ difference }: Comparison, { variant, control }: { variant: string; control: string }): string {
  if (difference === undefined) return variant;
  if (difference.by === 0) return `${variant} is level with ${control}`;
  return difference.by > 0 ? `${variant} leads` : `${control} leads. ${variant}`;
}

const controlOf = ({ variants: [control] }: AnalysisPlan): string => control?.name ?? '';

const goalOf = ({ comparisons = [] }: VariantReadout, { goal }: AnalysisPlan): Comparison | undefined =>
  comparisons.find(({ metric }) => metric === goal);

function sentenceOf({ metric, value, control, difference }: Comparison, controlName: string): string {
  const { label, print } = printerOf(metric);
  const rates = `${label} ${print(value)} against ${print(control)} of ${controlName}`;
  if (difference === undefined) return `${rates}; too few readers to say more.`;
  const points = (by: number) => print(by).replace('%', '');
  const by = `${points(Math.abs(difference.by))}${print(0).endsWith('%') ? ' points' : ''}`;
  const way = difference.by < 0 ? 'less' : 'more';
  return `${rates}, ${by} ${way} (${points(difference.low)} to ${points(difference.high)}, whenever one looks).`;
}

/** Of experiments, not of comparisons: of many comparisons without a difference, any one may look like this. */
function surely({ metric, pValue }: Comparison, plan: AnalysisPlan): string {
  const compared = comparisonsOf(plan)[metric === plan.goal ? 'goal' : 'guardrail'];
  return `Without a difference, at most ${oddsOf(pValue * compared)} would ever look like this.`;
}

const oddsOf = (pValue: number): string =>
  pValue < 1e-6 ? '1 of 1,000,000 experiments' : `1 of ${inDigits(Math.floor(1 / pValue))} experiments`;

const metricOf = (metric: MetricName): Metric => METRICS.find(({ name }) => name === metric) ?? METRICS[0];

/** Rates with three digits that say something. */
function printerOf(metric: MetricName): { label: string; print(value: number): string } {
  const { label, percent } = metricOf(metric);
  return { label, print: (value) => (percent ? `${(value * 100).toFixed(2)}%` : value.toFixed(3)) };
}
