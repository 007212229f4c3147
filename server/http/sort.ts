// The names of metrics in requests, for `sort` and `metrics`, including the aliases of older clients.
import { z } from 'zod';
import { LIST_SERIES_METRICS, type ListSeriesMetric } from '../traffic/ledger/question.ts';
import { METRIC_NAMES, type Metric } from '../traffic/metrics.ts';
import { VIDEO_METRICS, type VideoMetric } from '../traffic/rankVideos.ts';

type Aliases<T> = Readonly<Record<string, T>>;

const ALIASES: Aliases<Metric> = { _hits: 'views', hits: 'views', avg_engaged_time: 'avg_engaged' };
const VIDEO_ALIASES: Aliases<VideoMetric> = { _hits: 'starts', hits: 'starts' };
/** Older clients send `_hits` with every request, for any list. */
const ORDER_ALIASES = { score: '_score', _hits: '_score', hits: '_score' } as const;

/** Of lists of traffic. Default: views. */
export const sort = oneOrAlias(METRIC_NAMES, ALIASES)
  .prefault('views')
  .meta({ description: 'Metric the records are ordered by, highest first.' });

/** Of lists of videos. Default: starts. */
export const videoSort = oneOrAlias(VIDEO_METRICS, VIDEO_ALIASES)
  .prefault('starts')
  .meta({ description: 'Metric the videos are ordered by, highest first.' });

/** Of lists of posts without counts. Default: relevance. */
export const order = oneOrAlias(['_score', 'pub_date'], ORDER_ALIASES)
  .prefault('_score')
  .meta({ description: 'Order: how well posts fit (_score), or newest first (pub_date).' });

/** Metrics besides those of the sort. Default: none. */
export const metrics = severalOrAliases(METRIC_NAMES, ALIASES);

/** Of series, which are in order of time. Default: none, which means views. */
export const metricsOfSeries = severalOrAliases<Metric | ListSeriesMetric>(
  [...METRIC_NAMES, ...LIST_SERIES_METRICS],
  ALIASES,
  `Metrics of each interval, comma separated or repeated. Of posts: ${METRIC_NAMES.join(', ')}. Of lists: ${LIST_SERIES_METRICS.join(', ')}. Default: views.`,
);

/** The same for videos, whose records contain all of them. */
export const videoMetrics = severalOrAliases(VIDEO_METRICS, VIDEO_ALIASES);

function sentenceOf(names: readonly string[]): string {
  return `Give one of ${names.join(', ')}.`;
}

function oneOrAlias<const T extends string>(names: readonly T[], aliases: Aliases<T>) {
  return z
    .enum([...names, ...Object.keys(aliases)], sentenceOf(names))
    .transform((name): T => aliases[name] ?? (name as T));
}

function severalOrAliases<T extends string>(
  names: readonly T[],
  aliases: Aliases<T>,
  description = 'Metrics beside the one sorted by and its inputs, comma separated or repeated.',
) {
  const several = z.array(oneOrAlias(names, aliases));
  return z
    .array(z.string().meta({ examples: [names.slice(0, 2).join(',')] }))
    .default([])
    .transform((values, context): T[] => {
      const said = values.flatMap((value) => value.split(',')).map((name) => name.trim());
      const read = several.safeParse(said.filter((name) => name !== ''));
      if (read.success) return [...new Set(read.data)];
      context.addIssue({ code: 'custom', message: sentenceOf(names).replace('one', 'some') });
      return z.NEVER;
    })
    .meta({ description });
}
