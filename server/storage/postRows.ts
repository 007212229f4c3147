// A post as the engine has it: a row, and a line of JSON.
import type { Alternatives } from '../posts/alternatives.ts';
import type { Post } from '../posts/post.ts';

export interface PostRow {
  url: string;
  page_type: Post['pageType'];
  title: string;
  image_url: string;
  thumb_url: string;
  pub_date: number | null;
  section: string;
  authors: string[];
  tags: string[];
  full_content: string;
  word_count: number;
  language: string;
  duration: number;
  post_id: string;
  video_platform: string;
  metadata: string;
  /** JSON; empty: none. */
  alternatives: string;
  sent: NonNullable<Post['sent']>;
  /** 0: it is not. */
  gone_at: number;
  updated_at: number;
}

export function toColumns(post: Post): PostRow {
  return {
    url: post.url,
    page_type: post.pageType,
    title: post.title,
    image_url: post.imageUrl,
    thumb_url: post.thumbUrl,
    pub_date: post.pubDate,
    section: post.section,
    authors: post.authors,
    tags: post.tags,
    full_content: post.fullContent,
    word_count: post.wordCount,
    language: post.language,
    duration: post.duration,
    post_id: post.postId,
    video_platform: post.videoPlatform,
    metadata: post.metadata,
    alternatives: post.alternatives === undefined ? '' : JSON.stringify(post.alternatives),
    sent: post.sent ?? [],
    gone_at: post.goneAt ?? 0,
    updated_at: post.updatedAt,
  };
}

export function toPost(row: PostRow): Post {
  return {
    url: row.url,
    pageType: row.page_type,
    title: row.title,
    imageUrl: row.image_url,
    thumbUrl: row.thumb_url,
    pubDate: row.pub_date,
    section: row.section,
    authors: row.authors,
    tags: row.tags,
    fullContent: row.full_content,
    wordCount: row.word_count,
    language: row.language,
    duration: row.duration,
    postId: row.post_id,
    videoPlatform: row.video_platform,
    metadata: row.metadata,
    ...(row.alternatives !== '' && { alternatives: JSON.parse(row.alternatives) as Alternatives }),
    ...(row.sent.length > 0 && { sent: row.sent }),
    ...(row.gone_at > 0 && { goneAt: row.gone_at }),
    updatedAt: row.updated_at,
  };
}

/** The posts of lines of JSON, as the engine answers. */
export function* parsePosts(lines: Uint8Array): Generator<Post> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    const stop = end < 0 ? bytes.length : end;
    yield toPost(JSON.parse(bytes.toString('utf8', start, stop)) as PostRow);
    start = stop + 1;
  }
}

/** The last row of lines of JSON; undefined when there is none. */
export function lastRow(lines: Uint8Array): Pick<PostRow, 'url'> | undefined {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  if (bytes.length === 0) return undefined;
  // The last byte ends the last line.
  return JSON.parse(bytes.toString('utf8', bytes.lastIndexOf(NEWLINE, -2) + 1)) as PostRow;
}

const NEWLINE = 10;
