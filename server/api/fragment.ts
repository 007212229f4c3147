// The widget's lists as HTML, for pages without JavaScript, frames, AMP and static builds. A fragment requests the list
// endpoints of the interface with their own parameters, and is cached in memory like a list.
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { MAX_TOP_DAYS } from '../contract/limits.ts';
import type { ErrorBody } from '../contract/wire.ts';
import { MINUTE } from '../durations.ts';
import { OverloadedError, StoreUnavailableError } from '../errors.ts';
import { LOOK, type Look } from '../fragment/look.ts';
import { type Ask, endpoint, type Parts } from '../http/endpoint.ts';
import { addressOf } from '../http/envelope.ts';
import { BadParameters, Forbidden, toErrorBody } from '../http/errors.ts';
import { UNCHANGED } from '../http/etag.ts';
import { cacheControl } from '../http/headers.ts';
import { hotKey, Provisional, sendHotList } from '../http/hotLists.ts';
import { INDEX_HEADER, INDEX_LOADING } from '../http/indexLoading.ts';
import { isList, oneOf, type ParamSchema, url } from '../http/params.ts';
import { all, type Query } from '../http/query.ts';
import { chargeRanking } from '../http/readRate.ts';
import { pageUrl } from '../posts/canonicalUrl.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteId } from '../sites/site.ts';

/** Parameters of a list that a fragment does not take: a fragment has no reader, a single page, and its own length. */
const NOT_ASKED = ['uuid', 'page', 'limit', 'explain'];
/** Posts requested beyond those shown, since one of them may be the page itself. */
const SPARE = 1;

/** Posts of the ranking that fill up a related list. */
const MOST_ASKED = 25;
/** Days it looks back where the list names none. */
const RANKED_DAYS = '7';
const UNRANKED = ['exclude', 'pub_date_start', 'pub_date_end'];

interface ListBody {
  success: true;
  data: { url: string }[];
}

const KINDS = {
  related: { feature: 'recommendations', path: () => '/v2/related' },
  top: { feature: 'top', path: ({ type }: Record<string, unknown>) => `/v2/top/${type}` },
} as const;

type Kind = keyof typeof KINDS;

const WRONG = 'What was wrong with the question.';
/** Errors that have an HTTP status of their own: the answer is included in pages. */
const REFUSALS = { 403: WRONG, 422: WRONG, 429: 'Too many questions at once.' };

type FragmentParts = Pick<Parts, 'library' | 'settings' | 'lists' | 'request'>;

const fragmentOf = <S extends ParamSchema['shape']>(kind: Kind, filters: S) =>
  endpoint({
    summary: `The list of /${kind} as HTML, as the widget draws it.`,
    params: z.object({ ...filters, ...LOOK }),
    answers: 'text/html',
    statuses: { ...UNCHANGED, ...REFUSALS },
    answer: (ask, parts) => answerFragment(parts, ask as Ask<Record<string, unknown>>, { kind, filters }),
  });

/** @param list The endpoint of the list. */
export const relatedFragment = (list: { params: ParamSchema }) => fragmentOf('related', filtersOf(list));

/** @param list The endpoint of the list. */
export const topFragment = (list: { params: ParamSchema }) =>
  fragmentOf('top', {
    ...filtersOf(list),
    type: oneOf(['posts', 'videos'], 'What is listed.').default('posts'),
    url: url.meta({ description: 'The page it stands on: marked in the list.' }).optional(),
  });

interface Source {
  kind: Kind;
  /** Parameters of the list. */
  filters: ParamSchema['shape'];
}

const filtersOf = ({ params }: { params: ParamSchema }): ParamSchema['shape'] =>
  Object.fromEntries(Object.entries(params.shape).filter(([name]) => !NOT_ASKED.includes(name)));

