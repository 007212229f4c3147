// What is known of an experiment, as `afterword experiment show` prints it: the verdict, then the figures.
import {
  type ComparisonRecord,
  type Ending,
  type ExperimentRecord,
  type ExperimentResult,
  isCompared,
  type Rates,
  toSigned,
} from '../contract/experiments.ts';
import { inDigits } from '../counted.ts';
import { METRICS, type Metric } from '../experiments/metrics.ts';
import { table } from './table.ts';

export type ShownExperiment = ExperimentRecord & { result: ExperimentResult };

type Variant = ExperimentResult['variants'][number];

const ENDED: Record<Ending, string> = {
  command: 'by a command',
  decision: 'with its verdict',
  readers: 'at its planned readers',
  days: 'after as many days as reports are kept',
};

export function resultLines({ name, state, stopped, ended_by, result }: ShownExperiment): string[] {
  const ended = stopped === null ? '' : `, ended ${stopped.slice(0, 10)}${ended_by ? ` ${ENDED[ended_by]}` : ''}`;
  const { says, variants } = result;
  const rows = variants.flatMap((variant) => rowsOf(variant, variants[0]?.rates));
  const heading = ['VARIANT', 'READERS', 'METRIC', 'RATE', 'DIFFERENCE'];
  return [`Experiment ${name} is ${state}${ended}.`, ...says, '', ...table(heading, rows)];
}

/** A row for each metric: all of them in one are wider than a terminal. The first names the variant. */
const rowsOf = ({ name, readers, rates, comparisons }: Variant, control: Rates | undefined): string[][] =>
  METRICS.map((metric, index) => {
    const rate = rates[metric.name];
    const compared = comparisons.find((one) => one.metric === metric.name);
    const isShown = compared !== undefined && isCompared(metric.name, rates, control);
    return [
      ...(index === 0 ? [name, inDigits(readers)] : ['', '']),
      metric.label,
      rate === undefined ? 'not measured' : printed(metric, rate),
      isShown ? differenceOf(metric, compared) : '',
    ];
  });

/** By how much it is more, and the ends of the interval. */
function differenceOf(metric: Metric, { difference, low, high, decided }: ComparisonRecord): string {
  if (difference === null || low === null || high === null) return 'too little is known';
  const signed = (value: number) => toSigned(value, (size) => printed(metric, size));
  return `${signed(difference)}, ${signed(low)} to ${signed(high)}${decided === null ? '' : `: ${decided}`}`;
}

const printed = ({ percent }: Metric, value: number): string =>
  percent ? `${(value * 100).toFixed(2)}%` : value.toFixed(3);
