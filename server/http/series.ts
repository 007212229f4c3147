// Metrics by interval: the parameters of a series, and its records. The endpoint and the command ask here.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { MAX_INTERVALS } from '../contract/limits.ts';
import type { IntervalMetrics, IntervalRecord } from '../contract/wire.ts';
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
import type { Metric } from '../traffic/metrics.ts';
import type { Ask } from './endpoint.ts';
import { BadParameters } from './errors.ts';
import { oneOf } from './params.ts';
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
  ...postTrafficParams,
});

type SeriesAsk = Pick<Ask<z.output<typeof seriesParams>>, 'params' | 'site' | 'now'>;

/**
 * Every interval of the period, in order; zero where nothing was counted.
 * @throws {BadParameters} for a period that has no such intervals, or too many of them.
 */
export async function readSeries(deps: Pick<Deps, 'store' | 'exclusions'>, ask: SeriesAsk): Promise<IntervalRecord[]> {
  const { interval, metrics, compare } = ask.params;
  const zone = ask.site.timezone;
  const scope = await postTrafficOf(deps, ask);
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
    const counted = await countSeries(deps.store.traffic, { scope, interval, series: of, metrics: metricsOr(metrics) });
    return of.intervals.map((each, place) => ({
      start: toLocalIso(each.start, zone),
      partial: isPartial(each, of.period),
      metrics: counted[place]!,
    }));
  };
  const [records, previous] = await Promise.all([
    toMetrics(series),
    compare === undefined ? undefined : toMetrics(previousOf(series, calendar)),
  ]);
  return records.map((record, place) => ({ ...record, ...(previous && { previous: previous[place]! }) }));
}

/** Views, where no metric is asked for. */
export const metricsOr = (metrics: readonly Metric[]): readonly Metric[] => (metrics.length > 0 ? metrics : ['views']);

const list = (words: readonly string[]) => words.join(', ').replace(/, (?=[^,]+$)/, ' or ');
