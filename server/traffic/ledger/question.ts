// What is asked of the ledger: by what its figures are grouped, which lists and items count.
import type { ItemSource } from '../../contract/wire.ts';
import { HOUR, MINUTE } from '../../durations.ts';
import type { Span } from '../intervals.ts';
import type { Period } from '../period.ts';
import type { Scope } from '../scope.ts';

/** What figures of lists are listed by. */
export const LIST_GROUPS = [
  ...(['list', 'slot', 'layout', 'experiment', 'variant', 'page', 'day', 'hour'] as const),
  ...(['position', 'source', 'post', 'section', 'alternative'] as const),
] as const;
export type ListGroup = (typeof LIST_GROUPS)[number];

/** Groups of items: a list has items of several, so that none of them has a number of lists. */
const OF_ITEMS: readonly ListGroup[] = ['position', 'source', 'post', 'section', 'alternative'];

/** Groups that an order by figures would tear apart. */
export const IN_OWN_ORDER: readonly ListGroup[] = ['day', 'hour', 'position'];

/** Sums of a group, one column each. */
export const LIST_MEASURES = ['lists', 'seen', 'clicks', 'quality_clicks', 'views_caused', 'engaged_seconds'] as const;
export type ListMeasure = (typeof LIST_MEASURES)[number];

/** SQL over the measures, by the metrics that a list can be sorted by. */
const ORDERS = {
  lists: 'lists',
  seen: 'seen',
  clicks: 'clicks',
  click_rate: 'if(clicks <= 0, 0, clicks / greatest(seen, clicks))',
  quality_clicks: 'quality_clicks',
  views_caused: 'views_caused',
  recirculation: 'views_caused',
  engaged_minutes: 'engaged_seconds',
} as const;

export const LIST_METRICS = Object.keys(ORDERS) as (keyof typeof ORDERS)[];
type ListMetric = (typeof LIST_METRICS)[number];

export const orderOf = (metric: ListMetric): string => ORDERS[metric];

/** All conditions hold; undefined: any. */
export interface ListFilters {
  list?: string | undefined;
  slot?: string | undefined;
  layout?: string | undefined;
  experiment?: string | undefined;
  variant?: string | undefined;
  position?: number | undefined;
  source?: ItemSource | undefined;
  /** Only items of posts of which several titles or pictures are compared. */
  isCompared?: boolean | undefined;
}

/** Which figures of lists, and by what. */
export interface FiguresQuestion {
  /** `posts` narrows the items; the other filters are about the view of the page that the list was on. */
  scope: Scope;
  group: ListGroup | TimeGroup;
  filters: ListFilters;
}

/** Figures by the intervals of a series: their names are the places of the intervals, from 0. */
export interface TimeGroup {
  interval: Span;
  /** Of the period of the scope; not empty. */
  intervals: readonly Period[];
}

export interface ListsQuestion extends FiguresQuestion {
  group: ListGroup;
  /** Undefined: groups with an order of their own in that order, others by clicks. */
  sort?: ListMetric | undefined;
  limit: number;
  /** Records before the first one wanted. */
  offset: number;
}

/** Whether only items are asked for, so that a number of lists would have no meaning. */
export const isOfItems = ({ group, filters, scope }: FiguresQuestion): boolean =>
  (typeof group === 'string' && OF_ITEMS.includes(group)) ||
  filters.position !== undefined ||
  filters.source !== undefined ||
  scope.posts !== undefined;

/** Metrics of lists beside those of posts: their engaged minutes have a name of their own there. */
export const LIST_SERIES_METRICS = [
  ...(['lists', 'seen', 'clicks', 'click_rate', 'click_rate_low', 'click_rate_high'] as const),
  ...(['quality_clicks', 'views_caused', 'recirculation', 'engaged_minutes_caused'] as const),
] as const;
export type ListSeriesMetric = (typeof LIST_SERIES_METRICS)[number];

/** A click causes the first view of its post by its reader within this time, unless a later click came before it. */
export const CAUSED_WITHIN_MS = 30 * MINUTE;
/**
 * Engaged seconds count for a view until the reader's next view of that post, and at most so long: all that follows the
 * clicks of a day is of that day and the next one, which may have 23 hours.
 */
export const ENGAGED_WITHIN_MS = 12 * HOUR;
/** Engaged seconds that make a click one of quality. */
export const QUALITY_SECONDS = 15;
