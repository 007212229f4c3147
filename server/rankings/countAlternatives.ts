// What readers did with each alternative title or picture of a post, counted from the ledger.
import type { HeadlineMetrics, HeadlineRecord } from '../contract/alternatives.ts';
import { LEDGER_LIMITS } from '../contract/ledger.ts';
import { DAY } from '../durations.ts';
import { type ArmCounts, GIVEN_UP_MS, HALF_LIFE_MS, LONGEST_TEST_MS } from '../experiments/judgeAlternatives.ts';
import { type Arm, decayed, finalChances, thompsonShares } from '../experiments/thompson.ts';
import type { Alternatives } from '../posts/alternatives.ts';
import type { PostCard } from '../posts/post.ts';
import { toHeadlineRecord } from '../posts/toHeadlineRecord.ts';
import type { Site } from '../sites/site.ts';
import { daysOfReports } from '../sites/siteQuotas.ts';
import type { TrafficStore } from '../storage/store.ts';
import { threeDecimals } from '../threeDecimals.ts';
import { compileLists } from '../traffic/ledger/compileLists.ts';
import { readClickDays } from './settleDays.ts';

type Counted = Omit<HeadlineMetrics, 'probability'>;

/** By number. */
export interface AlternativeCounts extends ArmCounts {
  counts: Counted[];
}

/** @param of.now End of what is counted; epoch milliseconds. */
export async function countAlternatives(
  traffic: TrafficStore,
  { id, timezone }: Pick<Site, 'id' | 'timezone'>,
  { url, test, now }: { url: string; test: Alternatives; now: number },
): Promise<AlternativeCounts> {
  const arms: Arm[] = test.shares.map(() => ({ shown: 0, successes: 0 }));
  const counts: Counted[] = test.shares.map(() => ({ seen: 0, clicks: 0, quality_clicks: 0 }));
  const first = Math.max(test.startedAt, now - GIVEN_UP_MS);
  // Day by day as long as a click counts for something in the shares; what was before them in one step.
  const stepBack = (end: number) => (now - end < LONGEST_TEST_MS ? Math.max(first, end - HALF_LIFE_MS) : first);
  for (let end = now; end > first; end = stepBack(end)) {
    const start = stepBack(end);
    // Both ends count: the moment that two steps share belongs to the earlier one.
    const period = { start: start > first ? start + 1 : start, end };
    const scope = { site: id, zone: timezone, period, excluded: new Set<string>(), pages: { urls: [url] } };
    // All numbers that there may be: pages may still report those of an earlier test, which had more.
    const limit = LEDGER_LIMITS.alternative;
    const question = { scope, group: 'alternative', filters: { isCompared: true }, limit, offset: 0 } as const;
    const rows = await traffic.run(compileLists(question, await readClickDays(traffic, scope)));
    for (const { name, seen, clicks, quality_clicks } of rows) {
      const at = Number(String(name).split(' ')[1]) - 1;
      const [arm, count] = [arms[at], counts[at]];
      if (arm === undefined || count === undefined) continue;
      count.seen += Number(seen);
      count.clicks += Number(clicks);
      count.quality_clicks += Number(quality_clicks);
      const counted = decayed({ shown: Number(seen), successes: Number(quality_clicks) }, now - end, HALF_LIFE_MS);
      arm.shown += counted.shown;
      arm.successes += Math.min(counted.successes, counted.shown);
    }
  }
  const whole = counts.map(({ seen, quality_clicks }) => ({
    shown: seen,
    successes: Math.min(quality_clicks, seen),
  }));
  return { arms, whole, counts };
}

/**
 * The test of a post with what was counted; of one that ended, up to its end.
 * @returns undefined where nothing is or was compared.
 */
export async function describeHeadline(
  traffic: TrafficStore,
  site: Pick<Site, 'id' | 'timezone' | 'quotas'>,
  { post, now }: { post: PostCard; now: number },
): Promise<HeadlineRecord | undefined> {
  const [record, test] = [toHeadlineRecord(post), post.alternatives];
  // Reports of pages are removed after so long: sums of the rest would be too small.
  if (!record || !test || now - test.startedAt > daysOfReports(site.quotas) * DAY) return record;
  const end = test.end?.at;
  const { arms, whole, counts } = await countAlternatives(traffic, site, { url: post.url, test, now: end ?? now });
  const chances = (end === undefined ? undefined : finalChances(whole)) ?? thompsonShares(arms);
  const alternatives = record.alternatives.map((alternative, at) => {
    const { seen = 0, clicks = 0, quality_clicks = 0 } = counts[at] ?? {};
    return {
      ...alternative,
      metrics: { seen, clicks, quality_clicks, probability: threeDecimals(chances[at] ?? 0) },
    };
  });
  return { ...record, alternatives };
}
