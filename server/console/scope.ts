// What a link to one view of the console may ask: the questions that its page asks, with the very filters and the
// period of the link. The page and this file read the address by the same code.

import { FILTERS, METRIC_NAMES, readChoice, writeChoice } from '../../widget/console/choice.ts';
import { DEVICES } from '../../widget/console/panels.ts';
import { datesOf, dayIn, paramsOf } from '../../widget/console/periods.ts';
import type { ViewName } from '../../widget/console/viewNames.ts';
import type { Query } from '../http/query.ts';

interface Questions {
  paths: readonly string[];
  /** Parameters that choose neither posts, visits, times nor metrics. */
  free: readonly string[];
  /** Metrics that it shows: those of lists, for example, are of another view. */
  metrics: readonly string[];
  /** Names of the filters that the view has. */
  filters: readonly (typeof FILTERS)[number][];
  hasPeriod: boolean;
}

const NOW: Questions = {
  paths: ['/v2/analytics/now'],
  free: ['posts'],
  metrics: [],
  filters: ['section'],
  hasPeriod: false,
};

const TABLES = ['posts', 'sections', 'authors', 'tags', 'referrers', 'channels', 'campaigns', 'segments'];

/** Parameters that name metrics, separated by commas. */
const OF_METRICS: readonly string[] = ['metrics', 'sort'];

/** Views that a link can show. */
const QUESTIONS: Partial<Record<ViewName, Questions>> = {
  now: NOW,
  wall: NOW,
  traffic: {
    paths: [...TABLES, 'series'].map((name) => `/v2/analytics/${name}`),
    free: ['limit', 'page', 'interval', 'compare', 'totals'],
    metrics: [...METRIC_NAMES, ...Object.keys(DEVICES).map((device) => `${device}_views`)],
    filters: FILTERS,
    hasPeriod: true,
  },
};

/** Paths that some view asks. */
export const SHARED_PATHS: readonly string[] = [
  ...new Set(Object.values(QUESTIONS).flatMap((questions) => questions?.paths ?? [])),
];

/**
 * The query of an address of the console, with what is understood of it and nothing else.
 * @returns undefined for a view that no link can show.
 */
export function toSharedSearch(search: string): string | undefined {
  const choice = readChoice(search);
  return QUESTIONS[choice.view] && writeChoice(choice);
}

/** A question to the API. */
export interface Question {
  /** Such as `/v2/analytics/posts`. */
  path: string;
  query: Query;
}

/**
 * Whether a link may ask a question.
 * @param share.search Of the link.
 * @param share.timezone Of its site: a period such as 7 days goes up to its today.
 * @param share.now Epoch milliseconds.
 */
export function mayAsk({ path, query }: Question, share: { search: string; timezone: string; now: number }): boolean {
  const { view, period, own, filters } = readChoice(share.search);
  const questions = QUESTIONS[view];
  if (questions === undefined || !questions.paths.includes(path)) return false;
  const today = dayIn(share.timezone, share.now);
  const expected = new Map<string, string>(questions.hasPeriod ? paramsOf(datesOf(period, own, today), today) : []);
  for (const name of questions.filters) if (filters[name] !== undefined) expected.set(name, filters[name]);
  const isExpected = ([name, values]: readonly [string, readonly string[]]): boolean => {
    if (OF_METRICS.includes(name))
      return values
        .join()
        .split(',')
        .every((one) => questions.metrics.includes(one));
    return questions.free.includes(name) || (values.length === 1 && values[0] === expected.get(name));
  };
  return [...query].every(isExpected) && [...expected.keys()].every((name) => query.has(name));
}
