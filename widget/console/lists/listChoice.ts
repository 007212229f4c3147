// What is chosen in the view of lists: the metric of the curve, and which lists and items. Part of the address.

/** As parameters of /v2/lists and of series name them. */
export const LIST_FILTERS = ['list', 'slot', 'layout', 'position', 'source', 'experiment', 'variant'] as const;
export type ListFilterName = (typeof LIST_FILTERS)[number];
export type ListFilters = Partial<Record<ListFilterName, string>>;

export const LIST_METRICS = {
  lists: 'Lists shown',
  seen: 'Items seen',
  clicks: 'Clicks',
  click_rate: 'Click rate',
  quality_clicks: 'Quality clicks',
  views_caused: 'Views caused',
  recirculation: 'Share of all views',
  engaged_minutes_caused: 'Minutes after',
} as const;
export type ListMetricName = keyof typeof LIST_METRICS;
export const LIST_METRIC_NAMES = Object.keys(LIST_METRICS) as ListMetricName[];

/** Shares, of which hundredths of a percent matter. */
export const RATES: readonly string[] = ['click_rate', 'recirculation'] satisfies ListMetricName[];

export interface ListChoice {
  metric: ListMetricName;
  filters: ListFilters;
}

export const NO_LIST_CHOICE: ListChoice = { metric: 'clicks', filters: {} };

export function readListChoice(query: URLSearchParams): ListChoice {
  const filters: ListFilters = {};
  for (const name of LIST_FILTERS) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  return {
    metric: LIST_METRIC_NAMES.find((name) => name === query.get('measure')) ?? NO_LIST_CHOICE.metric,
    filters,
  };
}

/** Adds to the query of an address what is not as at first. */
export function writeListChoice(query: URLSearchParams, { metric, filters }: ListChoice): void {
  if (metric !== NO_LIST_CHOICE.metric) query.set('measure', metric);
  for (const name of LIST_FILTERS) if (filters[name] !== undefined) query.set(name, filters[name]);
}

/** Filters under which items are counted, not lists: a list has several items. */
const OF_ITEMS: readonly string[] = ['position', 'source', 'post', 'author', 'section', 'tag'];

/** The metrics that there are under some filters: the number of lists is not one of them where items are counted. */
export const metricsUnder = (filters: readonly string[]): readonly ListMetricName[] =>
  filters.some((name) => OF_ITEMS.includes(name))
    ? LIST_METRIC_NAMES.filter((name) => name !== 'lists')
    : LIST_METRIC_NAMES;
