// The public lists of the most read posts: an order without figures, cached in memory.
import type { Context } from 'hono';
import { z } from 'zod';
import { MAX_RECORDS, MAX_TOP_DAYS, TOP_LENGTHS } from '../contract/limits.ts';
import { toDefinitions } from '../experiments/toExperimentRecord.ts';
import { type Ask, endpoint, type OpenFirst, type Parts } from '../http/endpoint.ts';
import { addressOf, envelope } from '../http/envelope.ts';
import { Forbidden } from '../http/errors.ts';
import { UNCHANGED } from '../http/etag.ts';
import { hotKey, hotTarget, sendHotList } from '../http/hotLists.ts';
import { oneOf, texts, whole } from '../http/params.ts';
import { chargeRanking } from '../http/readRate.ts';
import { thumbnailOf } from '../http/thumbnailOf.ts';
import { type ListedPost, toTopRecord } from '../posts/toPostRecord.ts';
import { type RankedPage, rankPosts, rankVideos } from '../rankings/rankings.ts';
import { topPeriod } from '../traffic/period.ts';
import type { PostFilters, Scope } from '../traffic/scope.ts';

const [SHORT, LONG] = TOP_LENGTHS;

const filters = {
  days: whole({
    min: 1,
    max: MAX_TOP_DAYS,
    default: 1,
    what: '1: the last 24 hours. More: today and the days before it.',
  }),
  limit: whole({
    min: 1,
    max: MAX_RECORDS,
    default: SHORT,
    what: `Up to ${SHORT}: ${SHORT} records. More: ${LONG}.`,
  }),
  author: texts('By this author; by all of them when repeated.'),
  tag: texts('With this tag; with all of them when repeated.'),
  section: texts('In this section; in any of them when repeated.'),
};

type TopParams = { days: number; limit: number } & Record<'author' | 'tag' | 'section', string[]>;
type TopParts = Pick<Parts, 'store' | 'exclusions' | 'thumbnails' | 'settings' | 'now' | 'lists'>;

const posts = endpoint({
  summary: 'The posts read most, as ten or twenty-five records without numbers.',
  record: 'TopPost',
  statuses: UNCHANGED,
  params: z.object({
    ...filters,
    channel: oneOf(['website', 'amp', 'fbia'], 'Views through this channel.').optional(),
  }),
  async answer(ask, parts) {
    const { channel } = ask.params;
    return await answerTop(parts, ask, { kind: 'posts', sort: 'views', channel }, async () => {
      const scope = { ...(await topScope(parts, ask)), channel };
      const limit = lengthOf(ask.params);
      return await rankPosts(parts.store.traffic, { key: 'post', scope, sort: 'views', limit, offset: 0 });
    });
  },
});

const videos = endpoint({
  summary: 'The videos started most, as ten or twenty-five records without numbers.',
  record: 'TopPost',
  statuses: UNCHANGED,
  params: z.object(filters),
  async answer(ask, parts) {
    return await answerTop(parts, ask, { kind: 'videos', sort: 'starts', channel: undefined }, async () => {
      const scope = await topScope(parts, ask);
      return await rankVideos(parts.store.traffic, { scope, sort: 'starts', limit: lengthOf(ask.params), offset: 0 });
    });
  },
});

export const top = { posts, videos };

/** Answers requests whose list is fresh in memory, before the framework. */
export const memoryFirst: OpenFirst = ({ lists }) => lists.answer;

/** @throws {Forbidden} where the lists of a site are not public. */
async function answerTop(
  parts: TopParts,
  { site, params, c }: Ask<TopParams>,
  { kind, sort, channel }: { kind: string; sort: string; channel: string | undefined },
  rankTop: () => Promise<RankedPage<{ post: ListedPost }>>,
): Promise<Response> {
  if (!site.features.top) throw new Forbidden();
  const { days, author, tag, section } = params;
  const limit = lengthOf(params);
  const { origin, pathname } = addressOf(c, parts.settings);
  const key = hotKey(site.id, kind, origin, limit, days, JSON.stringify([author, tag, section]), channel);
  const list = await parts.lists.get({ site: site.id, key, target: targetOf(c) }, async () => {
    chargeRanking(c);
    const { records } = await rankTop();
    // The list is shared by all equivalent requests, so its link is made from the parameters that define it, and from
    // nothing else in the first request.
    const address = new URL(pathname, origin);
    const said = { apikey: site.id, days, limit, author, tag, section, channel: channel ?? [] };
    for (const [name, values] of Object.entries(said))
      for (const value of [values].flat()) address.searchParams.append(name, String(value));
    const thumbnail = thumbnailOf(parts, { c, site });
    const data = records.map(({ post }) => toTopRecord(post, thumbnail));
    const body = envelope({ data, meta: { metrics: [], sort }, more: false, page: 1, limit, address });
    return { ...body, ...toDefinitions(site.experiments) };
  });
  return sendHotList(c, list);
}

async function topScope(parts: TopParts, { site, params }: Ask<TopParams>): Promise<Scope> {
  const { author, tag, section, days } = params;
  const now = parts.now();
  const published = { start: undefined, end: now };
  const posts: PostFilters = { authors: author, tags: tag, sections: section, arePresent: true, published };
  return {
    site: site.id,
    zone: site.timezone,
    period: topPeriod(days, { now, zone: site.timezone }),
    excluded: await parts.exclusions.of(site.id),
    posts,
  };
}

const lengthOf = ({ limit }: TopParams): number => (limit > SHORT ? LONG : SHORT);

/** The raw URL, for plain JSON only: the name of a callback rarely repeats. */
function targetOf(c: Context): string | undefined {
  const { host, pathname, search } = new URL(c.req.url);
  return search.includes('callback') ? undefined : hotTarget(host, pathname + search);
}
