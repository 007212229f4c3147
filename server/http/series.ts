// Metrics by interval: the parameters of a series, and its records. The endpoint and the command ask here.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { MAX_INTERVALS } from '../contract/limits.ts';
import type { IntervalMetrics, IntervalRecord, SeriesTotals } from '../contract/wire.ts';
import { inDigits } from '../counted.ts';
import { countedFrom, daysCounted } from '../rankings/countedFrom.ts';
import { knownMetrics } from '../rankings/knownMetrics.ts';
import { countListSeries } from '../rankings/listSeries.ts';
import { countSeriesAndWhole } from '../rankings/series.ts';
import { withKeys } from '../rankings/withKeys.ts';
import {
  cutIntervals,
  INTERVALS,
  intervalsFitting,
  isPartial,
  previousOf,
  type Series,
  toLocalIso,
} from '../traffic/intervals.ts';
import {
  type FiguresQuestion,
  isOfItems,
  LIST_SERIES_METRICS,
  type ListSeriesMetric,
} from '../traffic/ledger/question.ts';
import type { Metric } from '../traffic/metrics.ts';
import type { PostFilters, Scope } from '../traffic/scope.ts';
import type { Ask } from './endpoint.ts';
import { BadParameters } from './errors.ts';
import { listFilterParams, listFiltersOf, postsInListsOf } from './listQuestion.ts';
import { clockOf } from './lists.ts';
import { flag, oneOf } from './params.ts';
import { analyticsPeriodParams } from './period.ts';
import { postTrafficOf, postTrafficParams, TRAFFIC_RULE } from './postTraffic.ts';
import { metricsOfSeries } from './sort.ts';

export const seriesParams = z.object({
  ...analyticsPeriodParams(TRAFFIC_RULE),
  interval: oneOf(
    INTERVALS,
    `Length of the intervals, of the site’s time zone; weeks begin on Monday. At most ${MAX_INTERVALS} of them. Default: day.`,
  ).default('day'),
  metrics: metricsOfSeries,
  compare: oneOf(
    ['previous'],
    'Adds, to each interval, the one of the period of equal length before, moved back to whole intervals; by hours and minutes of a day that is not over, to whole days. What begins before the first view of the site was counted is partial.',
  ).optional(),
  totals: flag(
    'Adds the metrics of the whole period, with distinct visitors counted once, and of the one it is compared with.',
  ).optional(),
  ...listFilterParams,
  ...postTrafficParams,
});

type SeriesDeps = Pick<Deps, 'store' | 'exclusions' | 'library'>;

type SeriesAsk = Pick<Ask<z.output<typeof seriesParams>>, 'params' | 'site' | 'now'>;

interface SeriesAnswer {
  /** Every interval of the period, in order; zero where nothing was counted. */
  records: IntervalRecord[];
  /**
   * Where they are asked for: intervals have each distinct visitor once in each of them, and rates of intervals do not
   * add up.
   */
  totals?: SeriesTotals;
}

