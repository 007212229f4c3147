// Questions of the content audit: posts with missing metadata, orphan posts, and posts whose page is gone.
import { AUDIT_EXAMPLES, NEEDED_FIELDS, ORPHAN_DAYS } from '../contract/contentAudit.ts';
import { DAY } from '../durations.ts';
import { Bindings } from './bindings.ts';
import { aliasRows } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { addDays, dayOf } from './zone.ts';

const LACKS = NEEDED_FIELDS.map((field) => ({
  field,
  when: field === 'pub_date' ? 'pub_date IS NULL' : `${field} = ''`,
}));

const NEWEST = 'pub_date DESC NULLS LAST, updated_at DESC, url';

/** Which posts are not hidden. */
type Posts = Pick<Scope, 'site' | 'zone' | 'excluded'>;

/** One row: how many `posts` there are, and how many lack each field (`lacks_…`). */
export function compileLacking(posts: Posts): TrafficQuery {
  const bind = new Bindings(posts.site);
  const counts = LACKS.map(({ field, when }) => `toUInt32(countIf(${when})) AS lacks_${field}`);
  const sql = `SELECT toUInt32(count()) AS posts, ${counts.join(', ')}
    FROM posts FINAL WHERE ${shown(posts, bind)}`;
  return { sql, params: bind.params };
}

/** Rows `field, url, title`: the newest posts that lack it. */
export function compileLackingPosts(posts: Posts): TrafficQuery {
  const bind = new Bindings(posts.site);
  const fields = LACKS.map(({ field, when }) => `if(${when}, '${field}', '')`).join(', ');
  const sql = `SELECT arrayJoin(arrayFilter(name -> name != '', [${fields}])) AS field, url, title
    FROM posts FINAL WHERE ${shown(posts, bind)} ORDER BY field, ${NEWEST} LIMIT ${AUDIT_EXAMPLES} BY field`;
  return { sql, params: bind.params };
}

/**
 * Rows `url, title, orphans`: the newest posts that no list has shown to a reader and no page of the site has led to,
 * each with the count of all. A post of today has not had its time.
 */
export function compileOrphans(posts: Posts, now: number): TrafficQuery {
  const bind = new Bindings(posts.site);
  const days = `site = ${bind.add(posts.site, 'String')} AND day >= ${bind.add(addDays(dayOf(now, posts.zone), -ORPHAN_DAYS), 'Date')}`;
  const reached = `SELECT post FROM ledger_days WHERE ${days} AND (seen > 0 OR clicks > 0)
    UNION ALL SELECT post FROM facet_days WHERE ${days} AND facet = 'referrer_internal' AND views > 0`;
  // A view of an alias counts for its post. A JOIN, because the servers of a cluster refuse nested IN subqueries.
  const led = `SELECT if(canonical_post = 0, reached.post, canonical_post) FROM (${reached}) AS reached
    LEFT JOIN (${aliasRows(posts, bind)}) AS aliases ON alias_post = reached.post`;
  const sql = `SELECT url, title, toUInt32(count() OVER ()) AS orphans FROM posts FINAL
    WHERE ${shown(posts, bind)} AND ifNull(pub_date, toInt64(updated_at)) < ${bind.add(now - DAY, 'Int64')}
      AND post NOT IN (${led})
    ORDER BY ${NEWEST} LIMIT ${AUDIT_EXAMPLES}`;
  return { sql, params: bind.params };
}

/** Rows `url, title, gone`: the posts whose page was found gone last, each with the count of all. */
export function compileGone(posts: Posts): TrafficQuery {
  const bind = new Bindings(posts.site);
  const sql = `SELECT url, title, toUInt32(count() OVER ()) AS gone FROM posts FINAL
    WHERE ${notHidden(posts, bind)} AND gone_at > 0 ORDER BY gone_at DESC, url LIMIT ${AUDIT_EXAMPLES}`;
  return { sql, params: bind.params };
}

/** Conditions on the posts that lists may show: no alias, not hidden, and not gone. */
const shown = (posts: Posts, bind: Bindings): string => `${notHidden(posts, bind)} AND gone_at = 0`;

/** Conditions on posts: no alias, and not hidden. */
function notHidden({ site, excluded }: Posts, bind: Bindings): string {
  const where = [
    `site = ${bind.add(site, 'String')} AND page_type = 'post'`,
    `post NOT IN (SELECT alias_post FROM (${aliasRows({ site }, bind)}) WHERE alias_post != canonical_post)`,
  ];
  if (excluded.size > 0) where.push(`url NOT IN ${bind.add([...excluded], 'Array(String)')}`);
  return where.join(' AND ');
}
