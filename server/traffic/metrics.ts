// What can be measured of pages: measures are what storage adds up, of all devices or of one kind; metrics are what the
// interface calls them.
import type { Device } from '../ingest/eventRow.ts';
import { threeDecimals } from '../threeDecimals.ts';

/** Sums kept by the roll-ups, one column each. */
export const ROLLED_MEASURES = [
  'views',
  'desktop_views',
  'mobile_views',
  'tablet_views',
  'engaged_seconds',
  'fb_referrals',
  'tw_referrals',
  'li_referrals',
  'pi_referrals',
  'fb_interactions',
  'tw_interactions',
  'li_interactions',
  'pi_interactions',
] as const;

export type RolledMeasure = (typeof ROLLED_MEASURES)[number];
/**
 * `recirculated` is rolled up for pages only, `social_referrals` and `search_refs` as the views of a type of referrer;
 * the other two depend on each event's visitor.
 */
export type Measure =
  | RolledMeasure
  | 'recirculated'
  | 'social_referrals'
  | 'search_refs'
  | 'engaged_seconds_new'
  | 'engaged_seconds_returning';

const VIEWS_ON = { desktop: 'desktop_views', mobile: 'mobile_views', tablet: 'tablet_views' } as const satisfies Record<
  Device,
  RolledMeasure
>;

export const DEVICES = Object.keys(VIEWS_ON) as [Device, ...Device[]];

/**
 * Of which roll-ups have a column by device. Engaged seconds of one kind are added up from events: two columns more in
 * every roll-up would cost each event, whether such a question is ever asked or not.
 */
const OF_DEVICE: readonly Measure[] = ['views', ...Object.values(VIEWS_ON)];

/** Whether a column of every roll-up has a measure: of all devices, or of one. */
export const isRolledFor = (measure: Measure, device: Device | undefined): measure is RolledMeasure =>
  (device === undefined ? ROLLED_MEASURES : OF_DEVICE).some((known) => known === measure);

/**
 * SQL of such a measure over a row of a roll-up, whose rows are of all devices. Columns have the name of their table:
 * without it, views beside those of the device would be read from what the same SELECT calls by that name, which may
 * have its sign changed already.
 */
export function columnOf(table: string, measure: RolledMeasure, device: Device | undefined): string {
  if (device === undefined) return `${table}.${measure}`;
  // Views on other devices are none.
  return measure === 'views' || measure === VIEWS_ON[device] ? `${table}.${VIEWS_ON[device]}` : '0';
}

/** Which distinct visitors: all, those first seen within the period, or the rest. */
export type VisitorKind = 'visitors' | 'visitors_new' | 'visitors_returning';

/** Sums and distinct counts of one record, by column. */
export type Counts = Partial<Record<Measure | VisitorKind, number>>;

const NETWORKS = ['fb', 'tw', 'li', 'pi'] as const;
const INTERACTIONS = NETWORKS.map((network) => `${network}_interactions` as const);
const REFERRALS = NETWORKS.map((network) => `${network}_referrals` as const);

interface MetricPlan {
  /** Columns it is computed from. */
  measures: readonly Measure[];
  visitors: readonly VisitorKind[];
  /** SQL over those columns, for ordering. */
  order: string;
  /** The value in an answer. */
  value(counts: Counts): number;
  /** Its inputs that have names of their own: shown beside it. */
  inputs: readonly string[];
}

const plain = (measure: Measure): MetricPlan => ({
  measures: [measure],
  visitors: [],
  order: measure,
  value: (counts) => counts[measure] ?? 0,
  inputs: [],
});

const distinct = (kind: VisitorKind): MetricPlan => ({
  measures: [],
  visitors: [kind],
  order: kind,
  value: (counts) => counts[kind] ?? 0,
  inputs: [],
});

const sumOf = (measures: readonly Measure[]): MetricPlan => ({
  measures,
  visitors: [],
  order: measures.join(' + '),
  value: (counts) => measures.reduce((sum, measure) => sum + (counts[measure] ?? 0), 0),
  inputs: measures,
});