/** @throws {BadParameters} for a period that has no such intervals, or too many of them. */
export async function readSeries(deps: SeriesDeps, ask: SeriesAsk): Promise<SeriesAnswer> {
  const { interval, compare, totals: withTotals = false } = ask.params;
  const metrics = metricsOr(ask.params.metrics);
  const listMetrics = metrics.filter(isOfLists);
  const postMetrics = metrics.filter((one): one is Metric => !isOfLists(one));
  const zone = ask.site.timezone;
  const requested = await postTrafficOf(deps, ask);
  const requestedLists = ofLists(requested, { ...ask, urls: requested.posts?.urls });
  const fitting = intervalsFitting(requested.period, MAX_INTERVALS);
  if (!fitting.includes(interval))
    throw new BadParameters({
      interval: [
        `Give ${list(fitting)}, or a shorter period: an answer has at most ${inDigits(MAX_INTERVALS)} intervals.`,
      ],
    });

  const { traffic } = deps.store;
  // Once for the period and the one it is compared with.
  const [scope, scopeOfLists] = await Promise.all([
    postMetrics.length === 0 ? requested : withKeys(traffic, requested),
    listMetrics.length === 0 ? requestedLists.scope : withKeys(traffic, requestedLists.scope),
  ]);
  const lists = { ...requestedLists, scope: scopeOfLists };
  /** @param known Metrics of posts that are known of the period. */
  const count = async (series: Series, known: readonly Metric[]): Promise<Counted> => {
    const [ofPosts, inLists, inListsWhole] = await Promise.all([
      countSeriesAndWhole(traffic, { scope, interval, series, metrics: known, whole: withTotals }),
      countListSeries(traffic, { ...lists, interval, series, metrics: listMetrics }),
      withTotals
        ? countListSeries(traffic, { ...lists, interval: 'period', series: asOne(series), metrics: listMetrics })
        : [],
    ]);
    const intervals = series.intervals.map((each, place) => {
      const counted: Record<string, number> = { ...ofPosts.intervals[place], ...inLists[place] };
      return {
        start: toLocalIso(each.start, zone),
        partial: isPartial(each, series.period, ask.now),
        metrics: Object.fromEntries(
          metrics.filter((name) => isOfLists(name) || known.includes(name)).map((name) => [name, counted[name]!]),
        ),
      };
    });
    return { intervals, whole: { ...ofPosts.whole, ...inListsWhole[0] } };
  };
  const calendar = { interval, zone };
  const series = cutIntervals(scope.period, calendar);
  const countBefore = async (earlier: Series): Promise<Before> => {
    const asked = { site: scope.site, zone, period: earlier.period };
    const [known, from] = await Promise.all([knownMetrics(traffic, asked, postMetrics), countedFrom(traffic, asked)]);
    const { intervals, whole } = await count(earlier, known);
    return {
      intervals: intervals.map((each, place) => ({
        ...each,
        partial: each.partial || earlier.intervals[place]!.start < from,
      })),
      whole,
      partial: earlier.intervals.length > 0 && earlier.period.start < from,
      daysBefore: earlier.intervals.length > 0 ? daysCounted(from, asked) : 0,
    };
  };
  const [now, before] = await Promise.all([
    count(series, postMetrics),
    compare === undefined ? undefined : countBefore(previousOf(series, calendar)),
  ]);
  const records = now.intervals.map((record, place) => ({
    ...record,
    ...(before && { previous: before.intervals[place]! }),
  }));
  if (!withTotals) return { records };
  const previous = before && { metrics: before.whole, partial: before.partial, days_before: before.daysBefore };
  return { records, totals: { metrics: now.whole, ...(previous && { previous }) } };
}

/** Metrics of a period, by interval and as a whole. */
interface Counted {
  intervals: IntervalMetrics[];
  whole: Record<string, number>;
}

interface Before extends Counted {
  /** It begins before the first view of the site was counted. */
  partial: boolean;
  /** Days of traffic before it. */
  daysBefore: number;
}

/** A period as one interval of a series; none where it is empty. */
const asOne = ({ period }: Series): Series => ({ period, intervals: period.start > period.end ? [] : [period] });

type SeriesMetric = Metric | ListSeriesMetric;

/** Views, where no metric is asked for. */
export const metricsOr = (metrics: readonly SeriesMetric[]): readonly SeriesMetric[] =>
  metrics.length > 0 ? metrics : ['views'];

const isOfLists = (metric: SeriesMetric): metric is ListSeriesMetric =>
  LIST_SERIES_METRICS.some((known) => known === metric);

/**
 * Which lists the metrics of lists are of. The filters of posts are about the posts in them.
 * @throws {BadParameters} where lists are to be counted by what only items have.
 */
function ofLists(
  { posts: _, ...scope }: Scope,
  ask: SeriesAsk & Pick<PostFilters, 'urls'>,
): Omit<FiguresQuestion, 'group'> {
  const posts = postsInListsOf(ask.params, { ...clockOf(ask), urls: ask.urls });
  const question = { scope: { ...scope, ...(posts && { posts }) }, filters: listFiltersOf(ask.params) };
  if (ask.params.referrer !== undefined && ask.params.metrics.some(isOfLists))
    throw new BadParameters({
      referrer: ['Leave out referrer for metrics of lists: their reports do not say where a visit came from.'],
    });
  if (ask.params.metrics.includes('lists') && isOfItems({ ...question, group: 'list' }))
    throw new BadParameters({
      metrics: ['Leave out lists: with a filter of items or posts, items are counted, and a list has several.'],
    });
  return question;
}

const list = (words: readonly string[]) => words.join(', ').replace(/, (?=[^,]+$)/, ' or ');
