// The posts of a site that match the words of a query, for the search box of its readers. A site whose search is
// disabled is answered like an unknown one.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { type Ask, endpoint } from '../http/endpoint.ts';
import { addressOf, envelope, reachOf } from '../http/envelope.ts';
import { Forbidden } from '../http/errors.ts';
import { UNCHANGED } from '../http/etag.ts';
import { makeList } from '../http/longLists.ts';
import { flag, limit, page, text } from '../http/params.ts';
import { postFilterParams, postFiltersOf } from '../http/postFilters.ts';
import { chargeRecords } from '../http/readRate.ts';
import { send } from '../http/send.ts';
import { order } from '../http/sort.ts';
import { thumbnailOf } from '../http/thumbnailOf.ts';
import { toPostRecord } from '../posts/toPostRecord.ts';

type Parts = Pick<Deps, 'sites' | 'library' | 'exclusions' | 'thumbnails' | 'settings' | 'now'>;

/** Cache lifetime of an answer, in seconds: queries repeat, and new posts must be found soon. */
const KEEP_SECONDS = 60;

/** A public answer has no traffic figures, like that of /top. */
const UNTOLD = { hits: 0, metrics: {} };

const SEARCH = z.object({
  q: text(
    'Words, all of which a post has; in double quotes, words that stand side by side. Or the address of a post, which is then the only answer.',
  ),
  prefix: flag(
    '1: the last word may be unfinished, for a box that asks while it is typed. It also finds words of titles, tags and authors that begin with it.',
  ).default(false),
  ...postFilterParams,
  sort: order,
  limit,
  page,
});

export const search = endpoint({
  summary:
    'Posts by words in their title, text, tags and authors. They carry no traffic: `_hits` is 0, `metrics` empty.',
  record: 'Post',
  params: SEARCH,
  statuses: UNCHANGED,
  answer(ask, parts) {
    chargeRecords(ask.c, ask.params);
    return makeList(ask.c, ask.params, () => answerSearch(parts, ask));
  },
});

async function answerSearch(deps: Parts, { site, params, now, c }: Ask<z.output<typeof SEARCH>>): Promise<Response> {
  if (!site.features.search) throw new Forbidden();
  const found = await deps.library.search(site.id, {
    query: params.q,
    prefix: params.prefix,
    filters: postFiltersOf(params, { now, zone: site.timezone }),
    excluded: await deps.exclusions.of(site.id),
    sort: params.sort === 'pub_date' ? 'pub_date' : 'score',
    // One post more than the page holds shows whether another page follows.
    limit: reachOf(params) + 1,
    page: 1,
  });
  const onPage = found.slice(params.limit * (params.page - 1), reachOf(params));
  const posts = await deps.library.cards(
    site.id,
    onPage.map(({ url }) => url),
  );
  const thumbnail = thumbnailOf(deps, { c, site });
  const body = envelope({
    data: posts.map((post) => toPostRecord(post, thumbnail, UNTOLD)),
    meta: { metrics: [], sort: params.sort },
    more: found.length > reachOf(params),
    page: params.page,
    limit: params.limit,
    address: addressOf(c, deps.settings),
  });
  return send(c, body, { public: KEEP_SECONDS });
}
