// Recommended posts, and the profile of a reader. A site whose recommendations are disabled is answered like an unknown
// one.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { DIALS, type DialName, type DialSettings, resolveDials } from '../contract/dials.ts';
import type { HistoryBody } from '../contract/wire.ts';
import { withDeadline } from '../deadline.ts';
import { StoreUnavailableError } from '../errors.ts';
import { toDefinitions } from '../experiments/toExperimentRecord.ts';
import { secretOf } from '../http/auth.ts';
import { type Ask, endpoint } from '../http/endpoint.ts';
import { addressOf, envelope, reachOf } from '../http/envelope.ts';
import { Forbidden } from '../http/errors.ts';
import { UNCHANGED } from '../http/etag.ts';
import { isGranted } from '../http/grantedRoutes.ts';
import { INDEX_HEADER, INDEX_LOADING } from '../http/indexLoading.ts';
import { rulesForList } from '../http/listRules.ts';
import { makeList } from '../http/longLists.ts';
import { flag, limit, page, share, text, url } from '../http/params.ts';
import { postFilterParams, postFiltersOf } from '../http/postFilters.ts';
import { chargeRecords } from '../http/readRate.ts';
import { send } from '../http/send.ts';
import { order } from '../http/sort.ts';
import { thumbnailOf } from '../http/thumbnailOf.ts';
import { toRelatedRecord } from '../posts/toPostRecord.ts';
import type { Recommendation, RecommendRequest } from '../recommend/request.ts';
import type { RecentRequest, RecommendedCard } from '../siteIndex/types.ts';
import { isValidSecret } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';

type Parts = Pick<
  Deps,
  'sites' | 'library' | 'profiles' | 'readership' | 'exclusions' | 'thumbnails' | 'settings' | 'now'
>;

/** Cache lifetime of a contextual list, in seconds: long enough to absorb a peak of readers, short enough for news. */
const KEEP_SECONDS = 60;
/**
 * Maximum wait for the index of a site that is not in memory, and for its hidden URLs, in milliseconds; most indexes
 * are loaded by then. That a database hangs is known only after seconds.
 */
const PATIENCE_MS = 1_000;
/**
 * After so many milliseconds of it the most recent posts are read, which are shown when the index is late: early enough
 * for a database that is busy with other loads.
 */
const AHEAD_MS = 250;
/** Maximum wait for them, in milliseconds. */
const RECENT_MS = 1_000;

const uuid = text('Profile ID: any string the client chose.');

const RELATED = z.object({
  url: url.optional(),
  uuid: uuid.optional(),
  ...postFilterParams,
  sort: order,
  ...dialParams(),
  rules: text('Name of a set of rules of editors; none: no rules. Default: the set that always applies.').optional(),
  respect_empty_results: flag('1: answer nothing where nothing is relevant.').default(false),
  explain: flag('1: says of each post why it stands where it stands. Needs the secret.').default(false),
  limit,
  page,
});

const VISIT = z.object({ uuid, url });
const HISTORY = z.object({ uuid });

const related = endpoint({
  summary: 'Posts to read next: closest to a URL, for a profile, or both.',
  params: RELATED,
  record: 'Related',
  statuses: UNCHANGED,
  answer: (ask, parts) => answerInTurn(parts, ask),
});

const similar = endpoint({
  ...related,
  summary: 'The old name of /related.',
  deprecated: true,
  async answer(ask, parts) {
    const successor = addressOf(ask.c, parts.settings);
    successor.pathname = successor.pathname.replace(/\/similar$/, '/related');
    ask.c.header('Deprecation', '@1577836800');
    ask.c.header('Link', `<${successor.href}>; rel="successor-version"`);
    return answerInTurn(parts, ask);
  },
});

const profile = endpoint({
  summary: 'Trains a profile: its visitor has read a URL.',
  params: VISIT,
  tool: false,
  changes: true,
  async answer({ site, params }, { profiles, library }) {
    requireRecommendations(site);
    await profiles.train(site.id, params.uuid, await library.resolve(site.id, params.url));
    return { success: true };
  },
});

