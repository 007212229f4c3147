// The totals of a period and their course, beside the period before.
import type { IntervalRecord, SeriesTotals } from '../../server/contract/wire.ts';
import type { Params } from './ask.ts';
import { METRIC_NAMES } from './choice.ts';
import { type Dates, intervalOf } from './periods.ts';
import { type Answered, useAnswer } from './useAnswer.ts';

interface Body {
  data: IntervalRecord[];
  totals: SeriesTotals;
}

export interface Series extends Answered<Body> {
  interval: 'hour' | 'day';
}

/** @param names Of the metrics. Default: those of posts. */
export function useSeries(scope: Params, dates: Dates, names: readonly string[] = METRIC_NAMES): Series {
  const interval = intervalOf(dates);
  const metrics = names.join(',');
  const asked = [
    ['interval', interval],
    ['metrics', metrics],
    ['compare', 'previous'],
    ['totals', '1'],
  ] as const;
  const answered = useAnswer<Body>('/v2/analytics/series', [...asked, ...scope]);
  // Of an answer to the question before: its own moments say whether it is of hours.
  const [first, second] = (answered.body?.data ?? []).map(({ start }) => start.slice(0, 10));
  const shown = second === undefined ? interval : first === second ? 'hour' : 'day';
  return { ...answered, interval: shown };
}
