// The last minutes of a site: totals, posts with their course, sections, referrers, and today by quarters of an hour.
// Each figure is that of the ranked lists and series for the same period.
import { trendOf } from '../alarms/trend.ts';
import {
  HOUR_MINUTES,
  NOW_MINUTES,
  type NowFigure,
  type NowFigureName,
  type NowPost,
  type NowSourceName,
} from '../contract/now.ts';
import { MINUTE, QUARTER } from '../durations.ts';
import { countListSeries } from '../rankings/listSeries.ts';
import { type Ranked, rank, rankFacets, rankPosts } from '../rankings/rankings.ts';
import { countSeries } from '../rankings/series.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileAddresses } from '../traffic/countPosts.ts';
import type { Period } from '../traffic/period.ts';
import { compileCourses } from '../traffic/postCourses.ts';
import { REFERRER_FACETS } from '../traffic/scope.ts';
import { lastMinutes, type NowScope, pageScope, postScope, windowsFrom } from './question.ts';
import { countSources } from './sources.ts';

/** Sections and referrers that are listed. */
const NAMES = 8;

type RankedFacet = Ranked & { facet: string };

export interface Live {
  /** The last five minutes. */
  period: Period;
  figures: Record<NowFigureName, NowFigure['value']>;
  posts: (Omit<NowPost, 'pub_date'> & { pubDate: number | null })[];
  sections: Ranked[];
  referrers: RankedFacet[];
  /** Page views by the kind of their source. */
  sources: Record<NowSourceName, number>;
  /** Page views of each quarter of an hour of today that has begun. */
  views: number[];
}

/** @param midnight First moment of today. */
export async function readLive(store: TrafficStore, nowScope: NowScope, midnight: number): Promise<Live> {
  const period = lastMinutes(nowScope.now, NOW_MINUTES);
  const asked = { sort: 'visitors', offset: 0 } as const;
  const posts = postScope(nowScope, period);
  const [figures, listed, sections, referrers, sources, views] = await Promise.all([
    countFigures(store, nowScope, period),
    rankPosts(store, { key: 'post', scope: posts, ...asked, limit: nowScope.posts }),
    rank(store, { key: 'section', scope: posts, ...asked, limit: NAMES }),
    rankFacets(store, { by: { facets: REFERRER_FACETS }, scope: pageScope(nowScope, period), ...asked, limit: NAMES }),
    countSources(store, pageScope(nowScope, period)),
    countToday(store, nowScope, midnight),
  ]);
  const courses = await readCourses(
    store,
    nowScope,
    listed.records.map(({ name }) => name),
  );
  return {
    period,
    figures,
    posts: listed.records.map(({ name, hits, metrics, post }) => {
      const course = courses.get(name) ?? [];
      const { title, section, pubDate } = post;
      return {
        title,
        url: name,
        section,
        pubDate,
        visitors: metrics.visitors!,
        views: hits,
        course,
        trend: trendOf(course),
      };
    }),
    sections: sections.records,
    referrers: referrers.records,
    sources,
    views,
  };
}

async function countFigures(store: TrafficStore, nowScope: NowScope, period: Period): Promise<Live['figures']> {
  const hour = lastMinutes(nowScope.now, HOUR_MINUTES);
  const [counted, { recirculation_rate, views, clicks }] = await Promise.all([
    countWindow(store, nowScope, period, ['visitors', 'views', 'engaged_minutes']),
    countHour(store, nowScope, hour),
  ]);
  return { ...counted, recirculation_rate: views === 0 ? null : recirculation_rate, clicks };
}

/** Metrics of posts within a period, from events. */
async function countWindow<N extends 'visitors' | 'views' | 'engaged_minutes' | 'recirculation_rate'>(
  store: TrafficStore,
  nowScope: NowScope,
  period: Period,
  metrics: readonly N[],
): Promise<Record<N, number>> {
  const series = { period, intervals: [period] };
  const [counted = {}] = await countSeries(store, {
    scope: postScope(nowScope, period),
    interval: 'minute',
    series,
    metrics,
  });
  return counted as Record<N, number>;
}

export interface OfHour {
  recirculation_rate: number;
  clicks: number;
  /** Of which the rate is. */
  views: number;
}

/** What is too rare to be counted by five minutes. */
export async function countHour(store: TrafficStore, nowScope: NowScope, hour: Period): Promise<OfHour> {
  const series = { period: hour, intervals: [hour] };
  const lists = {
    scope: pageScope(nowScope, hour),
    filters: {},
    interval: 'minute',
    series,
    metrics: ['clicks'],
  } as const;
  const [{ recirculation_rate, views }, [inLists]] = await Promise.all([
    countWindow(store, nowScope, hour, ['recirculation_rate', 'views']),
    countListSeries(store, lists),
  ]);
  return { recirculation_rate, clicks: inLists?.clicks ?? 0, views };
}

/** Visitors of posts by windows of five minutes, the last of them the one that posts are ranked by. */
async function readCourses(
  store: TrafficStore,
  nowScope: NowScope,
  urls: readonly string[],
): Promise<Map<string, number[]>> {
  if (urls.length === 0) return new Map();
  const period = lastMinutes(nowScope.now, HOUR_MINUTES);
  const intervals = windowsFrom(period.start, NOW_MINUTES * MINUTE, HOUR_MINUTES / NOW_MINUTES);
  const scope = postScope(nowScope, period);
  const addresses = (await store.run(compileAddresses(scope, urls))).map(({ page, name }) => ({
    page: String(page),
    name: String(name),
  }));
  const courses = new Map(urls.map((url) => [url, intervals.map(() => 0)]));
  if (addresses.length === 0) return courses;
  for (const { name, place, visitors } of await store.run(compileCourses({ scope, intervals, addresses }))) {
    const course = courses.get(String(name));
    if (course?.[Number(place)] !== undefined) course[Number(place)] = Number(visitors);
  }
  return courses;
}

async function countToday(store: TrafficStore, nowScope: NowScope, midnight: number): Promise<number[]> {
  const period = { start: midnight, end: nowScope.now - 1, untilNow: true } as const;
  if (period.end < midnight) return [];
  const intervals = windowsFrom(midnight, QUARTER, Math.ceil((nowScope.now - midnight) / QUARTER));
  const scope = postScope(nowScope, period);
  const counted = await countSeries(store, {
    scope,
    interval: 'quarter',
    series: { period, intervals },
    metrics: ['views'],
  });
  return counted.map(({ views = 0 }) => views);
}
