// From pages as they were seen to posts as they are known: aliases, metadata and exclusions, joined when a question is
// asked, so that a renamed section moves its history and a late alias brings its traffic along.

import { MINUTE } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import { Bindings } from './bindings.ts';
import type { TrafficQuery } from './query.ts';
import { keysOf, type PostFilters, type Scope } from './scope.ts';

/** What a list's records are made of posts: the post itself, or what its metadata says about it. */
export type PostKey = 'post' | 'author' | 'section' | 'tag' | 'video';

/** SELECT of `alias_post, canonical_post`. */
export function aliasRows(scope: Pick<Scope, 'site'>, bind: Bindings): string {
  return `SELECT alias_post, canonical_post FROM aliases FINAL WHERE site = ${bind.add(scope.site, 'String')}`;
}

const NAMES: Record<PostKey, string> = {
  post: 'url',
  video: 'url',
  author: 'arrayJoin(arrayDistinct(authors))',
  section: 'section',
  tag: 'arrayJoin(arrayDistinct(tags))',
};

/**
 * SELECT of `post, name`: every post that may be counted, under each name it is listed by. `among` is a condition on
 * `post` for looking up a few: tried before versions of a post are compared, for they all have one key.
 */
export function postRows(scope: Scope, key: PostKey, bind: Bindings, among?: string): string {
  const where = [
    `site = ${bind.add(scope.site, 'String')}`,
    `page_type = '${key === 'video' ? 'video' : 'post'}'`,
    ...postConditions(scope.posts ?? {}, bind),
  ];
  if (scope.excluded.size > 0) where.push(`url NOT IN ${bind.add([...scope.excluded], 'Array(String)')}`);
  const rows = `SELECT post, ${NAMES[key]} AS name FROM posts FINAL ${among ? `PREWHERE ${among} ` : ''}WHERE ${where.join(' AND ')}`;
  return key === 'post' || key === 'video' ? rows : `SELECT post, name FROM (${rows}) WHERE name != ''`;
}

/** Rows `url`: canonical URLs of posts of any type that pass a filter. */
export function compileUrlsUnder(site: SiteId, filters: PostFilters): TrafficQuery {
  const bind = new Bindings(site);
  const where = [`site = ${bind.add(site, 'String')}`, ...postConditions(filters, bind)];
  return { sql: `SELECT url FROM posts FINAL WHERE ${where.join(' AND ')}`, params: bind.params };
}

/** The same, one row at most: whether there is such a post. */
export function compileAnyUnder(site: SiteId, filters: PostFilters): TrafficQuery {
  const { sql, params } = compileUrlsUnder(site, filters);
  return { sql: `${sql} LIMIT 1`, params };
}

/**
 * Rows `url`: posts that changed last in any of some minutes, so much later than their date; a few of each minute.
 * @param of.minutes Since 1970.
 * @param of.afterDate Milliseconds.
 * @param of.most Of a minute.
 */
export function compileChangedIn(
  site: SiteId,
  { minutes, afterDate, most }: { minutes: readonly number[]; afterDate: number; most: number },
): TrafficQuery {
  const bind = new Bindings(site);
  const minute = `intDiv(toUInt64(updated_at), ${MINUTE})`;
  const sql = `SELECT url FROM posts FINAL WHERE site = ${bind.add(site, 'String')}
    AND ${minute} IN ${bind.add(minutes, 'Array(UInt64)')} AND updated_at > pub_date + ${bind.add(afterDate, 'Int64')}
    ORDER BY url LIMIT ${most} BY ${minute}`;
  return { sql, params: bind.params };
}

/** Case counts; several authors or tags must all be there, one of several sections is enough. */
export function postConditions(filters: PostFilters, bind: Bindings): string[] {
  const { urls, authors = [], tags = [], sections = [], arePresent, published, updated } = filters;
  const where: string[] = [];
  if (urls !== undefined) where.push(`url IN ${bind.add(urls, 'Array(String)')}`);
  if (authors.length > 0) where.push(`hasAll(authors, ${bind.add(authors, 'Array(String)')})`);
  if (tags.length > 0) where.push(`hasAll(tags, ${bind.add(tags, 'Array(String)')})`);
  if (sections.length > 0) where.push(`section IN ${bind.add(sections, 'Array(String)')}`);
  if (arePresent) where.push('gone_at = 0');
  if (published?.start !== undefined) where.push(`pub_date >= ${bind.add(published.start, 'Int64')}`);
  if (published?.end !== undefined) {
    const until = `pub_date <= ${bind.add(published.end, 'Int64')}`;
    where.push(published.start === undefined ? `(pub_date IS NULL OR ${until})` : until);
  }
  if (updated !== undefined) {
    const within = `BETWEEN ${bind.add(updated.start, 'Int64')} AND ${bind.add(updated.end, 'Int64')}`;
    where.push(`updated_at ${within} AND updated_at > pub_date + ${bind.add(updated.afterDate, 'Int64')}`);
  }
  return where;
}

