// What /analytics/now answers, as types and the minutes that its figures are of. Imports nothing.

/** Readers, views and engaged time are of so many last minutes. */
export const NOW_MINUTES = 5;
/** What is too rare in them is of so many. */
export const HOUR_MINUTES = 60;

/** In the order of the answer. */
export const NOW_FIGURES = ['visitors', 'views', 'engaged_minutes', 'recirculation_rate', 'clicks'] as const;
export type NowFigureName = (typeof NOW_FIGURES)[number];

/** Median and middle half of the last eight weeks, of the same weekday and time of day. */
export interface UsualRecord {
  median: number;
  low: number;
  high: number;
}

/** Where a figure stands beside the middle half. */
export const PLACES = ['below', 'within', 'above'] as const;
export type PlaceName = (typeof PLACES)[number];

export interface NowFigure {
  name: NowFigureName;
  /** Up to the end of the period. */
  minutes: number;
  /** null: a rate of views, of which there was none. */
  value: number | null;
  /** Of visitors, views and clicks from `low` to `high` in whole numbers. null: nothing is usual yet. */
  usual: UsualRecord | null;
  place: PlaceName | null;
}

/** Kinds of sources, as referrers have them, in the order of the answer. */
export const NOW_SOURCES = ['search', 'social', 'aggregator', 'ai', 'other', 'internal', 'direct'] as const;
export type NowSourceName = (typeof NOW_SOURCES)[number];

/** Where the readers of the last five minutes came from, by kind. */
export interface NowSource {
  category: NowSourceName;
  /** Of the last five minutes. */
  views: number;
  /** From `low` to `high` in whole views, as kinds are rare. null: nothing is usual yet. */
  usual: UsualRecord | null;
  place: PlaceName | null;
}

/** Whether a post gains or loses readers beside its own last hour. */
export const TRENDS = ['gaining', 'steady', 'losing'] as const;
export type Trend = (typeof TRENDS)[number];

export interface NowPost {
  title: string;
  url: string;
  section: string;
  /** `YYYY-MM-DDTHH:MM:SS` in UTC, without a zone; "" when unknown. */
  pub_date: string;
  /** Of the last five minutes. */
  visitors: number;
  views: number;
  /** Visitors of each five minutes of the last hour, the last ones included. */
  course: number[];
  trend: Trend;
}

export interface NowSection {
  name: string;
  visitors: number;
  views: number;
}

export interface NowReferrer extends NowSection {
  type: string;
  category: string;
}

/** A quarter of an hour of today. */
export interface NowQuarter {
  /** ISO 8601, with the offset of the site's zone. */
  start: string;
  /** null: it has not begun. */
  views: number | null;
  /** It is not over. */
  partial: boolean;
  usual: UsualRecord | null;
}

export interface NowRecord {
  /** The last five minutes, ISO 8601, UTC; the end is left out, as in `period_end`. */
  period_start: string;
  period_end: string;
  /** Weeks with traffic of which the usual figures are made. */
  weeks: number;
  /** Of fewer weeks nothing is usual. */
  least_weeks: number;
  /** Days that events are kept for, where these are too few for so many weeks; null: they are enough. */
  too_few_days: number | null;
  figures: NowFigure[];
  posts: NowPost[];
  sections: NowSection[];
  referrers: NowReferrer[];
  sources: NowSource[];
  today: NowQuarter[];
}
