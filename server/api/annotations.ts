// Annotations, moments that explain a curve: those derived from posts and experiments, and those that a site writes, a
// deploy for example. Read with the secret, written and removed with the write secret.
import { z } from 'zod';
import { type AnnotationRecord, MAX_ANNOTATIONS } from '../contract/annotations.ts';
import { ANNOTATION_INPUT, annotationOf } from '../http/annotationInput.ts';
import { DRY_RUN, KEYS } from '../http/bodyFields.ts';
import { type Ask, endpoint, type Parts } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { clockOf, detailOf } from '../http/lists.ts';
import { whole } from '../http/params.ts';
import { analyticsPeriodParams } from '../http/period.ts';
import { postTrafficOf, postTrafficParams, TRAFFIC_RULE } from '../http/postTraffic.ts';
import { send } from '../http/send.ts';
import {
  annotationsOfExperiments,
  type DerivedAnnotation,
  happenedTo,
  publishedIn,
  updatedIn,
} from '../rankings/derivedAnnotations.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { type Annotation, addAnnotation } from '../sites/annotations.ts';
import type { Store } from '../storage/store.ts';
import { toLocalIso } from '../traffic/intervals.ts';
import { compileUrlsUnder } from '../traffic/pages.ts';
import type { Scope } from '../traffic/scope.ts';

type Shown = DerivedAnnotation & { id?: string };

const toRecord = ({ id = '', kind, at, label, url }: Shown, zone: string): AnnotationRecord => ({
  id: id === '' ? null : id,
  kind,
  time: toLocalIso(at, zone),
  label,
  url,
});

const list = endpoint({
  summary:
    'Moments that explain a curve, the newest first: the ten posts that were read most of those published in the period, and of those changed in it; experiments, and what the site wrote; of one post, when it was published and changed, and tests of its titles.',
  record: 'Annotation',
  params: z.object({
    ...analyticsPeriodParams(TRAFFIC_RULE),
    ...postTrafficParams,
    limit: whole({ min: 1, max: MAX_ANNOTATIONS, default: 50, what: 'How many, the newest ones.' }),
  }),
  async answer(ask, parts) {
    const { site, params } = ask;
    const scope = await postTrafficOf(parts, ask);
    const { start, end } = scope.period;
    const [ofPosts, own] = await Promise.all([
      params.post === undefined ? readPosts(parts, scope) : readPost(parts, scope),
      readOwn(parts.store, scope),
    ]);
    const all: Shown[] = [...ofPosts, ...annotationsOfExperiments(site.experiments ?? []), ...own];
    const inPeriod = all.filter(({ at }) => at >= start && at <= end).sort((one, other) => other.at - one.at);
    const data = inPeriod.slice(0, params.limit).map((one) => toRecord(one, site.timezone));
    return { ...detailOf(parts, ask, { data, metrics: [], sort: 'time' }), more: inPeriod.length - data.length };
  },
});

/** Those of all posts that the filters choose. */
async function readPosts(parts: Pick<Parts, 'library' | 'store'>, scope: Scope): Promise<DerivedAnnotation[]> {
  const look = (urls: string[]) => lookUp(parts, scope, urls);
  const { traffic } = parts.store;
  return (await Promise.all([publishedIn(traffic, scope), updatedIn(traffic, scope, look)])).flat();
}

/** What is known of some posts, in their order. */
async function lookUp({ library, store }: Pick<Parts, 'library' | 'store'>, { site }: Scope, urls: string[]) {
  const [posts, entries] = await Promise.all([library.cards(site, urls), store.crawlQueue.get(site, urls)]);
  const known = new Map(posts.map((post) => [post.url, post]));
  const firstSeen = new Map(entries.map((entry) => [entry.url, entry.firstSeen]));
  return urls.flatMap((url) => {
    const post = known.get(url);
    return post ? [{ post, firstSeen: firstSeen.get(url) }] : [];
  });
}

