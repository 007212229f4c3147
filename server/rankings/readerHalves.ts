// An A/A test: the readers of a site's lists in two halves by a hash, which saw the same. Where it finds a difference,
// something is wrong with what is counted, and no experiment of the site is to be believed.
import type { Rate } from '../contract/experiments.ts';
import { DAY } from '../durations.ts';
import { type AnalysisPlan, analyse } from '../experiments/analyse.ts';
import { METRICS } from '../experiments/metrics.ts';
import { sequentialTest } from '../experiments/sequentialTest.ts';
import type { Site } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import { countReaders } from './experimentResults.ts';

export interface Halves {
  /** Of each half. */
  readers: readonly number[];
  /** Whether there are readers enough for any rate to be compared. */
  isKnown: boolean;
  /** Rates that differ. */
  differ: Rate[];
  /** The halves are not equally large. */
  isUneven: boolean;
}

/** Reports that are read. */
const DAYS = 7;
const MOST_READERS = 50_000;
/** Share of sites without a fault for which a rate is said to differ. */
const FALSE_ALARMS = 0.01;

export async function compareHalves(
  store: TrafficStore,
  { id: site, timezone: zone }: Pick<Site, 'id' | 'timezone'>,
  now: number,
): Promise<Halves> {
  const scope = { site, zone, period: { start: now - DAYS * DAY, end: now } };
  const counts = await countReaders(store, { scope, experiment: undefined, readers: MOST_READERS }, ['a', 'b']);
  const readers = counts.map((half) => half.readers);
  const plan: AnalysisPlan = {
    goal: 'clicks',
    // One look, at its end.
    readers: Math.max(
      1,
      readers.reduce((sum, some) => sum + some, 0),
    ),
    variants: [
      { name: 'a', share: 50 },
      { name: 'b', share: 50 },
    ],
  };
  const test = sequentialTest(FALSE_ALARMS / METRICS.length);
  const { variants, sampleRatio } = analyse(plan, counts, { goal: test, guardrail: test });
  const comparisons = variants.flatMap(({ comparisons = [] }) => comparisons);
  return {
    readers,
    isKnown: comparisons.some(({ difference }) => difference !== undefined),
    differ: comparisons.filter(({ decided }) => decided !== undefined).map(({ metric }) => metric),
    isUneven: sampleRatio.isWrong,
  };
}
