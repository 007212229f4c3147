// Traffic over time, for a site's editors.
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { makeList } from '../http/longLists.ts';
import { metricsOr, readSeries, seriesParams } from '../http/series.ts';

export const series = endpoint({
  summary: 'Metrics of posts and of lists by minute, hour, day, week or month.',
  record: 'Interval',
  params: seriesParams,
  async answer(ask, deps) {
    // As long as the longest lists.
    const { records, totals } = await makeList(ask.c, { limit: Number.POSITIVE_INFINITY, page: 1 }, () =>
      readSeries(deps, ask),
    );
    const envelope = detailOf(deps, ask, { data: [], metrics: metricsOr(ask.params.metrics), sort: 'start' });
    // Lists end at record 2000, a series with its period.
    return { ...envelope, data: records, ...(totals && { totals }) };
  },
});
