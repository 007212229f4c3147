// Questions about page views: the request for each, and what must be answered. /analytics and /realtime.
import type { EventRow } from '../../../server/ingest/eventRow.ts';
import type { World } from '../worlds.ts';
import {
  CAMPAIGN_OF,
  isPublished,
  isUnder,
  namesFilter,
  type Params,
  publishedFilter,
  visitFilter,
} from './conditions.ts';
import { canonicalOf, countNaively, emptyTally, type NaiveRecord, type Named } from './countNaively.ts';
import { metricsOf, type NaiveSort, namesBeside } from './naiveMetrics.ts';
import { calledAs } from './namedReferrers.ts';
import { type StretchRule, toPeriod } from './periods.ts';
import type { Sketch } from './sketch.ts';
import { describedAs, postRecord } from './wireRecords.ts';

export interface Question {
  path: string;
  params: Params;
  /** Every record of all pages in order, as they stand in an answer; undefined where the question is refused. */
  records: object[] | undefined;
  meta?: { metrics: string[]; sort: string };
  /** Of a series that is asked for them. */
  totals?: object;
  /** Whether it can be asked a page at a time. */
  paged: boolean;
  /** Sums of fractions: a thousandth to either side is the same. */
  inThousandths?: boolean;
}

export type Ask = (world: World, sketch: Sketch) => Question;

export const THREE_DAYS: StretchRule = { defaultDays: 3, tooLong: 'refused' };

const metaOf = ({ sort, beside }: Sketch) => ({ metrics: namesBeside(sort, beside), sort });

/** Which metrics are asked for. */
const measured = ({ sort, beside }: Sketch): Params => ({
  sort,
  ...(beside.length > 0 && { metrics: beside.join(',') }),
});

/** The period of a request, and whether it is answered at all. */
export function timed(world: World, sketch: Sketch, rule: StretchRule) {
  const period = toPeriod(sketch.stretch, rule, world);
  const answered = <T>(records: () => T[]): T[] | undefined => (period.backwards ? undefined : records());
  return { period, answered };
}

const MINUTES = { '5m': 5, '90min': 90, '24h': 1440, '3d': 3 * 1440, '2w': 14 * 1440 };

/** A look-back by `time`, unless a start is given another way. */
function lookingBack(world: World, sketch: Sketch, rule: StretchRule) {
  const { start, days } = sketch.stretch;
  const said = sketch.time && { time: sketch.time };
  if (sketch.time === undefined || start !== undefined || days !== undefined) {
    const { period, answered } = timed(world, sketch, rule);
    return { period: { ...period, params: { ...period.params, ...said } }, answered };
  }
  const { period, answered } = timed(
    world,
    { ...sketch, stretch: { ...sketch.stretch, time: MINUTES[sketch.time] } },
    rule,
  );
  return { period: { ...period, params: { ...period.params, ...said } }, answered };
}

/** /realtime: an hour by default. */
function recently(world: World, sketch: Sketch) {
  const { start, days, ...end } = sketch.stretch;
  if (start !== undefined || days !== undefined || sketch.time !== undefined)
    return lookingBack(world, sketch, THREE_DAYS);
  return timed(world, { ...sketch, stretch: { ...end, start, days, time: 60 } }, THREE_DAYS);
}

/** /analytics: three days by default. */
export const analysed = (world: World, sketch: Sketch) => lookingBack(world, sketch, THREE_DAYS);
const family = (live: boolean) =>
  live ? { root: '/realtime', when: recently } : { root: '/analytics', when: analysed };

export const posts =
  (live: boolean): Ask =>
  (world, sketch) => {
    const { root, when } = family(live);
    const { period, answered } = when(world, sketch);
    const [names, published] = [namesFilter(sketch, ['author', 'tag', 'section']), publishedFilter(sketch, world)];
    const visits = visitFilter(sketch);
    const { sort } = sketch;
    return {
      path: `${root}/posts`,
      params: { ...period.params, ...measured(sketch), ...names.params, ...published.params, ...visits.params },
      records: answered(() =>
        countNaively(world, {
          list: 'post',
          period,
          sort,
          beside: sketch.beside,
          post: (post) => names.passes(post) && published.passes(post),
          event: visits.passes,
        }).map((record) => postRecord(world, record)),
      ),
      meta: metaOf(sketch),
      paged: true,
    };
  };

export const named =
  (kind: string) =>
  ({ name, hits, metrics }: NaiveRecord): object => ({ [kind]: name, name, _hits: hits, metrics });
export const cameFrom = ({ name, type: category, hits, metrics }: NaiveRecord): object => {
  const type = category === 'ai' || category === 'aggregator' ? 'other' : category;
  return { name: calledAs(name), type, category, _hits: hits, metrics };
};

