// The parameters of a question about what lists brought, for the interface and the command line alike.
import { z } from 'zod';
import { KINDS, LAYOUTS } from '../contract/attributes.ts';
import { ITEM_SOURCES, LEDGER_LIMITS } from '../contract/ledger.ts';
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import type { Site } from '../sites/site.ts';
import {
  isOfItems,
  LIST_GROUPS,
  LIST_METRICS,
  type ListFilters,
  type ListsQuestion,
} from '../traffic/ledger/question.ts';
import { resolvePublished } from '../traffic/period.ts';
import type { PostFilters } from '../traffic/scope.ts';
import { reachOf } from './envelope.ts';
import { BadParameters } from './errors.ts';
import { limit, oneOf, page, text, texts, whole } from './params.ts';
import { analyticsPeriodParams, periodOf, publishedParams } from './period.ts';
import { postParam } from './postTraffic.ts';
import { visitFilterParams, visitFiltersOf } from './visitFilters.ts';

const RULE = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' } as const;

/** Which lists and items. */
export const listFilterParams = {
  list: oneOf(KINDS, 'Lists of this kind.').optional(),
  slot: text('Lists in the slot of this name, or of this order on its page.').optional(),
  layout: oneOf(LAYOUTS, 'Lists of this layout.').optional(),
  position: whole({ min: 1, max: LEDGER_LIMITS.position, what: 'Items at this position of their list.' }),
  source: oneOf(ITEM_SOURCES, 'Items that stand in their list for this reason.').optional(),
  experiment: text('Lists of this experiment.').optional(),
  variant: text('Lists of this variant.').optional(),
};

export const listFiltersOf = ({
  list,
  slot,
  layout,
  position,
  source,
  experiment,
  variant,
}: ListFilters): ListFilters => ({
  ...{ list, slot, layout, position, source, experiment, variant },
});

export const listQuestionParams = z.object({
  group: oneOf(LIST_GROUPS, 'What the figures are listed by.').default('list'),
  ...analyticsPeriodParams(RULE),
  sort: oneOf(LIST_METRICS, 'Highest first. Default: clicks; of days, hours and positions their own order.').optional(),
  limit,
  page,
  ...listFilterParams,
  ...publishedParams,
  post: postParam.optional(),
  author: texts('Posts in lists that this author wrote; by all of them when repeated.'),
  tag: texts('Posts in lists with this tag; with all of them when repeated.'),
  section: texts('Posts in lists in this section; in any of them when repeated.'),
  ...visitFilterParams,
});

type Params = z.output<typeof listQuestionParams>;

interface Asker {
  site: Pick<Site, 'id' | 'timezone'>;
  /** Epoch milliseconds. */
  now: number;
  /** Canonical URLs that are hidden. */
  excluded: ReadonlySet<string>;
  /** Canonical URLs of the parameter `post`. Absent: it was not given. */
  urls?: PostFilters['urls'];
}

/** @throws {BadParameters} */
export function toListsQuestion(params: Params, { site, now, excluded, urls }: Asker): ListsQuestion {
  const { group, sort, ...rest } = params;
  const clock = { now, zone: site.timezone };
  const posts = postsInListsOf(params, { ...clock, urls });
  const offset = (rest.page - 1) * rest.limit;
  const question: ListsQuestion = {
    scope: {
      ...{ site: site.id, zone: site.timezone, period: periodOf(params, RULE, clock), excluded },
      ...visitFiltersOf(params),
      ...(posts && { posts }),
    },
    group,
    sort,
    filters: { ...listFiltersOf(params), ...(group === 'alternative' && { isCompared: true }) },
    limit: reachOf(rest) - offset,
    offset,
  };
  if (sort === 'lists' && isOfItems(question)) throw new BadParameters({ sort: [NO_LISTS] });
  return question;
}

const NO_LISTS = 'Items have no number of lists: sort them by seen, or by another metric.';

/** Which posts in lists; undefined where all count, known ones or not. */
export function postsInListsOf(
  params: Pick<Params, 'author' | 'tag' | 'section' | 'pub_date_start' | 'pub_date_end'>,
  { urls, ...clock }: { now: number; zone: string; urls: PostFilters['urls'] },
): PostFilters | undefined {
  const { author: authors, tag: tags, section: sections, pub_date_start: start, pub_date_end: end } = params;
  const names = authors.length + tags.length + sections.length;
  if (urls === undefined && names === 0 && !start && !end) return undefined;
  return { urls, authors, tags, sections, published: resolvePublished({ start, end }, clock) };
}
