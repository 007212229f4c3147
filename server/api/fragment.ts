// GET /v2/fragment/{related,top}: the widget's lists as HTML, for pages without JavaScript, frames, AMP and static builds.
// Asks the interface's own list endpoints, with the parameters those take; kept ready in memory like the lists.
//
//   app.route('/v2', fragment(deps, app, lists));      after the lists are routed
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import type { ErrorBody } from '../contract/wire.ts';
import { OverloadedError, StoreUnavailableError } from '../errors.ts';
import { LOOK, type Look } from '../fragment/look.ts';
import type { HttpEnv } from '../http/auth.ts';
import { type Ask, type Endpoint, endpointOf, get } from '../http/endpoint.ts';
import { addressOf } from '../http/envelope.ts';
import { BadParameters, Forbidden, toErrorBody } from '../http/errors.ts';
import { cacheControl } from '../http/headers.ts';
import { type HotLists, hotKey, Provisional, sendHotList } from '../http/hotLists.ts';
import { INDEX_HEADER, INDEX_LOADING } from '../http/indexLoading.ts';
import { oneOf, type ParamSchema, url } from '../http/params.ts';
import { chargeRanking } from '../http/readRate.ts';
import { pageUrl } from '../posts/canonicalUrl.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteId } from '../sites/site.ts';

/** Of a list's own parameters: a fragment is nobody's in particular, one page long, and as long as it looks. */
const NOT_ASKED = ['uuid', 'page', 'limit', 'explain'];
/** Beyond those shown: one may be the page itself. */
const SPARE = 1;

/** Posts of the ranking that a related list is filled up from. */
const MOST_ASKED = 25;
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

/** @param api The application that has the lists. */
export function fragment(
  deps: Pick<Deps, 'sites' | 'library' | 'settings' | 'now'>,
  api: Hono,
  lists: HotLists,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use('/fragment/*', withStatus);
  const related = filtersOf(api, '/v2/related');
  const top = {
    ...filtersOf(api, '/v2/top/posts'),
    type: oneOf(['posts', 'videos'], 'What is listed.').default('posts'),
    url: url.meta({ description: 'The page it stands on: marked in the list.' }).optional(),
  };
  for (const [kind, filters] of Object.entries({ related, top }) as [Kind, ParamSchema['shape']][]) {
    get(app, deps, {
      path: `/fragment/${kind}`,
      guard: 'site',
      summary: `The list of /${kind} as HTML, as the widget draws it.`,
      params: z.object({ ...filters, ...LOOK }),
      answers: 'text/html',
      answer: (ask) => answerFragment(deps, ask, { kind, names: Object.keys(filters), api, lists }),
    });
  }
  return app;
}

interface Source {
  kind: Kind;
  /** Parameters of the list. */
  names: string[];
  api: Hono;
  lists: HotLists;
}

/** @throws {Error} when the list is not routed yet. */
function filtersOf(api: Hono, path: string): ParamSchema['shape'] {
  const [endpoint] = api.routes.flatMap((route): Endpoint[] => {
    const found = route.path === path ? endpointOf(route.handler) : undefined;
    return found ? [found] : [];
  });
  if (!endpoint) throw new Error(`${path} is to be routed before its fragment.`);
  return Object.fromEntries(Object.entries(endpoint.params.shape).filter(([name]) => !NOT_ASKED.includes(name)));
}

/** @throws {Forbidden} where a site keeps its lists to itself. */
async function answerFragment(
  { library, settings }: Pick<Deps, 'library' | 'settings'>,
  { site, params, c }: Ask<Record<string, unknown>>,
  source: Source,
): Promise<Response> {
  const { kind, names, api, lists } = source;
  if (!site.features[KINDS[kind].feature]) throw new Forbidden();
  const look = params as Look;
  const page = params.url as string | undefined;
  const { drawFragment, policyOf } = await import('../fragment/draw.tsx');
  // Pictures may be of this server, on the host it was asked on.
  const { origin } = addressOf(c, settings);
  const key = hotKey(site.id, 'fragment', kind, origin, JSON.stringify(params));
  const list = await lists.get({ site: site.id, key }, async () => {
    const said = names.flatMap((name) => (c.get('query').get(name) ?? []).map((value) => [name, value]));
    const query = new URLSearchParams([['apikey', site.id], ['limit', String(look.limit + SPARE)], ...said]);
    let loading = false;
    let short = false;
    const ask = async (target: string) => {
      if (target.startsWith('/v2/top')) chargeRanking(c);
      const { body, isLoading } = await askForList(api, new URL(target, c.req.url).href);
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
            // A list that is short serves better than none, where a ranking cannot be made now.
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
  /** Of the list that is filled up. */
  query: URLSearchParams;
  enough: number;
  page: string | undefined;
  /** The site has rankings. */
  top: boolean;
}

/** Where too few posts are related, those read most in a week follow, then the newest; each post once, filters as for the others. */
async function fillUp(own: ListBody, { ask, query, enough, page, top }: Wider): Promise<ListBody> {
  const newest = new URLSearchParams(query);
  newest.delete('url');
  const ranked = new URLSearchParams(newest);
  ranked.set('limit', String(MOST_ASKED));
  ranked.set('days', '7');
  // Rankings know nothing of dates, nor of what is to be left out.
  const asRanked = top && !UNRANKED.some((name) => query.has(name));
  const posts = new Map(own.data.map((post) => [post.url, post]));
  for (const target of [...(asRanked ? [`/v2/top/posts?${ranked}`] : []), `/v2/related?${newest}`]) {
    if (posts.size - Number(posts.has(page ?? '')) >= enough) break;
    for (const post of (await ask(target)).data) if (!posts.has(post.url)) posts.set(post.url, post);
  }
  return { ...own, data: [...posts.values()] };
}

/** While the database is away, the address without its query. */
async function resolved(library: Library, site: SiteId, url: string): Promise<string> {
  try {
    return await library.resolve(site, url);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return pageUrl(url) ?? url;
    throw error;
  }
}

/** A slot says the same by attributes, but for several values of what takes one. */
function toAttributes(said: string[][]): Record<string, string> | undefined {
  const values = new Map<string, string[]>();
  for (const [name = '', value = ''] of said) values.set(name, [...(values.get(name) ?? []), value]);
  const several = [...values].some(([name, { length }]) => name !== 'exclude' && length > 1);
  return several ? undefined : Object.fromEntries([...values].map(([name, all]) => [name, all.join('|')]));
}

/** @throws what the interface refuses it with. */
async function askForList(api: Hono, target: string): Promise<{ body: ListBody; isLoading: boolean }> {
  const response = await api.request(target);
  const body = (await response.json()) as ErrorBody | ListBody;
  if (body.success) return { body, isLoading: response.headers.has(INDEX_HEADER) };
  if (body.code === 422) throw new BadParameters(body.errors ?? {});
  if (body.code === 403) throw new Forbidden();
  if (body.code === 503) throw new OverloadedError();
  throw new Error(`The list was answered with ${body.code}: ${body.message}`);
}

/** An error is not to be taken for HTML by whoever includes the answer in a page: it has a status of its own, beside its body. */
const withStatus: MiddlewareHandler = async (c: Context, next) => {
  await next();
  const body = c.error && toErrorBody(c.error);
  if (body) c.res = new Response(c.res.body, { status: body.code, headers: c.res.headers });
};
