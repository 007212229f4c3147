// The rates that an experiment compares, each declared once.
import type { Rate } from '../contract/experiments.ts';

export interface Metric {
  readonly name: Rate;
  /** Its name in a sentence. */
  readonly label: string;
  readonly better: 'higher' | 'lower';
  /** Printed as a percentage. Default: as a number. */
  readonly percent?: true;
  /** A variant that is worse by no more does no harm. Default: 0. */
  readonly margin?: number;
  /** Predicate of the verdict on a variant that is worse by it. Default: `does harm`. */
  readonly harm?: string;
  /** What is to be done about that before the variant is tried again. Default: no advice. */
  readonly advice?: string;
  /** What is counted of each reader, and what that is divided by. */
  readonly sentence: string;
}

export const METRICS = [
  {
    name: 'clicks',
    label: 'clicks a list',
    better: 'higher',
    percent: true,
    sentence: 'Clicks, divided by lists shown.',
  },
  {
    name: 'quality_clicks',
    label: 'quality clicks a list',
    better: 'higher',
    percent: true,
    sentence: 'Clicks followed by at least 15 engaged seconds, divided by lists shown.',
  },
  { name: 'views', label: 'views a visit', better: 'higher', sentence: 'Page views, divided by visits.' },
  {
    name: 'bounces',
    label: 'bounce rate',
    better: 'lower',
    percent: true,
    sentence: 'Visits with one page view, divided by visits.',
  },
  {
    name: 'layout_shift',
    label: 'layout shift',
    better: 'lower',
    // A tenth of what browsers call good.
    margin: 0.01,
    harm: 'moves the page',
    advice: 'Keep as much room for its list as it needs, and start a new experiment.',
    sentence: 'Layout shift of pages after the list was drawn, divided by page views that measured it.',
  },
  {
    name: 'errors',
    label: 'errors a list',
    better: 'lower',
    margin: 0.005,
    harm: 'fails',
    advice: 'Mend what the browser’s console says on a page with it, and start a new experiment.',
    sentence: 'Errors of our script, and lists that were not drawn, divided by page views with the list.',
  },
] as const satisfies readonly Metric[];

export type MetricName = (typeof METRICS)[number]['name'];
