// Filters of the public lists of posts (/related, /search): their parameters, and the conversion to filters of posts.
import { z } from 'zod';
import { DAY } from '../durations.ts';
import type { RecommendFilters } from '../recommend/request.ts';
import { resolvePublished } from '../traffic/period.ts';
import { exclude } from './exclude.ts';
import { moment, publishedDays, texts } from './params.ts';
import { publishedParams } from './period.ts';

export const postFilterParams = {
  ...publishedParams,
  pub_date_end: moment('Published up to here; a time is left out itself. Default, and at most: now.').optional(),
  days: publishedDays,
  section: texts('Sections; a post in any of them is listed.'),
  author: texts('Authors; a post by all of them is listed.'),
  tag: texts('Tags; a post with all of them is listed.'),
  exclude,
};

const PARAMS = z.object(postFilterParams);

export function postFiltersOf(params: z.output<typeof PARAMS>, clock: { now: number; zone: string }): RecommendFilters {
  const { start, end } = resolvePublished({ start: params.pub_date_start, end: params.pub_date_end }, clock);
  const since = start ?? (params.days === undefined ? undefined : clock.now - params.days * DAY);
  return {
    sections: params.section,
    authors: params.author,
    tags: params.tag,
    exclude: params.exclude,
    ...(since !== undefined && { pubDateStart: since }),
    ...(end !== undefined && { pubDateEnd: end }),
  };
}