export const names =
  (live: boolean): Ask =>
  (world, sketch) => {
    const { root, when } = family(live);
    const { period, answered } = when(world, sketch);
    const { sort, list } = sketch;
    const visits = visitFilter(sketch);
    const event = visits.passes;
    return {
      path: `${root}/${list}s`,
      params: { ...period.params, ...measured(sketch), ...visits.params },
      records: answered(() =>
        countNaively(world, { list, period, sort, beside: sketch.beside, post: isPublished(world), event }).map(
          named(list),
        ),
      ),
      meta: metaOf(sketch),
      paged: true,
    };
  };

const some = (name: string): Named[] => (name === '' ? [] : [{ name }]);
export const referrerOf = ({ referrerType: type, referrer }: EventRow): Named[] => [
  { name: type === 'direct' ? 'direct' : referrer, type },
];

export const facets =
  (live: boolean): Ask =>
  (world, sketch) => {
    const { root, when } = family(live);
    const { period, answered } = when(world, sketch);
    const { sort, campaignPart } = sketch;
    const facet = live ? 'referrer' : sketch.facet;
    const values = {
      channel: ({ channel }: EventRow) => [{ name: channel }],
      segment: ({ segments }: EventRow) => segments.map((name) => ({ name })),
      campaign: (event: EventRow) => some(CAMPAIGN_OF[campaignPart ?? 'id'](event)),
      referrer: referrerOf,
    };
    const visits = visitFilter(sketch);
    const event = visits.passes;
    const part = facet === 'campaign' && campaignPart !== undefined && { campaign_key: campaignPart };
    return {
      path: `${root}/${facet}s`,
      params: { ...period.params, ...measured(sketch), ...visits.params, ...part },
      records: answered(() =>
        countNaively(world, { list: values[facet], period, sort, beside: sketch.beside, event }).map(
          facet === 'referrer' ? cameFrom : named(facet),
        ),
      ),
      meta: metaOf(sketch),
      paged: true,
    };
  };

/** The page a sketch means: its address as a reader would send it, and its canonical URL. */
export function pageOf(world: World, { page, address }: Sketch) {
  const sent = world.pages[page] ?? `https://${world.site}/never-seen`;
  const url = canonicalOf(world, sent);
  const post = world.posts.find((known) => known.url === url);
  // A page without metadata is known by exactly the address it was seen under.
  return { sent: post ? `${sent}${address}` : sent, url, post };
}

export const postDetail: Ask = (world, sketch) => {
  const { period, answered } = lookingBack(world, sketch, { defaultDays: 90, tooLong: 'cut' });
  const { sent, url, post } = pageOf(world, sketch);
  const visits = visitFilter(sketch);
  const { sort } = sketch;
  const beside = ['views', 'visitors', ...sketch.beside] as const;
  return {
    path: '/analytics/post/detail',
    params: { ...period.params, ...measured(sketch), ...visits.params, url: sent },
    records: answered(() => {
      if (!post || world.excluded.has(url)) return [];
      const types = ['post', 'index', 'video', 'other'] as const;
      const page = (one: string) => one === url;
      const question = { list: 'post', period, types, page, event: visits.passes } as const;
      // A list by each metric: whatever was counted for it is in one of them.
      const names = namesBeside(sort, [...beside, 'avg_engaged']) as NaiveSort[];
      const found: Record<string, number> = metricsOf(sort, emptyTally(), names);
      for (const name of names) Object.assign(found, countNaively(world, { ...question, sort: name })[0]?.metrics);
      const metrics = Object.fromEntries(namesBeside(sort, beside).map((name) => [name, found[name]]));
      return [{ ...describedAs(post), _hits: metrics.views, metrics, avg_engaged: found.avg_engaged }];
    }),
    meta: { metrics: namesBeside(sort, beside), sort },
    paged: false,
  };
};

export const metaDetail: Ask = (world, sketch) => {
  const { list, sort } = sketch;
  const { period, answered } = lookingBack(world, sketch, { defaultDays: 14, tooLong: 'cut' });
  const published = publishedFilter(sketch, world);
  const isListed = isUnder(list, sketch.named[list]);
  return {
    path: `/analytics/${list}/${encodeURIComponent(sketch.named[list])}/detail`,
    params: { ...period.params, ...measured(sketch), ...published.params },
    records: answered(() =>
      countNaively(world, {
        list: 'post',
        period,
        sort,
        beside: sketch.beside,
        post: (post) => isListed(post) && published.passes(post),
      }).map((record) => postRecord(world, record)),
    ),
    meta: metaOf(sketch),
    paged: true,
  };
};
