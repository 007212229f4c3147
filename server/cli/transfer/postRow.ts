// One line of a file of posts: the metadata object of the interface, so that an export can be imported as it is, and
// which of its fields the publisher has sent. Its texts are plain: POST /metadata, which decodes HTML entities, would
// decode an ampersand in them that was written as `&amp;` on purpose.
import type { MetadataBody } from '../../contract/wire.ts';
import { runningOf } from '../../posts/alternatives.ts';
import { parseIsoDate } from '../../posts/parseIsoDate.ts';
import { type FieldErrors, parseMetadata, type SaidMetadata } from '../../posts/parseMetadata.ts';
import type { Post, PostPatch } from '../../posts/post.ts';
import { postIdIn } from '../../posts/postId.ts';

/** The fields of a post that its publisher may send and its page may say, as a line names them. */
const NAMES = {
  pageType: 'page_type',
  title: 'title',
  imageUrl: 'image_url',
  thumbUrl: 'thumb_url',
  pubDate: 'pub_date_tmsp',
  section: 'section',
  authors: 'authors',
  tags: 'tags',
  fullContent: 'full_content',
  language: 'language',
  duration: 'duration',
  postId: 'post_id',
  metadata: 'custom_metadata',
  videoPlatform: 'video_platform',
} as const satisfies Record<Exclude<keyof PostPatch, 'alternatives' | 'goneAt'>, keyof MetadataBody>;

/** What an export writes. */
export interface ExportedPost extends Partial<MetadataBody> {
  /** The fields that the publisher has sent: the page does not change them. Absent in other files: all. */
  sent_fields: string[];
  /** When its page was found gone, in ISO 8601: no list shows it. Absent: its page is there. */
  gone?: string;
}

/** What a line says about a post. */
export interface ImportedPost extends SaidMetadata {
  /** What its page had said, in an export: it may say something else again. */
  read: PostPatch;
  /** Epoch milliseconds; undefined: its page is there. */
  goneAt: number | undefined;
}

const FIELDS = Object.entries(NAMES) as [keyof typeof NAMES, string][];

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

/** Reads a line: as POST /metadata reads its body, but texts are kept as they are, and addresses are not bounded. */
export function importPost(line: unknown): { ok: true; value: ImportedPost } | { ok: false; errors: FieldErrors } {
  const parsed = parseMetadata(line, { kind: 'posts', mostUrls: Number.POSITIVE_INFINITY });
  if (!parsed.ok) return parsed;
  const { sent_fields: sent, gone } = line as { sent_fields?: unknown; gone?: unknown };
  const goneAt = typeof gone === 'string' ? parseIsoDate(gone) : undefined;
  if (gone !== undefined && gone !== null && gone !== '' && goneAt === undefined)
    return { ok: false, errors: { gone: ['Must be a time in ISO 8601, such as 2026-05-01T09:30:00Z.'] } };
  if (sent === undefined) return { ok: true, value: { ...parsed.value, read: {}, goneAt } };
  if (!Array.isArray(sent)) return { ok: false, errors: { sent_fields: ['Must be a list of names of fields.'] } };
  const patch: PostPatch = { ...parsed.value.patch };
  const read: PostPatch = {};
  for (const [field, name] of FIELDS) {
    if (sent.includes(name) || !Object.hasOwn(patch, field)) continue;
    Object.assign(read, { [field]: patch[field] });
    delete patch[field];
  }
  return { ok: true, value: { ...parsed.value, patch, read, goneAt } };
}

/** What is known of a post in the words of POST /metadata; blanks are left out. Pages that are no posts are `index`. */
export function exportPost(post: Post, aliases: readonly string[]): ExportedPost {
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
  const gone = post.goneAt === undefined ? undefined : new Date(post.goneAt).toISOString();
  const sent = FIELDS.filter(([field]) => post.sent?.includes(field)).map(([, name]) => name);
  return { canonical_url: body.canonical_url, ...withoutBlanks(body), sent_fields: sent, ...(gone && { gone }) };
}

function withoutBlanks(body: MetadataBody): Partial<MetadataBody> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  );
}
