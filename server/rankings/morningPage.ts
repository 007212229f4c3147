// The content of a morning page: yesterday's figures beside the usual ones of the weekday, the posts that were read
// most, what lists brought, and what changed most.
import { type Usual, usualOf, WEEKS } from '../alarms/usual.ts';
import { shownName } from '../ingest/referrers/table.ts';
import type { Exclusions } from '../sites/exclusions.ts';
import type { Site } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileFirstKeptDay } from '../traffic/keptEvents.ts';
import { periodOfDay } from '../traffic/period.ts';
import type { TrafficRow } from '../traffic/query.ts';
import { categoryOf, REFERRER_FACETS, type Scope } from '../traffic/scope.ts';
import { addDays, dayOf } from '../traffic/zone.ts';
import { rankLists } from './listFigures.ts';
import { rank, rankFacets, rankPosts } from './rankings.ts';
import { countSeries } from './series.ts';

const FIGURES = ['views', 'visitors', 'engaged_minutes'] as const;

export interface MorningPage {
  apikey: string;
  /** Yesterday in the zone of the site, `YYYY-MM-DD`. */
  day: string;
  /**
   * `usual`: of the same weekday in the last eight weeks that had traffic; null where there are none. `weeks`: of which
   * it is; fewer of visitors, who are known as long as events are kept.
   */
  figures: { name: (typeof FIGURES)[number]; value: number; usual: Usual | null; weeks: number }[];
  /** Weeks that had traffic. */
  weeks: number;
  posts: { url: string; title: string; views: number }[];
  /** Referrers, but for the site itself, that brought most views. `usual`: as in `changes`; null: not known. */
  sources: { name: string; views: number; usual: number | null }[];
  lists: { name: string; seen: number; clicks: number; views_caused: number }[];
  /** Sections and such referrers whose views differ most from those of the same weekday, the median of four weeks. */
  changes: Change[];
}

interface Change {
  of: 'section' | 'referrer';
  name: string;
  views: number;
  usual: number;
}

const POSTS = 5;
const SOURCES = 5;
const LISTS = 5;
const CHANGES = 5;
/** Weeks that a change is measured by. */
const CHANGE_WEEKS = 4;
/**
 * Names read of each day. A name beyond the limit on one of the days counts as 0 there, and would be reported as new or
 * gone; that far down a name has a view or two.
 */
const NAMES = 10_000;

interface Parts {
  store: { traffic: TrafficStore };
  exclusions: Pick<Exclusions, 'of'>;
}

export async function readMorningPage({ store, exclusions }: Parts, site: Site, now: number): Promise<MorningPage> {
  const { id, timezone: zone } = site;
  const { traffic } = store;
  const day = addDays(dayOf(now, zone), -1);
  const excluded = await exclusions.of(id);
  const scopeOf = (date: string): Scope => ({ site: id, zone, period: periodOfDay(date, zone), excluded });
  const ofPosts = (date: string): Scope => ({ ...scopeOf(date), posts: { published: { start: undefined, end: now } } });
  const before = Array.from({ length: WEEKS }, (_, week) => addDays(day, -7 * (week + 1)));

  const counted = await countDay(traffic, ofPosts(day));
  const earlier: Record<string, number>[] = [];
  const weeks: string[] = [];
  for (const one of before) {
    const figures = await countDay(traffic, ofPosts(one));
    if (figures.views === 0) continue;
    earlier.push(figures);
    weeks.push(one);
  }
  const [kept] = await traffic.run(compileFirstKeptDay({ site: id }));
  const known = {
    views: earlier,
    engaged_minutes: earlier,
    visitors: earlier.filter((_, at) => isKept(weeks[at]!, kept)),
  };
  const asked = { sort: 'views', limit: POSTS, offset: 0 } as const;
  const posts = await rankPosts(traffic, { key: 'post', scope: ofPosts(day), ...asked });
  const lists = await rankLists(traffic, { scope: scopeOf(day), group: 'list', filters: {}, limit: LISTS, offset: 0 });
  const changes = await readChanges(traffic, { of: ofPosts(day), to: weeks.slice(0, CHANGE_WEEKS).map(ofPosts) });
  return {
    apikey: id,
    day,
    figures: FIGURES.map((name) => ({
      name,
      value: counted[name] ?? 0,
      usual: usualOf(known[name].map((figures) => figures[name] ?? 0)) ?? null,
      weeks: known[name].length,
    })),
    weeks: weeks.length,
    posts: posts.records.map(({ name, hits, post }) => ({ url: name, title: post.title, views: hits })),
    sources: sourcesOf(changes, weeks.length > 0),
    lists: lists.records.map(({ name, metrics: { seen = 0, clicks = 0, views_caused = 0 } }) => ({
      name,
      seen,
      clicks,
      views_caused,
    })),
    changes: weeks.length > 0 ? largestOf(changes) : [],
  };
}

