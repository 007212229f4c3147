// What a list shows of its posts, without their text.
import type { Alternatives } from '../posts/alternatives.ts';
import type { ListedPost } from '../posts/toPostRecord.ts';
import type { SiteId } from '../sites/site.ts';
import type { TrafficQuery, TrafficRow } from './query.ts';

/** Rows for `toListedPost`, in no order. */
export function compileRecords(site: SiteId, urls: readonly string[]): TrafficQuery {
  const sql = `
SELECT url, title, image_url, thumb_url, pub_date, section, authors, tags, word_count, metadata, alternatives
FROM posts FINAL WHERE site = {site:String} AND url IN {urls:Array(String)}`;
  return { sql, params: { site, urls } };
}

export function toListedPost(row: TrafficRow): ListedPost {
  return {
    url: String(row.url),
    title: String(row.title),
    imageUrl: String(row.image_url),
    thumbUrl: String(row.thumb_url),
    pubDate: row.pub_date === null ? null : Number(row.pub_date),
    section: String(row.section),
    authors: row.authors as string[],
    tags: row.tags as string[],
    wordCount: Number(row.word_count),
    metadata: String(row.metadata),
    ...(row.alternatives !== '' && { alternatives: JSON.parse(String(row.alternatives)) as Alternatives }),
  };
}