const history = endpoint({
  summary: 'The URLs a profile was trained with, newest first.',
  params: HISTORY,
  async answer({ site, params }, { profiles, library }) {
    requireRecommendations(site);
    const visits = await profiles.visits(site.id, params.uuid);
    const urls = await library.resolveAll(
      site.id,
      visits.map(({ url }) => url),
    );
    return { data: { uuid: params.uuid, urls: [...new Set(urls)] }, success: true } satisfies HistoryBody;
  },
});

export const recommendations = { related, similar, profile, history };

type RelatedAsk = Ask<z.output<typeof RELATED>>;

/** Charges the rate limit before the request waits for the semaphore. */
function answerInTurn(deps: Parts, ask: RelatedAsk): Promise<Response> {
  chargeRecords(ask.c, ask.params);
  return makeList(ask.c, ask.params, () => answerRelated(deps, ask));
}

async function answerRelated(deps: Parts, { site, params, now, c }: RelatedAsk): Promise<Response> {
  requireRecommendations(site);
  const isEditor = () =>
    isOfSession(c, site) ||
    isGranted(c, site) ||
    isValidSecret(secretOf(c, c.get('query')), { site, kind: 'read', now });
  if (params.explain && !isEditor()) throw new Forbidden();
  const dialsOf = (isReaderKnown: boolean) =>
    resolveDials({ url: params.url !== undefined, visits: isReaderKnown }, saidDials(params), site.dials);
  // With the mix at 0 the page decides alone, for every reader.
  const isPersonal = params.uuid !== undefined && (params.url === undefined || dialsOf(true).mix > 0);
  const rules = await rulesForList(deps, site, { ...params, now });
  const filters = postFiltersOf(params, { now, zone: site.timezone });
  const asked = {
    filters: rules ? { ...filters, exclude: [...(filters.exclude ?? []), ...rules.exclude] } : filters,
    // One post more than the page holds shows whether another page follows.
    limit: reachOf(params) + 1,
    page: 1,
    respectEmpty: params.respect_empty_results,
    ...(rules && { hidden: rules.hidden }),
    ...(params.url !== undefined && { url: params.url }),
  };
  const [excluded, visits, loaded] = await Promise.all([
    whileAnswering(deps.exclusions.of(site.id), deps.library.isLoaded(site.id) ? undefined : PATIENCE_MS),
    isPersonal ? visitsOf(deps, site, params) : undefined,
    params.explain ? { isReady: true } : loadedInTime(deps, site, { ...asked, excluded: new Set() }),
  ]);
  const dials = dialsOf(visits !== undefined);
  const readers = visits || dials.mix > 0 || dials.popularity > 0 ? deps.readership?.of(site.id) : undefined;
  const request: RecommendRequest = {
    ...asked,
    dials,
    excluded: excluded ?? new Set(),
    ...(rules && { pins: rules.pins }),
    sort: params.sort === 'pub_date' ? 'pub_date' : 'score',
    ...(visits && { visits }),
    ...(readers && { readers }),
  };
  // The hidden URLs are unknown: any post may be one of them.
  const list = excluded === undefined ? EMPTY : await listOf(deps, site, { request, params, ...loaded });
  const explained = params.explain ? await deps.library.explain(site.id, request, list.found) : [];
  const reasons = new Map(explained.map(({ url, ...reason }) => [url, reason]));
  const thumbnail = thumbnailOf(deps, { c, site });
  const body = envelope({
    data: list.posts.map((post) => {
      const explain = reasons.get(post.url);
      return { ...toRelatedRecord(post, thumbnail), ...(explain && { explain }) };
    }),
    meta: { metrics: [], sort: params.sort },
    more: list.more,
    page: params.page,
    limit: params.limit,
    address: addressOf(c, deps.settings),
  });
  if (list.loading) c.header(INDEX_HEADER, INDEX_LOADING[INDEX_HEADER]);
  // A personal list shows which pages a visitor has read: shared caches must not store it.
  const forAll = params.uuid === undefined && !params.explain && !list.loading;
  return send(c, { ...body, ...toDefinitions(site.experiments) }, forAll ? { public: KEEP_SECONDS } : 'private');
}

