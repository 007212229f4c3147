// Readers of a simulated experiment: some see several lists, some click more than others, and clicks make further views.
import { type Random, seeded } from '../../demo/world/random.ts';
import { GUARDRAILS, RATES } from '../../server/contract/experiments.ts';
import {
  type AnalysisPlan,
  analyse,
  type Readout,
  type Tests,
  type VariantCounts,
} from '../../server/experiments/analyse.ts';
import type { MetricName } from '../../server/experiments/metrics.ts';
import { addReader, differenceError, NOTHING, rateOf } from '../../server/experiments/ratio.ts';
import { logNormalMixture } from '../../server/experiments/sequentialTest.ts';

/** How readers of a variant behave. */
export interface Behaviour {
  /** Share of lists that are clicked. */
  clicks: number;
  /** Share of clicks that are quality clicks. */
  quality: number;
  /** Chance of a further view after each view that has no list clicked. */
  further: number;
}

export const USUAL: Behaviour = { clicks: 0.03, quality: 0.6, further: 0.4 };

/** Chance to see one more list. */
const MORE_LISTS = 0.3;

function addOne(counts: VariantCounts, { clicks: rate, quality, further }: Behaviour, random: Random): void {
  // Half of the readers click three times as often as the other half.
  const own = rate * (random() < 0.5 ? 0.5 : 1.5);
  let [lists, clicks, qualityClicks, views] = [0, 0, 0, 1];
  do {
    lists++;
    if (random() >= own) continue;
    clicks++;
    if (random() < quality) qualityClicks++;
  } while (random() < MORE_LISTS);
  while (random() < further) views++;
  views += clicks;
  counts.readers++;
  addReader(counts.sums.clicks, clicks, lists);
  addReader(counts.sums.quality_clicks, qualityClicks, lists);
  addReader(counts.sums.views, views, 1);
  addReader(counts.sums.bounces, views === 1 ? 1 : 0, 1);
}

const nothing = (): VariantCounts => ({
  readers: 0,
  sums: Object.fromEntries(RATES.map((name) => [name, { ...NOTHING }])) as unknown as VariantCounts['sums'],
});

export interface Simulated {
  plan: AnalysisPlan;
  /** Of each variant, in the order of the plan. */
  behaviours: readonly Behaviour[];
  /** Readers between two looks. */
  every: number;
}

/** What one experiment came to. */
export interface Outcome {
  /** Readers at the first decision of ours. Absent: none. */
  decidedAt?: number;
  /** Whether others decided: at the end only; falsely at each look; by the mixture alone, tuned for the end. */
  fixed: boolean;
  fixedAtEachLook: boolean;
  mixtureAlone: boolean;
  sampleRatioAlarm: boolean;
  guardrailAlarm: boolean;
}

/** Critical value of a fixed-size test at 5 %. */
const CRITICAL = 1.959964;
/** ρ of a mixture that finds most at the end, for 5 %. */
const LATE_SCALE = 1 / 7.94;

/** Runs one experiment to its end, and looks at it now and then. */
export function simulate({ plan, behaviours, every }: Simulated, seed: string | number, tests: Tests): Outcome {
  const random = seeded('experiment', seed);
  const counts = plan.variants.map(nothing);
  const outcome: Outcome = {
    fixed: false,
    fixedAtEachLook: false,
    mixtureAlone: false,
    sampleRatioAlarm: false,
    guardrailAlarm: false,
  };
  for (let readers = 1; readers <= plan.readers; readers++) {
    const at = variantAt(plan, random());
    addOne(counts[at]!, behaviours[at]!, random);
    if (readers % every === 0) look(outcome, { readout: analyse(plan, counts, tests), counts, plan });
  }
  return outcome;
}

function variantAt({ variants }: AnalysisPlan, place: number): number {
  const whole = variants.reduce((sum, { share }) => sum + share, 0);
  let upTo = 0;
  return variants.findIndex(({ share }) => {
    upTo += share;
    return place * whole < upTo;
  });
}

function look(
  outcome: Outcome,
  { readout, counts, plan }: { readout: Readout; counts: readonly VariantCounts[]; plan: AnalysisPlan },
): void {
  const all = readout.variants.flatMap(({ comparisons = [] }) => comparisons);
  const goals = all.filter(({ metric }) => metric === plan.goal);
  const fraction = readout.readers / plan.readers;
  if (goals.some(({ decided }) => decided !== undefined)) outcome.decidedAt ??= readout.readers;
  const zs = counts.slice(1).map((own) => zOf(plan.goal, own, counts[0]!));
  outcome.fixed = zs.some((z) => z >= CRITICAL);
  outcome.fixedAtEachLook ||= outcome.fixed;
  outcome.mixtureAlone ||= zs.some(
    (z) => logNormalMixture(z * Math.sqrt(fraction), fraction, LATE_SCALE) >= Math.log(20),
  );
  outcome.sampleRatioAlarm ||= readout.sampleRatio.isWrong;
  const guardrails = all.filter(({ metric }) => GUARDRAILS[plan.goal].includes(metric));
  outcome.guardrailAlarm ||= guardrails.some(({ decided }) => decided === 'worse');
}

/** Standard errors between two variants, as a fixed-size test counts them. */
function zOf(metric: MetricName, ...variants: readonly [VariantCounts, VariantCounts]): number {
  const [own, control] = variants.map(({ readers, sums }) => ({ readers, sums: sums[metric] }));
  const error = differenceError(own!, control!);
  return error > 0 && Number.isFinite(error) ? Math.abs(rateOf(own!.sums) - rateOf(control!.sums)) / error : 0;
}
