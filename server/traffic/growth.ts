// How the views of posts grew from their publication: by the hour for two days, then by the day. Hours are counted from
// the events of those days alone, days from the roll-up: a few short runs of rows a post.
import { HOUR } from '../durations.ts';
import { Bindings } from './bindings.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { addDays, dayOf } from './zone.ts';

/** Hours that are counted one by one. */
export const GROWTH_HOURS = 48;
/** Days of the calendar that they may be on: one of them may have 23 hours. */
const HOURS_TOUCH_DAYS = GROWTH_HOURS / 24 + 2;
/** Days of the calendar, that of the publication included. */
export const GROWTH_DAYS = 28;
/** Posts that a post is compared with, at most. */
const MOST_PEERS = 50;

/** A post whose views are counted by its age. */
export interface Published {
  url: string;
  /** Epoch milliseconds. */
  at: number;
}

/** What is the first day where there is none. */
export const NO_DAY = '1970-01-01';

/** Row `day`: the first day with traffic; `NO_DAY` where there is none. */
export function compileFirstDay({ site }: Pick<Scope, 'site'>): TrafficQuery {
  const { params } = new Bindings(site);
  return { sql: 'SELECT toString(min(day)) AS day FROM site_days WHERE site = {site:String}', params };
}

/** Row `quarter`: the first one with a view on a day, in quarters of an hour since 1970; 0 where there is none. */
export function compileFirstQuarter({ site }: Pick<Scope, 'site'>, day: string): TrafficQuery {
  const bind = new Bindings(site);
  const sql = `SELECT minIf(quarter, site_quarters.views > 0) AS quarter FROM site_quarters
    WHERE site = {site:String} AND day = ${bind.add(day, 'Date')}`;
  return { sql, params: bind.params };
}

export interface PeersQuestion {
  scope: Pick<Scope, 'site' | 'excluded'>;
  /** The post itself, which is none of them. */
  url: string;
  /** undefined: of any. */
  section: string | undefined;
  /** Published within; epoch milliseconds, inclusive. */
  from: number;
  to: number;
}

/** Rows `url, at`: the posts published last. */
export function compilePeers({ scope, url, section, from, to }: PeersQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const where = [
    `site = {site:String} AND page_type = 'post'`,
    `pub_date BETWEEN ${bind.add(from, 'Int64')} AND ${bind.add(to, 'Int64')}`,
    `url NOT IN ${bind.add([url, ...scope.excluded], 'Array(String)')}`,
    ...(section === undefined ? [] : [`section = ${bind.add(section, 'String')}`]),
  ];
  const sql = `SELECT url, pub_date AS at FROM posts FINAL WHERE ${where.join(' AND ')}
    ORDER BY pub_date DESC, url ASC LIMIT ${bind.add(MOST_PEERS, 'UInt32')}`;
  return { sql, params: bind.params };
}

/** A page as traffic knows it, of a post. */
export interface PageOfPost {
  /** Key, as decimal text. */
  page: string;
  /** Place of its post among those that are counted. */
  place: number;
  /** When the post was published, epoch milliseconds. */
  at: number;
}

/** Rows `place, age, views`: in the hour that begins so many hours after the publication. */
export function compileHours({ site, zone }: Pick<Scope, 'site' | 'zone'>, pages: readonly PageOfPost[]): TrafficQuery {
  const bind = new Bindings(site);
  const { keys, columnOf } = byPage(pages, bind);
  const days = runsOf(pages, { zone, count: HOURS_TOUCH_DAYS }, bind);
  const at = columnOf(({ at }) => at);
  const sql = `SELECT ${columnOf(({ place }) => place)} AS place, intDiv(time - ${at}, ${HOUR}) AS age, count() AS views
FROM events WHERE site = {site:String} AND ${days} AND post IN ${keys} AND action = 'pageview'
  AND time >= ${at} AND time < ${at} + ${GROWTH_HOURS * HOUR} GROUP BY place, age`;
  return { sql, params: bind.params };
}

/** Rows `place, day, views`: on the day of the site, `YYYY-MM-DD`. */
export function compileDays({ site, zone }: Pick<Scope, 'site' | 'zone'>, pages: readonly PageOfPost[]): TrafficQuery {
  const bind = new Bindings(site);
  const { columnOf } = byPage(pages, bind);
  const sql = `SELECT ${columnOf(({ place }) => place)} AS place, toString(day) AS day, sum(post_days.views) AS views
FROM post_days WHERE site = {site:String} AND ${runsOf(pages, { zone, count: GROWTH_DAYS }, bind)} GROUP BY place, day`;
  return { sql, params: bind.params };
}

function byPage(pages: readonly PageOfPost[], bind: Bindings) {
  const keys = bind.add(
    pages.map(({ page }) => BigInt(page)),
    'Array(UInt64)',
  );
  const columnOf = (value: (page: PageOfPost) => number) =>
    `transform(post, ${keys}, ${bind.add(pages.map(value), 'Array(UInt64)')}, toUInt64(0))`;
  return { keys, columnOf };
}

/** Condition: each page on its own days. The key of the tables begins with them, so nothing else is read. */
function runsOf(
  pages: readonly PageOfPost[],
  { zone, count }: { zone: string; count: number },
  bind: Bindings,
): string {
  const pairs = pages.flatMap(({ page, at }) => {
    const first = dayOf(at, zone);
    return Array.from({ length: count }, (_, day) => ({ page: BigInt(page), day: addDays(first, day) }));
  });
  const days = bind.add(
    pairs.map(({ day }) => day),
    'Array(Date)',
  );
  const keys = bind.add(
    pairs.map(({ page }) => page),
    'Array(UInt64)',
  );
  return `(day, post) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip(${days}, ${keys})) AS pair))`;
}