/** @throws {Forbidden} where the lists of a site are not public. */
async function answerFragment(
  { library, settings, lists, request }: FragmentParts,
  { site, params, now, c }: Ask<Record<string, unknown>>,
  { kind, filters }: Source,
): Promise<Response> {
  if (!site.features[KINDS[kind].feature]) throw new Forbidden();
  const look = params as Look;
  const page = params.url as string | undefined;
  const { drawFragment, policyOf } = await import('../fragment/draw.tsx');
  // Thumbnails may be on this server, at the host of the request.
  const { origin } = addressOf(c, settings);
  const key = hotKey(site.id, 'fragment', kind, origin, JSON.stringify(params));
  const list = await lists.get({ site: site.id, key }, async () => {
    const said = saidOf(c.get('query'), filters);
    const query = new URLSearchParams([['apikey', site.id], ['limit', String(look.limit + SPARE)], ...said]);
    let loading = false;
    let short = false;
    const ask = async (target: string) => {
      if (target.startsWith('/v2/top')) chargeRanking(c);
      const { body, isLoading } = await askForList(request, new URL(target, c.req.url).href);
      loading ||= isLoading;
      return body;
    };
    const canonical = page && (await resolved(library, site.id, page));
    const own = await ask(`${KINDS[kind].path(params)}?${query}`);
    const wider = kind === 'related' && look.fill !== 'off' && !params.respect_empty_results;
    const html = drawFragment({
      kind,
      look,
      body: wider
        ? await fillUp(own, {
            // Where no ranking can be made now, a short list is answered instead of an error.
            ask: (target) =>
              ask(target).catch((error: unknown) => {
                if (!(error instanceof OverloadedError)) throw error;
                short = true;
                return { ...own, data: [] };
              }),
            query,
            enough: look.limit,
            page: canonical,
            top: site.features.top,
          })
        : own,
      url: canonical,
      // All readers of a cached page are shown the same; what they are shown changes with the minute and the page.
      reader: `${canonical} ${Math.floor(now / MINUTE)}`,
      zone: site.timezone,
      filters: toAttributes(said),
    });
    if (loading) return new Provisional(html, INDEX_LOADING);
    return short ? new Provisional(html, { 'Cache-Control': cacheControl('private') }) : html;
  });
  return sendHotList(c, list, { 'Content-Security-Policy': policyOf(look) });
}

interface Wider {
  ask(target: string): Promise<ListBody>;
  /** Query of the list that is filled up. */
  query: URLSearchParams;
  enough: number;
  page: string | undefined;
  /** Whether the site has rankings. */
  top: boolean;
}

/**
 * Fills up a short list of related posts with the most read posts of a week, or of the days of the list, then with the
 * newest posts. Each post occurs once, and all lists have the same filters.
 */
async function fillUp(own: ListBody, { ask, query, enough, page, top }: Wider): Promise<ListBody> {
  const newest = new URLSearchParams(query);
  newest.delete('url');
  const ranked = new URLSearchParams(newest);
  ranked.set('limit', String(MOST_ASKED));
  const days = query.get('days') || RANKED_DAYS;
  ranked.set('days', days);
  // Rankings support neither dates nor exclusions.
  const asRanked = top && Number(days) <= MAX_TOP_DAYS && !UNRANKED.some((name) => query.has(name));
  const posts = new Map(own.data.map((post) => [post.url, post]));
  for (const target of [...(asRanked ? [`/v2/top/posts?${ranked}`] : []), `/v2/related?${newest}`]) {
    if (posts.size - Number(posts.has(page ?? '')) >= enough) break;
    for (const post of (await ask(target)).data) if (!posts.has(post.url)) posts.set(post.url, post);
  }
  return { ...own, data: [...posts.values()] };
}

/** Resolves the URL of a page. While the database is unavailable, the URL without its query. */
async function resolved(library: Library, site: SiteId, url: string): Promise<string> {
  try {
    return await library.resolve(site, url);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return pageUrl(url) ?? url;
    throw error;
  }
}

/** Names and values of the request for the list, whichever of their spellings the fragment was requested with. */
const saidOf = (query: Query, filters: ParamSchema['shape']): [name: string, value: string][] =>
  Object.entries(filters).flatMap(([name, type]) =>
    ((isList(type) ? all(query, name) : query.get(name)) ?? []).map((value): [string, string] => [name, value]),
  );

/**
 * Parameters as attributes of a slot. Several values of an attribute that takes one cannot be expressed, nor can an
 * exclusion with a bar in it: bars stand between several.
 */
function toAttributes(said: readonly [name: string, value: string][]): Record<string, string> | undefined {
  const values = new Map<string, string[]>();
  for (const [name, value] of said) values.set(name, [...(values.get(name) ?? []), value]);
  const cannot = [...values].some(([name, each]) =>
    name === 'exclude' ? each.some((value) => value.includes('|')) : each.length > 1,
  );
  return cannot ? undefined : Object.fromEntries([...values].map(([name, each]) => [name, each.join('|')]));
}

/** @throws the error by which the interface refuses the list. */
async function askForList(request: Parts['request'], target: string): Promise<{ body: ListBody; isLoading: boolean }> {
  const response = await request(target);
  const body = (await response.json()) as ErrorBody | ListBody;
  if (body.success) return { body, isLoading: response.headers.has(INDEX_HEADER) };
  if (body.code === 422) throw new BadParameters(body.errors ?? {});
  if (body.code === 403) throw new Forbidden();
  if (body.code === 503) throw new OverloadedError();
  throw new Error(`The list was answered with ${body.code}: ${body.message}`);
}

/**
 * Sends errors with their own HTTP status besides the code in the body, so that a page that includes the answer does
 * not take them for HTML.
 */
export const withStatus: MiddlewareHandler = async (c: Context, next) => {
  await next();
  const body = c.error && toErrorBody(c.error);
  if (body) c.res = new Response(c.res.body, { status: body.code, headers: c.res.headers });
};
