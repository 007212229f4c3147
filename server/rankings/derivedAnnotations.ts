// Annotations of a curve, derived from what is stored anyway: posts published and updated, tests of titles and
// pictures, experiments of lists.
import { HOUR, MINUTE } from '../durations.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { isOneThing, type PostCard } from '../posts/post.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileChangedIn } from '../traffic/pages.ts';
import type { Scope } from '../traffic/scope.ts';
import { addDays, dayOf, startOfDay } from '../traffic/zone.ts';
import { publicationOf } from './publicationOf.ts';
import { rank, rankPosts } from './rankings.ts';

export interface DerivedAnnotation {
  /** Epoch milliseconds. */
  at: number;
  kind: string;
  label: string;
  /** Of the post that it is about; "": the whole site. */
  url: string;
}

/**
 * A newsroom publishes a hundred posts a day, and a mark for each would hide the curve. Those that were read most move
 * it: an editor in the morning wants to know which of yesterday's posts made the peak. They are the most read of those
 * that were published in the period, not of all: older posts would crowd out this morning's.
 */
const MOST_POSTS = 10;
/** What is stored within this time belongs to the publication: its page is read for the first time, and corrected. */
const SETTLED_MS = HOUR;

/** The posts among those published in the period that were read most in it. */
export async function publishedIn(store: TrafficStore, scope: Scope): Promise<DerivedAnnotation[]> {
  const { period, zone, posts: { published, ...filters } = {} } = scope;
  const start = Math.max(period.start, published?.start ?? period.start);
  const end = Math.min(period.end, published?.end ?? period.end);
  if (start > end) return [];
  const among = async (published: { start: number; end: number }, limit: number) => {
    const posts = { ...filters, published };
    return (await rankPosts(store, { key: 'post', scope: { ...scope, posts }, sort: 'views', limit, offset: 0 }))
      .records;
  };
  const dated = datedBefore(start, zone);
  const ranked = [
    // Some may be of the day after the period, by their date.
    ...(await among({ start, end }, 2 * MOST_POSTS)),
    ...(dated === undefined ? [] : await among({ start: dated, end: dated }, MOST_POSTS)),
  ].sort((one, other) => other.hits - one.hits);
  return ranked
    .flatMap(({ post: { url, title, pubDate } }): DerivedAnnotation[] =>
      pubDate === null ? [] : [{ at: publicationOf(pubDate, zone), kind: 'published', label: title, url }],
    )
    .filter(({ at }) => at >= start && at <= end)
    .slice(0, MOST_POSTS);
}

/** Where dates of the first day that begins in a period are kept, if that is before the period: west of UTC. */
function datedBefore(start: number, zone: string): number | undefined {
  const today = dayOf(start, zone);
  const day = startOfDay(today, zone) < start ? addDays(today, 1) : today;
  const kept = Date.parse(`${day}T00:00:00Z`);
  return kept < start ? kept : undefined;
}

/** Of the posts that changed so many, those that were read most, are compared with the first reading of their page. */
const MOST_CHANGED = 100;
/** More changes of a site within a minute are an import, or a new template, and no work of editors. */
const MOST_OF_MINUTE = 10;
/** Changed posts of a minute that are looked up: the first reading of a page is no update, and some may be that. */
const LOOKED_AT = 3 * MOST_OF_MINUTE;

/** Reads what is known of some posts, and when the crawler met their pages. */
type Look = (urls: string[]) => Promise<{ post: PostCard; firstSeen: number | undefined }[]>;

/**
 * When the posts among those that changed in the period were changed last that were read most in it: as many as are
 * listed of those that were published.
 */
export async function updatedIn(store: TrafficStore, scope: Scope, look: Look): Promise<DerivedAnnotation[]> {
  const { period, posts } = scope;
  if (period.start > period.end) return [];
  const changed = { ...posts, updated: { ...period, afterDate: SETTLED_MS } };
  const ranked = await rank(store, {
    key: 'post',
    scope: { ...scope, posts: changed },
    sort: 'views',
    limit: MOST_CHANGED,
    offset: 0,
  });
  const urls = ranked.records.map(({ name }) => name);
  const found = await readAnnotations(look, scope, urls);
  return (await withoutImports(store, scope, { found: found.filter(isUpdate), look })).slice(0, MOST_POSTS);
}

