// One line of a file of posts: the metadata object of the interface, so that an export can be imported as it is. Its
// texts are plain: POST /metadata, which decodes HTML entities, would decode an ampersand in them that was written as
// `&amp;` on purpose.
import type { MetadataBody } from '../../contract/wire.ts';
import { runningOf } from '../../posts/alternatives.ts';
import type { Post } from '../../posts/post.ts';
import { postIdIn } from '../../posts/postId.ts';

/** Fields of which a post may have several, and what stands between two: a bar may be in an address, too. */
const LISTS: Readonly<Record<string, RegExp>> = { urls: /\|(?=\s*https?:)/i, authors: /\|/, tags: /\|/ };

/**
 * A line of a CSV as the metadata object: bars stand between several values, as in a CSV of views. A comma is no
 * separator: it may be part of a name.
 */
export function readCsvPost(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, text]: [string, unknown]) => {
    const bar = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    const several = bar !== undefined && typeof text === 'string' && bar.test(text);
    return [name, several ? text.split(bar).map((one) => one.trim()) : text];
  });
  return Object.fromEntries(fields);
}

/** What is known of a post in the words of POST /metadata; blanks are left out. Pages that are no posts are `index`. */
export function exportPost(post: Post, aliases: readonly string[]): MetadataBody {
  const body: MetadataBody = {
    canonical_url: post.url,
    // Names made of ids are no addresses: the id itself stands below.
    urls: aliases.filter((alias) => alias !== post.url && postIdIn(alias) === undefined),
    page_type: post.pageType === 'other' ? 'index' : post.pageType,
    title: post.title,
    image_url: post.imageUrl,
    thumb_url: post.thumbUrl,
    pub_date_tmsp: post.pubDate === null ? '' : new Date(post.pubDate).toISOString(),
    section: post.section,
    authors: post.authors,
    tags: post.tags,
    full_content: post.fullContent,
    language: post.language,
    post_id: post.postId,
    custom_metadata: post.metadata,
    video_platform: post.videoPlatform,
    alternatives: runningOf(post)?.others.map(({ title, imageUrl }) => ({ title, image_url: imageUrl })) ?? [],
    ...(post.duration === 0 ? {} : { duration: post.duration }),
  };
  return { canonical_url: body.canonical_url, ...withoutBlanks(body) };
}

function withoutBlanks(body: MetadataBody): Partial<MetadataBody> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  );
}
