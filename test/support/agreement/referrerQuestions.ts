// Questions about where visitors came from: the request for each, and what must be answered. /referrers.
import { isUnder, namesFilter, publishedFilter, referrerFilter } from './conditions.ts';
import { countNaively } from './countNaively.ts';
import type { StretchRule } from './periods.ts';
import { type Ask, cameFrom, named, pageOf, referrerOf, THREE_DAYS, timed } from './trafficQuestions.ts';
import { asReferred, postRecord } from './wireRecords.ts';

const RECENT: StretchRule = { defaultDays: 3, tooLong: 'cut' };

const REFERRED = { metrics: ['referrers_views'], sort: 'referrers_views' };

export const referrers: Ask = (world, sketch) => {
  const { period, answered } = timed(world, sketch, THREE_DAYS);
  const [posts, published] = [namesFilter(sketch, ['section', 'tag']), publishedFilter(sketch, world)];
  const came = referrerFilter(sketch);
  const conditions = { ...posts.params, ...published.params };
  // Without a condition on posts, pages without metadata count too.
  const narrows = Object.keys(conditions).length > 0;
  return {
    path: `/referrers/${sketch.referrerType}`,
    params: { ...period.params, ...conditions, ...came.params },
    records: answered(() =>
      countNaively(world, {
        list: referrerOf,
        period,
        sort: 'views',
        event: came.passes,
        post: narrows ? (post) => posts.passes(post) && published.passes(post) : undefined,
      })
        .map(asReferred)
        .map(cameFrom),
    ),
    meta: REFERRED,
    paged: true,
  };
};

/** Posts, authors, sections or tags by what one type of referrer sent; or the posts under one name. */
export const referred =
  (kind: 'posts' | 'names' | 'detail'): Ask =>
  (world, sketch) => {
    const { period, answered } = timed(world, sketch, RECENT);
    const { referrerType, list } = sketch;
    const posts = namesFilter(sketch, kind === 'detail' ? [] : ['section']);
    const published = publishedFilter(sketch, world);
    const came = referrerFilter(sketch);
    const isListed = kind === 'detail' ? isUnder(list, sketch.named[list]) : () => true;
    const counts = () =>
      countNaively(world, {
        list: kind === 'names' ? list : 'post',
        period,
        sort: 'views',
        event: came.passes,
        post: (post) => posts.passes(post) && published.passes(post) && isListed(post),
      }).map(asReferred);
    const detail = `/${list}/${encodeURIComponent(sketch.named[list])}/detail`;
    return {
      path: `/referrers/${referrerType}${{ posts: '/posts', names: `/${list}s`, detail }[kind]}`,
      params: { ...period.params, ...posts.params, ...published.params, ...came.params },
      records: answered<object>(() =>
        kind === 'names' ? counts().map(named(list)) : counts().map((record) => postRecord(world, record)),
      ),
      meta: REFERRED,
      paged: true,
    };
  };

export const referrersOfPost: Ask = (world, sketch) => {
  const { period, answered } = timed(world, sketch, RECENT);
  const { sent, url } = pageOf(world, sketch);
  return {
    path: '/referrers/post/detail',
    params: { ...period.params, url: sent },
    records: answered(() =>
      countNaively(world, {
        list: referrerOf,
        period,
        sort: 'views',
        event: ({ referrerType }) => referrerType !== 'direct',
        page: (page) => page === url,
      })
        .map(asReferred)
        .map(cameFrom),
    ),
    meta: REFERRED,
    paged: true,
  };
};
