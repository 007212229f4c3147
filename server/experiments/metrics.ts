// The rates that an experiment compares, each declared once.
import type { Goal, Rate } from '../contract/experiments.ts';

export interface Metric {
  readonly name: Rate;
  /** Its name in a sentence. */
  readonly label: string;
  readonly better: 'higher' | 'lower';
  /** Printed as a percentage. Default: as a number. */
  readonly percent?: true;
  /** What is counted of each reader, and what that is divided by. */
  readonly sentence: string;
}

export const METRICS = [
  {
    name: 'clicks',
    label: 'click rate',
    better: 'higher',
    percent: true,
    sentence: 'Clicks, divided by lists shown.',
  },
  {
    name: 'quality_clicks',
    label: 'quality click rate',
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
] as const satisfies readonly Metric[];

export type MetricName = (typeof METRICS)[number]['name'];

/**
 * What must not become worse while the goal is pursued. Rates of a list are none where views decide: a variant without
 * a list has no clicks. Clicks are none where quality clicks decide: fewer bad clicks are no loss.
 */
export const GUARDRAILS: Readonly<Record<Goal, readonly MetricName[]>> = {
  clicks: ['quality_clicks', 'views', 'bounces'],
  quality_clicks: ['views', 'bounces'],
  views: ['bounces'],
};