/**
 * No page has this address. Its key keeps a set from being empty: a condition of empty sets is a constant to the server
 * of a cluster that was asked, not to the shards, and the question fails (ClickHouse error 44).
 */
const NO_KEY = `sipHash64('no page')`;

/**
 * Condition on the `post` of any table of traffic: only pages that may be counted. Undefined where all may.
 * For lists that are not made of posts; those that are join `postRows` and need no condition.
 */
export function pagesThatCount(scope: Scope, bind: Bindings): string | undefined {
  const { posts, pages, excluded } = scope;
  const keys = keysOf(scope);
  if (keys) return isOneOf(keys, bind);
  const conditions: string[] = [];
  if (pages) conditions.push(`post IN (${addressesOf(scope, pages.urls, bind)})`);
  if (posts) {
    const aliases = `SELECT alias_post FROM (${aliasRows(scope, bind)})`;
    const wanted = `SELECT post FROM (${postRows(scope, 'post', bind)})`;
    const known = `SELECT alias_post FROM (${aliasRows(scope, bind)}) WHERE canonical_post IN (${wanted})`;
    const some = `${wanted} UNION ALL SELECT ${NO_KEY}`;
    conditions.push(`(post IN (${known}) OR (post IN (${some}) AND post NOT IN (${aliases})))`);
  } else if (excluded.size > 0) {
    conditions.push(`post NOT IN (${addressesOf(scope, [...excluded], bind)})`);
  }
  return conditions.length > 0 ? conditions.join(' AND ') : undefined;
}

/** Condition on `post`: one of these keys. */
const isOneOf = (keys: readonly string[], bind: Bindings): string =>
  keys.length === 0 ? `post = ${NO_KEY}` : `post IN ${bind.add(keys.map(BigInt), 'Array(UInt64)')}`;

/** Keys that are worth binding to a statement: more of them take longer to read there than to look up again. */
export const MOST_KEYS = 1_000;

/** Rows `page`: keys of the pages that count of a scope with a filter of posts or pages; one more than the most. */
export function compileKeys(scope: Scope): TrafficQuery {
  const bind = new Bindings(scope.site);
  const site = bind.add(scope.site, 'String');
  const pages = scope.pages
    ? addressesOf(scope, scope.pages.urls, bind)
    : `SELECT post FROM posts WHERE site = ${site} UNION ALL SELECT alias_post AS post FROM aliases WHERE site = ${site}`;
  const sql = `SELECT DISTINCT toString(post) AS page FROM (${pages})
    WHERE ${pagesThatCount(scope, bind)} LIMIT ${bind.add(MOST_KEYS + 1, 'UInt32')}`;
  return { sql, params: bind.params };
}

/** SELECT of `page, name`: the keys of canonical URLs and of their aliases, with the canonical URL of each. */
export function addressRows(scope: Scope, urls: readonly string[], bind: Bindings): string {
  const list = bind.add(urls, 'Array(String)');
  const aliases = `FROM aliases FINAL WHERE site = ${bind.add(scope.site, 'String')}`;
  return `SELECT sipHash64(name) AS page, name FROM (SELECT arrayJoin(${list}) AS name) WHERE page NOT IN (SELECT alias_post ${aliases})
    UNION ALL SELECT alias_post AS page, canonical AS name ${aliases} AND canonical IN ${list}`;
}

/**
 * SELECT of the keys of canonical URLs and of their aliases. An alias among them is the canonical URL of no post: it
 * brings nothing.
 */
function addressesOf(scope: Scope, urls: readonly string[], bind: Bindings): string {
  const given = `SELECT arrayJoin(arrayMap(url -> sipHash64(url), ${bind.add(urls, 'Array(String)')})) AS post`;
  const aliases = aliasRows(scope, bind);
  return `SELECT post FROM (${given}) WHERE post NOT IN (SELECT alias_post FROM (${aliases}))
    UNION ALL SELECT alias_post AS post FROM (${aliases}) WHERE canonical_post IN (${given})`;
}
