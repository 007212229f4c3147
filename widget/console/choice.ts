// What is chosen: period, metric and filters. It is kept in the address of the page, so that a link shows the same to a
// colleague and the back button undoes a choice. No secret is ever part of it.
import { type ListChoice, NO_LIST_CHOICE, readListChoice, writeListChoice } from './lists/listChoice.ts';
import { complaintOf, type Dates, PERIODS, type PeriodName } from './periods.ts';
import { VIEW_NAMES, type ViewName } from './viewNames.ts';

export const FILTERS = [
  ...(['post', 'author', 'section', 'tag'] as const),
  ...(['referrer', 'channel', 'segment', 'campaign_id', 'device'] as const),
] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Partial<Record<FilterName, string>>;

export const METRICS = {
  views: 'Views',
  visitors: 'Visitors',
  engaged_minutes: 'Engaged minutes',
  visitors_new: 'New visitors',
  visitors_returning: 'Returning visitors',
  avg_engaged: 'Minutes a visitor',
} as const;
export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

export interface Choice {
  view: ViewName;
  period: PeriodName;
  /** With the period `own`. */
  own: Dates;
  metric: MetricName;
  filters: Filters;
  /** Of the view of lists. */
  lists: ListChoice;
}

const INITIAL: Choice = {
  view: 'traffic',
  period: '7d',
  own: { from: '', to: '' },
  metric: 'views',
  filters: {},
  lists: NO_LIST_CHOICE,
};

/** Reads the query of an address. What is not understood has its default. */
export function readChoice(search: string): Choice {
  const query = new URLSearchParams(search);
  const own = { from: query.get('from') ?? '', to: query.get('to') ?? '' };
  const named = PERIODS.find(([name]) => name === query.get('period'))?.[0] ?? INITIAL.period;
  const filters: Filters = {};
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  const view = VIEW_NAMES.find((name) => name === query.get('view')) ?? INITIAL.view;
  const isOther = (named === 'own' && complaintOf(own) !== '') || (named === 'since' && view !== 'post');
  return {
    view,
    period: isOther ? INITIAL.period : named,
    own,
    metric: METRIC_NAMES.find((name) => name === query.get('metric')) ?? INITIAL.metric,
    filters,
    lists: readListChoice(query),
  };
}

/** The query of the address; "" for the initial choice. */
export function writeChoice({ view, period, own, metric, filters, lists }: Choice): string {
  const query = new URLSearchParams();
  if (view !== INITIAL.view) query.set('view', view);
  if (period !== INITIAL.period) query.set('period', period);
  if (period === 'own') for (const [name, day] of Object.entries(own)) query.set(name, day);
  if (metric !== INITIAL.metric) query.set('metric', metric);
  for (const name of FILTERS) if (filters[name] !== undefined) query.set(name, filters[name]);
  writeListChoice(query, lists);
  const text = query.toString();
  return text && `?${text}`;
}

/** The same with a filter set, or taken away where it is set already. */
export function toggled<Name extends string>(
  filters: Partial<Record<Name, string>>,
  name: Name,
  value: string,
): Partial<Record<Name, string>> {
  const { [name]: current, ...others } = filters;
  return (current === value ? others : { ...others, [name]: value }) as Partial<Record<Name, string>>;
}

/** The metric that is chosen first, and two of the basic ones beside it. */
export const columnsOf = (metric: MetricName): MetricName[] => [...new Set([metric, ...METRIC_NAMES])].slice(0, 3);
