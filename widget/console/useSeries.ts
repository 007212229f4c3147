// The totals of a period and their course, beside the period before. Of a large site new and returning visitors take as
// long to count as everything else on the page together, so they are asked for when the other metrics are there.
import { useRef } from 'preact/hooks';
import type { IntervalRecord, SeriesTotals } from '../../server/contract/wire.ts';
import type { Params } from './ask.ts';
import { METRIC_NAMES } from './choice.ts';
import { type Dates, intervalOf } from './periods.ts';
import { type Answered, useAnswer } from './useAnswer.ts';

export interface SeriesBody {
  data: IntervalRecord[];
  totals: SeriesTotals;
}

export interface Series extends Answered<SeriesBody> {
  interval: 'hour' | 'day';
  /** Metrics that were not counted for this question yet. */
  pending: readonly string[];
  /** Another value where the answer is that of another question. */
  of: unknown;
}

/** Metrics that are compared with all visitors that the site ever had. */
export const BY_FIRST_VIEW: readonly string[] = ['visitors_new', 'visitors_returning'];
const PATH = '/v2/analytics/series';

/**
 * The slow metrics are absent from the answer as long as they are counted.
 * @param names Of the metrics, one of them not slow. Default: those of posts.
 * @param isCompared Whether the period before is asked for. Default: true.
 */
export function useSeries(
  scope: Params,
  dates: Dates,
  names: readonly string[] = METRIC_NAMES,
  isCompared = true,
): Series {
  const interval = intervalOf(dates);
  const asked = (metrics: readonly string[]): Params => [
    ['interval', interval],
    ['metrics', metrics.join(',')],
    ...(isCompared ? [['compare', 'previous'] as const] : []),
    ['totals', '1'],
    ...scope,
  ];
  const slow = names.filter((name) => BY_FIRST_VIEW.includes(name));
  const first = useAnswer<SeriesBody>(PATH, asked(names.filter((name) => !BY_FIRST_VIEW.includes(name))));
  const isThere = !first.isLoading && first.body !== undefined;
  const rest = useAnswer<SeriesBody>(isThere && slow.length > 0 ? PATH : undefined, asked(slow));
  const pending = first.isLoading ? names : rest.isLoading ? slow : [];
  const isLoading = pending.length > 0;
  const whole = useRef<{ of?: SeriesBody; body?: SeriesBody }>({});
  if (first.body && rest.body && !isLoading && whole.current.of !== first.body)
    whole.current = { of: first.body, body: joined(first.body, rest.body) };
  const body = whole.current.of === first.body ? whole.current.body : first.body;
  // Of an answer to the question before: its own moments say whether it is of hours.
  const [begins, second] = (body?.data ?? []).map(({ start }) => start.slice(0, 10));
  const shown = second === undefined ? interval : begins === second ? 'hour' : 'day';
  const failed = first.message === '' ? rest : first;
  return { body, isLoading, pending, message: failed.message, retry: failed.retry, interval: shown, of: first.body };
}

type Counted = Pick<IntervalRecord, 'metrics'> & { previous?: Counted | undefined };

/** Both are of the same intervals. */
const joined = (one: SeriesBody, other: SeriesBody): SeriesBody => ({
  data: one.data.map((record, place) => withMetricsOf(record, other.data[place])),
  totals: withMetricsOf(one.totals, other.totals),
});

function withMetricsOf<T extends Counted>(record: T, other: Counted | undefined): T {
  const { previous } = record;
  return {
    ...record,
    metrics: { ...record.metrics, ...other?.metrics },
    ...(previous && { previous: withMetricsOf(previous, other?.previous) }),
  };
}
