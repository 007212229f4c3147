// Questions about anything but page views of one period: videos, shares, conversions, and the public lists.

import type { World } from '../worlds.ts';
import { isPublished, isUnder, namesFilter, publishedFilter } from './conditions.ts';
import { countNaively, type NaiveRecord } from './countNaively.ts';
import { dayBegins, localDay } from './localTime.ts';
import { countConversions } from './naiveConversions.ts';
import { countVideos, VIDEO_SORTS } from './naiveVideos.ts';
import { toPeriod } from './periods.ts';
import { type Ask, named, pageOf, THREE_DAYS } from './trafficQuestions.ts';
import { describedAs, describedIn, postAt, postRecord } from './wireRecords.ts';

const DAY = 86_400_000;
const NETWORKS = ['tw', 'fb', 'li', 'pi'] as const;
/** All that was ever counted. */
const ever = ({ now }: World) => ({ start: 0, end: now });

export const videos: Ask = (world, sketch) => {
  const period = toPeriod(sketch.stretch, { defaultDays: 3, tooLong: 'cut' }, world);
  const { videoSort: sort } = sketch;
  return {
    path: '/analytics/videos',
    params: { ...period.params, ...(sort !== 'starts' && { sort }) },
    records: period.backwards
      ? undefined
      : countVideos(world, { period, sort, video: isPublished(world) }).map((record) => postRecord(world, record)),
    meta: { metrics: [sort, ...VIDEO_SORTS.filter((name) => name !== sort)], sort },
    paged: true,
  };
};

/** Shares of posts; in `detail`, of those under one name; of `names`, of authors, sections or tags. */
export const shares =
  (of: 'posts' | 'detail' | 'names'): Ask =>
  (world, sketch) => {
    const { list, publishedDays } = sketch;
    const detail = of === 'detail';
    const key = of === 'names' ? list : 'post';
    const describe = (record: NaiveRecord) => (of === 'names' ? named(list)(record) : postRecord(world, record));
    const { start, end, days } = sketch.stretch;
    const rule = { defaultDays: 90, tooLong: 'refused' } as const;
    const period = toPeriod(sketch.stretch, rule, world);
    const isTotal = start === undefined && end === undefined && days === undefined;
    const published = publishedFilter(sketch, world);
    const startGiven = sketch.published?.start !== undefined;
    const isRecent = (date: number | null) =>
      publishedDays === undefined || startGiven || (date !== null && date >= world.now - publishedDays * DAY);
    const isListed = detail ? isUnder(list, sketch.named[list]) : () => true;
    const counts = () =>
      countNaively(world, {
        list: key,
        period: isTotal ? ever(world) : period,
        sort: 'social_interactions',
        post: (post) => isListed(post) && published.passes(post) && isRecent(post.pubDate),
        nonZero: true,
      });
    return {
      path: detail ? `/shares/${list}/${encodeURIComponent(sketch.named[list])}/detail` : `/shares/${key}s`,
      params: {
        ...period.params,
        ...published.params,
        ...(publishedDays !== undefined && { pub_days: String(publishedDays) }),
      },
      records:
        period.backwards && !isTotal
          ? undefined
          : counts().map(({ metrics: { social_interactions: shares = 0 }, ...record }) => ({
              ...describe({ ...record, metrics: { shares } }),
              _shares: shares,
            })),
      meta: { metrics: ['shares'], sort: 'shares' },
      paged: true,
    };
  };

export const sharesOfPost: Ask = (world, sketch) => {
  const { sent, url } = pageOf(world, sketch);
  const shared = world.events.filter(
    (event) => event.action === 'share' && (world.aliases.get(event.url) ?? event.url) === url,
  );
  const counts = NETWORKS.map(
    (network) => [network, shared.filter((event) => event.network === network).length] as const,
  );
  return {
    path: '/shares/post/detail',
    params: { url: sent },
    records: world.excluded.has(url) ? [] : [{ ...Object.fromEntries(counts), total: shared.length }],
    meta: { metrics: [...NETWORKS, 'total'], sort: 'total' },
    paged: false,
  };
};

export const conversions =
  (by: 'kind' | 'url'): Ask =>
  (world, sketch) => {
    const period = toPeriod(sketch.stretch, THREE_DAYS, world);
    const { attribution, conversionTypes: types, conversionLabels: labels, pageType } = sketch;
    const [names, published] = [namesFilter(sketch, ['author', 'tag', 'section']), publishedFilter(sketch, world)];
    const only = sketch.onlyPage ? pageOf(world, sketch) : undefined;
    const narrow =
      [sketch.author, sketch.tag, sketch.section].flat().length > 0 || sketch.published?.start !== undefined;
    const found = () =>
      countConversions(world, {
        period,
        attribution: attribution ?? 'last_touch',
        types,
        labels,
        pageType,
        url: only?.url,
        passes: (post) => names.passes(post) && published.passes(post),
        bare: !narrow,
        by,
      });
    return {
      path: by === 'kind' ? '/conversions/url' : '/conversions/url/top',
      params: {
        ...period.params,
        ...(attribution && { attribution_type: attribution }),
        ...(pageType && { page_type: pageType }),
        ...(only && { url: only.sent }),
        ...names.params,
        ...published.params,
        conversion_type: types,
        conversion_label: labels,
      },
      records: period.backwards
        ? undefined
        : found().map(({ name, hits, kind, kinds, metrics }) => ({
            ...describedIn(world, name, published.passes),
            _hits: hits,
            metrics,
            ...kind,
            conversion_metrics: kinds.map((part) => ({ attribution_type: attribution ?? 'last_touch', ...part })),
          })),
      meta: { metrics: ['conversions', 'converting_visitors', 'conversion_rate'], sort: 'conversions' },
      paged: true,
      inThousandths: attribution === 'linear',
    };
  };

/** One day is the last 24 hours; more are today and the days before, by the site's calendar, and never less than 24 hours. */
function topDays({ now, zone }: World, days: number) {
  if (days === 1) return { start: now - DAY, end: now };
  const first = new Date(Date.parse(localDay(now, zone)) - (days - 1) * DAY).toISOString().slice(0, 10);
  return { start: Math.min(dayBegins(first, zone), now - DAY), end: now };
}

export const top =
  (kind: 'posts' | 'videos'): Ask =>
  (world, sketch) => {
    const { topDays: days, topLength: limit } = sketch;
    const period = topDays(world, days ?? 1);
    // Each takes one value.
    const one = (values: string[]) => values.slice(0, 1);
    const filter = namesFilter({ author: one(sketch.author), tag: one(sketch.tag), section: one(sketch.section) }, [
      'author',
      'tag',
      'section',
    ]);
    const isShown: typeof filter.passes = (post) => filter.passes(post) && isPublished(world)(post);
    const channel = kind === 'posts' && sketch.channel !== 'apln-rta' ? sketch.channel : undefined;
    const list =
      kind === 'videos'
        ? countVideos(world, { period, sort: 'starts', video: isShown })
        : countNaively(world, {
            list: 'post',
            period,
            sort: 'views',
            post: isShown,
            event: (event) => channel === undefined || event.channel === channel,
          });
    return {
      path: `/top/${kind}`,
      params: {
        ...filter.params,
        ...(days && { days: String(days) }),
        ...(limit && { limit: String(limit) }),
        ...(channel && { channel }),
      },
      records: list.slice(0, (limit ?? 10) > 10 ? 25 : 10).map(({ name }) => describedAs(postAt(world, name))),
      meta: { metrics: [], sort: kind === 'videos' ? 'starts' : 'views' },
      paged: false,
    };
  };
