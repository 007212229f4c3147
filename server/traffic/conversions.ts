// Which pages led to conversions. A conversion is credited to pages its visitor viewed within the 30 days before it, by
// one of four rules; where nothing is known of the visitor, to the page it happened on. Of each rule, the sum over all
// pages is the number of conversions: a page without metadata is listed by its URL. Only hidden pages are left out.
import { DAY } from '../durations.ts';
import { Bindings } from './bindings.ts';
import { asEdge } from './cut.ts';
import { aliasRows, postConditions } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import { isOfAllPosts, type Scope } from './scope.ts';
import { ofEvents } from './source.ts';

export const ATTRIBUTIONS = ['last_touch', 'first_touch', 'linear', 'last_post_touched'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

const LOOK_BACK_MS = 30 * DAY;

export interface ConversionsQuestion {
  /** `posts` narrows the list. Pages dated after `now` count as pages without metadata. */
  scope: Scope;
  /** Epoch milliseconds. */
  now: number;
  attribution: Attribution;
  /** Only these; none: all. */
  types: readonly string[];
  labels: readonly string[];
  /** Only posts, or only other pages. Default: both. */
  pageType?: 'post' | 'index' | undefined;
  /** Only this canonical URL. Default: all. */
  url?: string | undefined;
  /** One row a URL, or one for each URL, type and label. */
  by: 'url' | 'kind';
  limit: number;
  offset: number;
}

/** Shares of one conversion as pairs (page, share), from its `touches`: pairs (time, page) in no order. */
const CREDITS: Record<Attribution, string> = {
  last_touch: 'if(empty(touches), [(own, 1.)], [(arrayMax(touches).2, 1.)])',
  first_touch: 'if(empty(touches), [(own, 1.)], [(arrayMin(touches).2, 1.)])',
  linear: 'if(empty(touches), [(own, 1.)], arrayMap(touch -> (touch.2, 1 / length(touches)), touches))',
  last_post_touched: 'if(empty(touches), [(own, 1.)], [(arrayMax(touches).2, 1.)])',
};

/**
 * Rows `name, described, [type, label,] conversions, visitors, kinds` in order, one more than `limit` where there are
 * more. `described` is 0 where nothing but the URL is to be shown; `kinds` holds tuples `(type, label, conversions,
 * visitors)`.
 */
export function compileConversions(question: ConversionsQuestion): TrafficQuery {
  const { scope, attribution, by, limit, offset, pageType } = question;
  const bind = new Bindings(scope.site);
  const kind = by === 'kind' ? 'type, label, ' : '';
  const withBare = pageType !== 'post' && isOfAllPosts(scope.posts ?? {});
  const name = withBare ? "if(listed.url = '', bare.url, listed.url)" : 'listed.url';
  const sql = `
SELECT ${name} AS name, listed.url != '' AS described, ${kind}round(sum(share), 3) AS conversions, uniqExactMerge(people) AS visitors,
  arraySort(kind -> (-kind.3, kind.1, kind.2), groupArray((type, label, round(share, 3), finalizeAggregation(people)))) AS kinds
FROM (
  SELECT credit.1 AS page, type, label, sum(credit.2) AS share, uniqExactStateIf(visitor, visitor != 0) AS people
  FROM (SELECT type, label, visitor, ${CREDITS[attribution]} AS credits FROM (${touched(question, bind)}))
  ARRAY JOIN credits AS credit
  GROUP BY page, type, label
) AS credited
LEFT JOIN (${listedRows(scope, bind)}) AS listed ON listed.post = credited.page
${withBare ? `LEFT JOIN (${bareRows(question, bind)}) AS bare ON bare.page = credited.page` : ''}
WHERE ${["name != ''", ...shown(question, bind)].join(' AND ')}
GROUP BY ${kind}name, described
ORDER BY conversions DESC, name ASC${by === 'kind' ? ', type ASC, label ASC' : ''}
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}`;
  return { sql, params: bind.params };
}

function shown({ scope, pageType, url }: ConversionsQuestion, bind: Bindings): string[] {
  const where: string[] = [];
  if (pageType !== undefined) where.push(`listed.is_post = ${pageType === 'post' ? 1 : 0}`);
  if (url !== undefined) where.push(`credited.page = sipHash64(${bind.add(url, 'String')})`);
  if (scope.excluded.size > 0) {
    const hidden = bind.add([...scope.excluded], 'Array(String)');
    where.push(`credited.page NOT IN (SELECT arrayJoin(arrayMap(url -> sipHash64(url), ${hidden})))`);
  }
  return where;
}

/** SELECT of `post, url, is_post`: every page that is described and passes the filters. */
function listedRows({ site, posts }: Scope, bind: Bindings): string {
  const where = [`site = ${bind.add(site, 'String')}`, ...postConditions(posts ?? {}, bind)];
  return `SELECT post, url, page_type = 'post' AS is_post FROM posts FINAL WHERE ${where.join(' AND ')}`;
}

/**
 * SELECT of `page, url`: pages of the look-back without metadata, under their canonical URLs; and those whose date is
 * to come.
 */
function bareRows({ scope, now }: ConversionsQuestion, bind: Bindings): string {
  const described = `SELECT post FROM (${listedRows({ ...scope, posts: { published: { start: undefined, end: now } } }, bind)})`;
  const site = bind.add(scope.site, 'String');
  const where = [
    ...ofEvents(scope, bind, lookBack(scope)),
    `action IN ('pageview', 'conversion')`,
    `post NOT IN (${described})`,
  ];
  return `SELECT post AS page, any(url) AS url FROM events WHERE ${where.join(' AND ')} GROUP BY post
    UNION DISTINCT SELECT canonical_post AS page, canonical AS url FROM aliases FINAL
    WHERE site = ${site} AND canonical_post NOT IN (${described})`;
}

/** One row a conversion, with every page its visitor touched before it. */
function touched(question: ConversionsQuestion, bind: Bindings): string {
  const conversions = conversionRows(question, bind);
  return `SELECT any(done.type) AS type, any(done.label) AS label, any(done.visitor) AS visitor, any(done.own) AS own,
    groupArrayIf((seen.time, seen.page), done.visitor != 0 AND seen.page != 0
      AND seen.time BETWEEN done.time - ${LOOK_BACK_MS} AND done.time) AS touches
  FROM (${conversions}) AS done
  LEFT JOIN (${touchRows(question, conversions, bind)}) AS seen ON seen.visitor = done.visitor
  GROUP BY done.id`;
}

function conversionRows({ scope, types, labels }: ConversionsQuestion, bind: Bindings): string {
  const where = [`action = 'conversion'`];
  if (types.length > 0) where.push(`conversion_type IN ${bind.add(types, 'Array(String)')}`);
  if (labels.length > 0) where.push(`conversion_label IN ${bind.add(labels, 'Array(String)')}`);
  where.push(...ofEvents(scope, bind, { edges: asEdge(scope.period, scope.zone).edges }));
  return `SELECT row_number() OVER (ORDER BY time) AS id, toInt64(time) AS time, visitor, toString(conversion_type) AS type,
    toString(conversion_label) AS label, if(known.canonical_post = 0, events.post, known.canonical_post) AS own
  FROM events LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = events.post WHERE ${where.join(' AND ')}`;
}

/** The period, and 30 days before it. */
const lookBack = ({ period: { start, end }, zone }: Scope) => asEdge({ start: start - LOOK_BACK_MS, end }, zone);

function touchRows({ scope, attribution }: ConversionsQuestion, conversions: string, bind: Bindings): string {
  const where = [`action = 'pageview'`, ...ofEvents(scope, bind, lookBack(scope))];
  where.push(`visitor IN (SELECT visitor FROM (${conversions}) WHERE visitor != 0)`);
  const rows = `SELECT visitor, toInt64(time) AS time, if(known.canonical_post = 0, events.post, known.canonical_post) AS page
  FROM events LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = events.post WHERE ${where.join(' AND ')}`;
  if (attribution !== 'last_post_touched') return rows;
  const posts = `SELECT post FROM (${listedRows({ ...scope, posts: {} }, bind)}) WHERE is_post`;
  return `SELECT visitor, time, page FROM (${rows}) WHERE page IN (${posts})`;
}