/** @param kept The first day of which events are kept. */
const isKept = (day: string, kept: TrafficRow | undefined): boolean => kept !== undefined && day >= String(kept.day);

async function countDay(traffic: TrafficStore, scope: Scope): Promise<Record<string, number>> {
  const { period } = scope;
  const series = { period, intervals: [period] };
  const [counted = {}] = await countSeries(traffic, { scope, interval: 'period', series, metrics: FIGURES });
  return counted;
}

function sourcesOf(changes: readonly Change[], isKnown: boolean): MorningPage['sources'] {
  const referrers = changes.filter(({ of, views }) => of === 'referrer' && views > 0);
  const sorted = referrers.sort((one, other) => other.views - one.views || (one.name < other.name ? -1 : 1));
  return sorted.slice(0, SOURCES).map(({ name, views, usual }) => ({ name, views, usual: isKnown ? usual : null }));
}

/** Views of each section and referrer on a day, beside those of the days that it is compared with. */
async function readChanges(traffic: TrafficStore, { of, to }: { of: Scope; to: readonly Scope[] }): Promise<Change[]> {
  const changes: Change[] = [];
  for (const kind of ['section', 'referrer'] as const) {
    const views = await viewsBy(traffic, kind, of);
    const earlier: Map<string, number>[] = [];
    for (const scope of to) earlier.push(await viewsBy(traffic, kind, scope));
    for (const name of new Set([...views.keys(), ...earlier.flatMap((one) => [...one.keys()])])) {
      const usual = usualOf(earlier.map((one) => one.get(name) ?? 0))?.median ?? 0;
      changes.push({ of: kind, name, views: views.get(name) ?? 0, usual });
    }
  }
  return changes;
}

function largestOf(changes: readonly Change[]): Change[] {
  const change = ({ views, usual }: Change) => Math.abs(views - usual);
  const sorted = [...changes].sort((one, other) => change(other) - change(one) || (one.name < other.name ? -1 : 1));
  return sorted.slice(0, CHANGES).filter((one) => change(one) > 0);
}

async function viewsBy(traffic: TrafficStore, kind: Change['of'], scope: Scope): Promise<Map<string, number>> {
  const asked = { scope, sort: 'views', limit: NAMES, offset: 0 } as const;
  if (kind === 'section') {
    const { records } = await rank(traffic, { key: 'section', ...asked });
    return new Map(records.map(({ name, hits }) => [name, hits]));
  }
  const { posts: _, ...pages } = scope;
  const { records } = await rankFacets(traffic, { by: { facets: REFERRER_FACETS }, ...asked, scope: pages });
  const sums = new Map<string, number>();
  for (const { name: stored, facet, hits } of records) {
    const category = categoryOf(facet)!;
    // Pages of the site itself bring no reader.
    if (category === 'internal') continue;
    const name = shownName(category, stored);
    sums.set(name, (sums.get(name) ?? 0) + hits);
  }
  return sums;
}