/** A parameter for each dial. */
function dialParams(): Record<DialName, ReturnType<typeof share>> {
  const pairs = DIALS.map(({ name, sentence, ends: [none, all] }) => [
    name,
    share(`${sentence} 0: ${none}; 1: ${all}.`),
  ]);
  return Object.fromEntries(pairs);
}

function saidDials(params: RelatedAsk['params']): DialSettings {
  const said = DIALS.flatMap(({ name }) => (params[name] === undefined ? [] : [[name, params[name]]]));
  return Object.fromEntries(said);
}

interface RelatedList {
  posts: RecommendedCard[];
  /** The part of the index's answer that is on the page; empty where the index is not loaded. */
  found: Recommendation[];
  /** Whether another page follows. */
  more: boolean;
  /** Whether the most recent posts, or those of a snapshot, replace those of the index. */
  loading: boolean;
}

const EMPTY: RelatedList = { posts: [], found: [], more: false, loading: true };

interface Loaded {
  /** Whether the index of the site is in memory. */
  isReady: boolean;
  /** Whether the most recent posts are read in time. Absent: they are not needed. */
  isRead?: Promise<boolean>;
}

/** Waits for the index of a site. If it takes longer, the most recent posts are read meanwhile. */
async function loadedInTime({ library }: Pick<Parts, 'library'>, site: Site, asked: RecentRequest): Promise<Loaded> {
  const ready = library.ready(site.id, PATIENCE_MS);
  if (await withDeadline(ready, AHEAD_MS, () => false)) return { isReady: true };
  const isRead = whileAnswering(library.recent(site.id, asked), RECENT_MS).then(
    (recent) => recent !== undefined,
    // The list reads them again, and gets the failure.
    () => true,
  );
  return { isReady: await ready, isRead };
}

/**
 * The posts of one page. Where the index is not loaded in time, the most recent posts; where the database does not
 * answer soon, those of the snapshot, and none where there is no snapshot.
 */
async function listOf(
  { library }: Pick<Parts, 'library'>,
  site: Site,
  { request, params, isReady, isRead }: { request: RecommendRequest; params: RelatedAsk['params'] } & Loaded,
): Promise<RelatedList> {
  const onPage = <T>(all: readonly T[]) => all.slice(params.limit * (params.page - 1), reachOf(params));
  const isMore = ({ length }: readonly unknown[]) => length > reachOf(params);
  if (!isReady) {
    const recent = (await isRead) ? await whileAnswering(library.recent(site.id, request)) : undefined;
    const posts =
      recent?.map((card) => ({ ...card, source: 'recent' as const })) ??
      (await library.recommendAway(site.id, request));
    return { posts: onPage(posts), found: [], more: isMore(posts), loading: true };
  }
  const all = await library.recommend(site.id, request);
  const found = onPage(all);
  const cards = await library.cards(
    site.id,
    found.map((post) => post.url),
  );
  const sources = new Map(found.map(({ url, source }) => [url, source]));
  const posts = cards.map((card) => ({ ...card, source: sources.get(card.url)! }));
  return { posts, found, more: isMore(all), loading: false };
}

/**
 * The pages a reader has read. While the database is unavailable and they are not in memory, the request's page alone
 * determines the list; without a page, the most recent posts are shown.
 */
async function visitsOf({ profiles }: Pick<Parts, 'profiles'>, site: Site, { uuid }: { uuid?: string | undefined }) {
  if (uuid === undefined) return undefined;
  return await whileAnswering(profiles.visits(site.id, uuid), PATIENCE_MS);
}

/**
 * @param ms Milliseconds it is waited for at most. Default: as long as it takes.
 * @returns undefined while the database is unavailable, or does not answer in time.
 */
async function whileAnswering<T>(asked: Promise<T>, ms?: number): Promise<T | undefined> {
  try {
    return await (ms === undefined ? asked : withDeadline(asked, ms, () => undefined));
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}

/** Asked by a reader of the console, who has no secret to show. */
function isOfSession(c: RelatedAsk['c'], { id }: Site): boolean {
  const session = c.get('session');
  return session !== undefined && (session.role === 'operator' || session.site.id === id);
}

function requireRecommendations(site: Site): void {
  if (!site.features.recommendations) throw new Forbidden();
}