const average = (seconds: Measure, kind: VisitorKind, inputs: readonly string[]): MetricPlan => ({
  measures: [seconds],
  visitors: [kind],
  order: `if(${kind} = 0, 0, ${seconds} / ${kind})`,
  value: (counts) => (counts[kind] ? threeDecimals((counts[seconds] ?? 0) / 60 / counts[kind]) : 0),
  inputs,
});

const METRICS = {
  views: plain('views'),
  mobile_views: plain('mobile_views'),
  tablet_views: plain('tablet_views'),
  desktop_views: plain('desktop_views'),
  visitors: distinct('visitors'),
  visitors_new: distinct('visitors_new'),
  visitors_returning: distinct('visitors_returning'),
  engaged_minutes: {
    ...plain('engaged_seconds'),
    value: (counts: Counts) => threeDecimals((counts.engaged_seconds ?? 0) / 60),
  },
  avg_engaged: average('engaged_seconds', 'visitors', ['engaged_minutes', 'views', 'visitors']),
  avg_engaged_new: average('engaged_seconds_new', 'visitors_new', ['visitors_new']),
  avg_engaged_returning: average('engaged_seconds_returning', 'visitors_returning', ['visitors_returning']),
  social_interactions: sumOf(INTERACTIONS),
  fb_interactions: plain('fb_interactions'),
  tw_interactions: plain('tw_interactions'),
  li_interactions: plain('li_interactions'),
  pi_interactions: plain('pi_interactions'),
  // Of all social networks: most of them have no metric of their own.
  social_referrals: { ...plain('social_referrals'), measures: ['social_referrals', ...REFERRALS], inputs: REFERRALS },
  fb_referrals: plain('fb_referrals'),
  tw_referrals: plain('tw_referrals'),
  li_referrals: plain('li_referrals'),
  pi_referrals: plain('pi_referrals'),
  search_refs: plain('search_refs'),
  recirculation_rate: {
    measures: ['recirculated', 'views'],
    visitors: [],
    order: 'if(views = 0, 0, least(recirculated / views, 1))',
    // Two links opened from one view are two page views with this referrer: a share never exceeds the whole.
    value: ({ views = 0, recirculated = 0 }: Counts) =>
      views === 0 ? 0 : threeDecimals(Math.min(recirculated / views, 1)),
    inputs: ['views'],
  },
} satisfies Record<string, MetricPlan>;

export type Metric = keyof typeof METRICS;

/** Names under which a list can be sorted, as the interface spells them. */
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** Whether a metric is a number of distinct visitors. */
export const isVisitorKind = (metric: Metric): metric is VisitorKind =>
  metric === 'visitors' || metric === 'visitors_new' || metric === 'visitors_returning';

export const planOf = (metric: Metric): MetricPlan => METRICS[metric];

/**
 * Names present in a record's `metrics`: the metric a list is sorted by, its inputs, and those that are asked for
 * beside it.
 */
export const namesShown = (sort: Metric, beside: readonly Metric[] = []): Metric[] => [
  ...new Set([sort, ...(planOf(sort).inputs as Metric[]), ...beside]),
];

/**
 * SQL over the columns of a metric: whether anything was counted for it. Read over a period's start, a post has no view
 * in it.
 */
export function isCounted(metric: Metric): string {
  const { measures, visitors } = planOf(metric);
  return [...measures, ...visitors].map((column) => `${column} > 0`).join(' OR ');
}

/** Everything that must be counted to show these metrics. */
export function columnsOf(metrics: readonly Metric[]): { measures: Measure[]; visitors: VisitorKind[] } {
  const plans = metrics.map(planOf);
  return {
    measures: [...new Set(plans.flatMap((plan) => plan.measures))],
    visitors: [...new Set(plans.flatMap((plan) => plan.visitors))],
  };
}

/** The `metrics` object of a record. */
export function toMetrics(metrics: readonly Metric[], counts: Counts): Record<string, number> {
  return Object.fromEntries(metrics.map((name) => [name, planOf(name).value(counts)]));
}
