// Metrics by interval: the parameters of a series, and its records. The endpoint and the command ask here.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { MAX_INTERVALS } from '../contract/limits.ts';
import type { IntervalMetrics, IntervalRecord, SeriesTotals } from '../contract/wire.ts';
import { countListSeries } from '../rankings/listSeries.ts';
import { countSeries } from '../rankings/series.ts';
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
    'Adds, to each interval, the one of the period of equal length before, moved back to whole intervals.',
  ).optional(),
  totals: flag(
    'Adds the metrics of the whole period, with distinct visitors counted once, and of the one it is compared with.',
  ).optional(),
  ...listFilterParams,
  ...postTrafficParams,
});

type SeriesDeps = Pick<Deps, 'store' | 'exclusions' | 'library'>;

type SeriesAsk = Pick<Ask<z.output<typeof seriesParams>>, 'params' | 'site' | 'now'>;

/**
 * Every interval of the period, in order; zero where nothing was counted.
 * @throws {BadParameters} for a period that has no such intervals, or too many of them.
 */
export async function readSeries(deps: SeriesDeps, ask: SeriesAsk): Promise<IntervalRecord[]> {
  const { interval, compare } = ask.params;
  const metrics = metricsOr(ask.params.metrics);
  const zone = ask.site.timezone;
  const scope = await postTrafficOf(deps, ask);
  const lists = ofLists(scope, { ...ask, urls: scope.posts?.urls });
  const fitting = intervalsFitting(scope.period, MAX_INTERVALS);
  if (!fitting.includes(interval))
    throw new BadParameters({
      interval: [
        `Give ${list(fitting)}, or a shorter period: an answer has at most ${MAX_INTERVALS.toLocaleString('en-US')} intervals.`,
      ],
    });

  const calendar = { interval, zone };
  const series = cutIntervals(scope.period, calendar);
  const toMetrics = async (of: Series): Promise<IntervalMetrics[]> => {
    const [ofPosts, inLists] = await Promise.all([
      countSeries(deps.store.traffic, {
        scope,
        interval,
        series: of,
        metrics: metrics.filter((one) => !isOfLists(one)),
      }),
      countListSeries(deps.store.traffic, { ...lists, interval, series: of, metrics: metrics.filter(isOfLists) }),
    ]);
    return of.intervals.map((each, place) => {
      const counted = { ...ofPosts[place], ...inLists[place] };
      return {
        start: toLocalIso(each.start, zone),
        partial: isPartial(each, of.period),
        metrics: Object.fromEntries(metrics.map((name) => [name, counted[name]!])),
      };
    });
  };
  const [records, previous] = await Promise.all([
    toMetrics(series),
    compare === undefined ? undefined : toMetrics(previousOf(series, calendar)),
  ]);
  return records.map((record, place) => ({ ...record, ...(previous && { previous: previous[place]! }) }));
}

/**
 * Metrics of the whole period of a series: its intervals have each distinct visitor once in each of them, and rates of
 * intervals do not add up.
 * @throws {BadParameters} for a period that ends before it starts or exceeds the maximum.
 */
export async function readTotals(deps: SeriesDeps, ask: SeriesAsk): Promise<SeriesTotals> {
  const { interval, compare } = ask.params;
  const metrics = metricsOr(ask.params.metrics);
  const scope = await postTrafficOf(deps, ask);
  const lists = ofLists(scope, ask);
  const calendar = { interval, zone: ask.site.timezone };
  const series = cutIntervals(scope.period, calendar);
  const count = async ({ period }: Series) => {
    const whole: Series = { period, intervals: period.start > period.end ? [] : [period] };
    const of = { interval: 'period', series: whole } as const;
    const [[ofPosts = {}], [inLists = {}]] = await Promise.all([
      countSeries(deps.store.traffic, { scope, ...of, metrics: metrics.filter((one) => !isOfLists(one)) }),
      countListSeries(deps.store.traffic, { ...lists, ...of, metrics: metrics.filter(isOfLists) }),
    ]);
    return { ...ofPosts, ...inLists };
  };
  const [counted, previous] = await Promise.all([
    count(series),
    compare === undefined ? undefined : count(previousOf(series, calendar)),
  ]);
  return { metrics: counted, ...(previous && { previous: { metrics: previous } }) };
}

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
