// Sources of traffic: referrers of a site, the posts they lead to, and the referrers of one post.
import { z } from 'zod';
import { DEFAULT_PERIOD_DAYS, MAX_RECORDS } from '../contract/limits.ts';
import { REFERRER_CATEGORIES } from '../contract/referrers.ts';
import { endpoint } from '../http/endpoint.ts';
import { answerNames, answerPosts, answerReferrers, clockOf, type ListAsk, scopeOf } from '../http/lists.ts';
import { METAS, namedFilter, namedValue } from '../http/metaDetail.ts';
import { limit, oneOf, page, text, texts, url, whole } from '../http/params.ts';
import { type PublishedParams, periodOf, periodParams, publishedParams } from '../http/period.ts';
import { referrersMeant } from '../ingest/steps/referrer.ts';
import { type PeriodRule, resolvePublished } from '../traffic/period.ts';
import { type FacetFilter, type PostFilters, REFERRED_FACETS, type Scope, toFacets } from '../traffic/scope.ts';

const SPAN: PeriodRule = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' };
const LOOK_BACK: PeriodRule = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'clamp' };
const KEYS = { posts: 'post', authors: 'author', sections: 'section', tags: 'tag' } as const;
const VIEWS = { sort: 'views', viewsAs: 'referrers_views' } as const;

type Category = (typeof REFERRER_CATEGORIES)[number];

const type = oneOf(REFERRER_CATEGORIES, 'How visitors came; other lists aggregator and ai as well.');
const section = texts('Posts in this section; in any of them when repeated.');
const tag = texts('Posts with this tag; with all of them when repeated.');
const domain = text(
  'Only this referrer: its name, its brand (google, facebook), or the very host it came from (google.de).',
).optional();
const listParams = { domain, ...periodParams(LOOK_BACK), ...publishedParams, limit, page };

const post = endpoint({
  summary: 'All referrers of one post, of every type but direct, on one page unless a limit is given.',
  record: 'Referrer',
  params: z.object({
    url,
    ...periodParams(LOOK_BACK),
    limit: whole({ min: 1, max: MAX_RECORDS, default: MAX_RECORDS, what: 'Records on a page.' }),
    page,
  }),
  async answer(ask, deps) {
    const canonical = await deps.library.resolve(ask.site.id, ask.params.url);
    const scope = await scopeOf(deps, ask, periodOf(ask.params, LOOK_BACK, clockOf(ask)));
    const by: FacetFilter = { facets: REFERRED_FACETS };
    const pages = { urls: scope.excluded.has(canonical) ? [] : [canonical] };
    return await answerReferrers(deps, ask, { by, scope: { ...scope, pages }, ...VIEWS });
  },
});

const ofType = endpoint({
  summary: 'Referrers of one type.',
  record: 'Referrer',
  params: z.object({ type, section, tag, ...listParams, ...periodParams(SPAN) }),
  async answer(ask, deps) {
    const scope = await scopeOf(deps, ask, periodOf(ask.params, SPAN, clockOf(ask)));
    const posts = postsOf(ask, { sections: ask.params.section, tags: ask.params.tag });
    return await answerReferrers(deps, ask, { by: cameBy(ask.params), scope: { ...scope, ...posts }, ...VIEWS });
  },
});

const posts = endpoint({
  summary: 'Posts, authors, sections or tags by the readers that one type of referrer sent.',
  params: z.object({
    type,
    meta: oneOf(['posts', 'authors', 'sections', 'tags'], 'What is listed.'),
    section,
    ...listParams,
  }),
  async answer(ask, deps) {
    const scope = await scopeOf(deps, ask, periodOf(ask.params, LOOK_BACK, clockOf(ask)));
    const posts = publishedPosts(ask, { sections: ask.params.section });
    const narrowed: Scope = { ...scope, facets: [cameBy(ask.params)], posts };
    const question = { key: KEYS[ask.params.meta], scope: narrowed, ...VIEWS };
    return ask.params.meta === 'posts'
      ? await answerPosts(deps, ask, question)
      : await answerNames(deps, ask, question);
  },
});

const named = endpoint({
  summary: 'Posts under one author, section or tag by the readers that one type of referrer sent.',
  record: 'Post',
  params: z.object({ type, meta: oneOf(METAS, 'What the name names.'), value: namedValue, ...listParams }),
  async answer(ask, deps) {
    const scope = await scopeOf(deps, ask, periodOf(ask.params, LOOK_BACK, clockOf(ask)));
    const posts = publishedPosts(ask, await namedFilter(deps, ask));
    const narrowed: Scope = { ...scope, facets: [cameBy(ask.params)], posts };
    return await answerPosts(deps, ask, { key: 'post', scope: narrowed, ...VIEWS });
  },
});

export const referrers = { post, ofType, posts, named };

/** Clients that support only types find aggregators and assistants under `other`. */
const OF_TYPE_OTHER = ['other', 'aggregator', 'ai'] as const;

function cameBy({ type, domain }: { type: Category; domain?: string | undefined }): FacetFilter {
  const facets = type === 'other' ? toFacets(OF_TYPE_OTHER) : toFacets([type]);
  if (domain === undefined) return { facets };
  const { names, host, formerNames } = referrersMeant(domain);
  return { facets, values: names, host: { is: host, formerNames } };
}

type PublishedAsk = ListAsk & { params: PublishedParams };

/** Without a filter on posts, the traffic of all pages counts, with and without metadata. */
function postsOf(ask: PublishedAsk, filters: PostFilters): { posts?: PostFilters } {
  const { pub_date_start: start, pub_date_end: end } = ask.params;
  const narrows = start || end || Object.values(filters).some((values) => values.length > 0);
  return narrows ? { posts: publishedPosts(ask, filters) } : {};
}

/** Lists of posts: posts dated in the future are left out unless they are requested. */
function publishedPosts(ask: PublishedAsk, filters: PostFilters): PostFilters {
  const { pub_date_start: start, pub_date_end: end } = ask.params;
  return { ...filters, published: resolvePublished({ start, end }, clockOf(ask)) };
}