/** What happened to some posts. */
const readAnnotations = async (look: Look, { zone }: Scope, urls: string[]): Promise<DerivedAnnotation[]> =>
  (await look(urls)).flatMap(({ post, firstSeen }) => annotationsOf(post, firstSeen, zone));

const isUpdate = ({ kind }: DerivedAnnotation): boolean => kind === 'updated';

const minuteOf = ({ at }: DerivedAnnotation): number => Math.floor(at / MINUTE);

/** Leaves out updates of minutes in which too many posts of the site changed, whatever posts the filters choose. */
async function withoutImports(
  store: TrafficStore,
  scope: Scope,
  { found, look }: { found: DerivedAnnotation[]; look: Look },
): Promise<DerivedAnnotation[]> {
  const minutes = [...new Set(found.filter(isUpdate).map(minuteOf))];
  if (minutes.length === 0) return found;
  const asked = { minutes, afterDate: SETTLED_MS, most: LOOKED_AT };
  const urls = (await store.run(compileChangedIn(scope.site, asked))).map(({ url }) => String(url));
  const ofMinute = new Map<number, number>();
  for (const minute of (await readAnnotations(look, scope, urls)).filter(isUpdate).map(minuteOf))
    ofMinute.set(minute, (ofMinute.get(minute) ?? 0) + 1);
  return found.filter((one) => !isUpdate(one) || (ofMinute.get(minuteOf(one)) ?? 0) <= MOST_OF_MINUTE);
}

/** What happened to the posts of these URLs. Their changes by an import are left out. */
export const happenedTo = async (
  store: TrafficStore,
  scope: Scope,
  { urls, look }: { urls: string[]; look: Look },
): Promise<DerivedAnnotation[]> =>
  withoutImports(store, scope, { found: await readAnnotations(look, scope, urls), look });

/**
 * What happened to one post. Its last change is one where it is later than its publication, and than the first reading
 * of its page; not where its titles are or were compared, which is stored with it.
 * @param firstSeen When the crawler met its page. undefined: never.
 * @param zone Of the site.
 */
function annotationsOf(post: PostCard, firstSeen: number | undefined, zone: string): DerivedAnnotation[] {
  const { url, title, pubDate, updatedAt, alternatives } = post;
  const about = (at: number, kind: string, label: string): DerivedAnnotation => ({ at, kind, label, url });
  const isPublished = isOneThing(post) && pubDate !== null;
  const settled = Math.max(pubDate ?? 0, firstSeen ?? 0) + SETTLED_MS;
  return [
    ...(isPublished ? [about(publicationOf(pubDate, zone), 'published', title)] : []),
    ...(isPublished && alternatives === undefined && updatedAt > settled ? [about(updatedAt, 'updated', title)] : []),
    ...(alternatives ? [about(alternatives.startedAt, 'headline', 'Titles or pictures compared')] : []),
    ...(alternatives?.end ? [about(alternatives.end.at, 'headline', endingOf(alternatives.end))] : []),
  ];
}

const endingOf = ({ winner }: { winner?: number }): string =>
  winner === undefined ? 'Comparison of titles or pictures stopped' : `Title or picture ${winner} won`;

const ENDED = {
  command: 'stopped',
  decision: 'ended with its verdict',
  readers: 'ended with its planned readers',
  days: 'ended with its days',
} as const;

/** When experiments of the site's lists began and ended; archived ones as well. */
export const annotationsOfExperiments = (experiments: readonly Experiment[]): DerivedAnnotation[] =>
  experiments.flatMap(({ name, startedAt, stoppedAt, endedBy }) => {
    const annotation = (at: number, event: string): DerivedAnnotation => ({
      at,
      kind: 'experiment',
      label: `${name} ${event}`,
      url: '',
    });
    return [
      annotation(startedAt, 'started'),
      ...(stoppedAt === undefined ? [] : [annotation(stoppedAt, ENDED[endedBy ?? 'command'])]),
    ];
  });