/** The post of the filter; nothing where it is hidden, or not known. */
async function readPost(parts: Pick<Parts, 'library' | 'store'>, scope: Scope): Promise<DerivedAnnotation[]> {
  const urls = (scope.posts?.urls ?? []).filter((url) => !scope.excluded.has(url));
  const look = (some: string[]) => lookUp(parts, scope, some);
  return await happenedTo(parts.store.traffic, scope, { urls, look });
}

/** Those about the whole site, and those about the posts that the filters choose. Their URLs are canonical ones. */
async function readOwn(
  { annotations, traffic }: Pick<Store, 'annotations' | 'traffic'>,
  { site, period, excluded, posts }: Scope,
): Promise<Annotation[]> {
  const own = await annotations.list(site, period);
  const ofPosts = own.map(({ url }) => url).filter((url) => url !== '' && !excluded.has(url));
  const chosen = new Set(ofPosts.length === 0 ? [] : await chosenOf(ofPosts, { site, posts, traffic }));
  return own.filter(({ url }) => url === '' || chosen.has(url));
}

/** Beside a post, the other filters choose nothing. Without any, a page that is no known post has its annotations. */
async function chosenOf(
  urls: readonly string[],
  { site, posts = {}, traffic }: Pick<Scope, 'site' | 'posts'> & Pick<Store, 'traffic'>,
): Promise<readonly string[]> {
  const { urls: asked, ...filters } = posts;
  if (asked !== undefined) return asked;
  if (Object.keys(filters).length === 0) return urls;
  const found = await traffic.run(compileUrlsUnder(site, { ...filters, urls }));
  return found.map(({ url }) => String(url));
}

const BODY = z
  .object({
    ...KEYS,
    ...ANNOTATION_INPUT,
    label: ANNOTATION_INPUT.label.optional(),
    remove: z.string('Give the id of an annotation.').optional().meta({ description: 'Id of one that goes.' }),
    ...DRY_RUN,
  })
  .meta({ required: ['apikey', 'secret'] });

type Change = Ask<unknown, object, z.output<typeof BODY>> & { site: Ask<unknown>['site'] };

const ONE = 'Give one of label and remove.';

const change = endpoint({
  summary: 'Writes an annotation, a deploy for example, or removes one: one of label and remove.',
  params: z.object({}),
  body: {
    schema: BODY,
    example: { apikey: SITE, secret: WRITE_SECRET, kind: 'deploy', label: 'New front page' },
    limits: {
      max: 16_384,
      sentence: 'Send a JSON object with apikey, secret and one of label and remove.',
      path: true,
    },
  },
  async answer(ask, parts) {
    const { label, remove } = ask.body;
    if ((label === undefined) === (remove === undefined)) throw new BadParameters({ label: [ONE], remove: [ONE] });
    const changed = label === undefined ? await removeOne(ask, parts, remove ?? '') : await addOne(ask, parts, label);
    return send(ask.c, { data: [toRecord(changed, ask.site.timezone)], success: true });
  },
});

async function addOne(ask: Change, { library, store }: Parts, label: string): Promise<Annotation> {
  const { site, body, now } = ask;
  const url = body.url === undefined ? undefined : await library.resolve(site.id, body.url);
  const annotation = annotationOf({ ...body, label, ...(url !== undefined && { url }) }, clockOf(ask));
  if (typeof annotation === 'string') throw new BadParameters({ date: [annotation] });
  if (body.dry_run === true || (await addAnnotation(store.annotations, site.id, { annotation, now })))
    return annotation;
  throw new BadParameters({ date: [`The site has ${MAX_ANNOTATIONS} later annotations, and keeps no more.`] });
}

async function removeOne({ site, body, now }: Change, { store }: Parts, id: string): Promise<Annotation> {
  const { annotations } = store;
  const found = body.dry_run
    ? (await annotations.list(site.id)).find((one) => one.id === id)
    : await annotations.remove(site.id, id, now);
  if (found !== undefined) return found;
  throw new BadParameters({ remove: ['The site has no such annotation: its id stands in /v2/analytics/annotations.'] });
}

export const annotations = { list, change };
