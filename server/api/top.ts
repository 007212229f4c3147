// GET /v2/top/…: the public lists under every article. An order, never a number; ready-made in memory.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { MAX_TOP_DAYS, TOP_LENGTHS } from '../contract/limits.ts';
import type { Deps } from '../deps.ts';
import type { HttpEnv } from '../http/auth.ts';
import { get } from '../http/endpoint.ts';
import { Forbidden } from '../http/errors.ts';
import { type HotLists, hotKey } from '../http/hotLists.ts';
import { oneOf, text, whole } from '../http/params.ts';
import { toTopRecord } from '../posts/toPostRecord.ts';
import { rankPosts } from '../rankings.ts';
import type { Site } from '../sites/site.ts';
import { topPeriod } from '../traffic/period.ts';

const [SHORT, LONG] = TOP_LENGTHS;

const postsParams = z.object({
  days: whole({
    min: 1,
    max: MAX_TOP_DAYS,
    default: 1,
    what: '1: the last 24 hours. More: today and the days before it.',
  }),
  limit: whole({
    min: 1,
    max: 2000,
    default: SHORT,
    what: `${LONG} for the long list; up to ${SHORT} gives the short one.`,
  }),
  author: text('Posts by this author.').optional(),
  tag: text('Posts with this tag.').optional(),
  section: text('Posts in this section.').optional(),
  channel: oneOf(['website', 'amp', 'fbia'], 'Views through this channel.').optional(),
});

type TopDeps = Pick<Deps, 'sites' | 'store' | 'exclusions' | 'now'>;

export function top(deps: TopDeps, lists: HotLists): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  get(app, deps, {
    path: '/top/posts',
    guard: 'site',
    summary: 'The posts read most, as ten or twenty-five records without numbers.',
    params: postsParams,
    async answer({ site, params, c }) {
      requireTop(site);
      const length = params.limit > SHORT ? LONG : SHORT;
      const { days, author, tag, section, channel } = params;
      const key = hotKey(site.id, 'posts', length, days, author, tag, section, channel);
      const list = await lists.get({ site: site.id, key, target: targetOf(c) }, () =>
        topPosts(deps, site, params, length),
      );
      return c.body(list.body.toString(), 200, { ...list.headers, 'Content-Length': String(list.body.length) });
    },
  });

  return app;
}

async function topPosts(
  deps: TopDeps,
  site: Site,
  params: z.output<typeof postsParams>,
  length: number,
): Promise<object> {
  const { author, tag, section, channel, days } = params;
  const { records } = await rankPosts(deps.store.traffic, {
    key: 'post',
    scope: {
      site: site.id,
      zone: site.timezone,
      period: topPeriod(days, { now: deps.now(), zone: site.timezone }),
      excluded: await deps.exclusions.of(site.id),
      channel,
      posts: {
        ...(author !== undefined && { authors: [author] }),
        ...(tag !== undefined && { tags: [tag] }),
        ...(section !== undefined && { sections: [section] }),
      },
    },
    sort: 'views',
    limit: length,
    offset: 0,
  });
  return { data: records.map(({ post }) => toTopRecord(post)), success: true };
}

/** A site may keep its lists to itself. */
function requireTop(site: Site): void {
  if (!site.features.top) throw new Forbidden();
}

/** The raw address, for plain JSON only: a callback's name is seldom the same twice. */
function targetOf(c: Context): string | undefined {
  const { pathname, search } = new URL(c.req.url);
  return search.includes('callback') ? undefined : pathname + search;
}
