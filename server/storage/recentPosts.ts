// The newest posts that filters let pass, as one statement: what `recommend/filters.ts` says of posts in memory.
import type { RecommendFilters } from '../recommend/request.ts';
import type { SiteId } from '../sites/site.ts';

const NEWEST_FIRST = 'ORDER BY pub_date DESC NULLS LAST, url';

/** An address that is declared to be another one of a post's is no post. */
const NO_ALIAS = `url NOT IN (SELECT alias FROM aliases FINAL WHERE site = {site:String} AND alias != canonical)`;

/** @param columns Of the answer, without the texts. */
export function recentPosts(
  columns: string,
  { site, filters, limit }: { site: SiteId; filters: RecommendFilters; limit: number },
): { sql: string; params: Record<string, unknown> } {
  const { sections = [], authors = [], tags = [], exclude = [], pubDateStart, pubDateEnd } = filters;
  const named = (meta: string) => exclude.filter((one) => one.meta === meta).map(({ value }) => value);
  const conditions = [
    `site = {site:String} AND page_type = 'post' AND gone_at = 0 AND ${NO_ALIAS}`,
    // A post of unknown date passes unless a start is asked for.
    pubDateEnd !== undefined && '(pub_date IS NULL OR pub_date <= {end:Int64})',
    pubDateStart !== undefined && 'pub_date >= {start:Int64}',
    sections.length > 0 && 'section IN {sections:Array(String)}',
    authors.length > 0 && 'hasAll(authors, {authors:Array(String)})',
    tags.length > 0 && 'hasAll(tags, {tags:Array(String)})',
    exclude.length > 0 &&
      `section NOT IN {noSections:Array(String)} AND NOT hasAny(authors, {noAuthors:Array(String)})
       AND NOT hasAny(tags, {noTags:Array(String)})`,
  ].filter((condition) => condition !== false);
  // Addresses first: the other columns are read for the posts shown only.
  const sql = `SELECT ${columns} FROM posts FINAL WHERE site = {site:String} AND url IN (
      SELECT url FROM posts FINAL WHERE ${conditions.join(' AND ')} ${NEWEST_FIRST} LIMIT {limit:UInt32})
    ${NEWEST_FIRST}`;
  const params = {
    site,
    limit,
    ...(pubDateEnd !== undefined && { end: Math.floor(pubDateEnd) }),
    ...(pubDateStart !== undefined && { start: Math.ceil(pubDateStart) }),
    ...(sections.length > 0 && { sections }),
    ...(authors.length > 0 && { authors }),
    ...(tags.length > 0 && { tags }),
    ...(exclude.length > 0 && { noSections: named('section'), noAuthors: named('authors'), noTags: named('tags') }),
  };
  return { sql, params };
}
