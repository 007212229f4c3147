// What is newly said about a post, laid over what is known: field by field, the later write wins.
import { alternativesAfter, isReplaced, runningOf } from './alternatives.ts';
import { countWords } from './countWords.ts';
import type { Post, PostPatch } from './post.ts';

/**
 * Who says something about a post: its publisher; the page itself, read by the crawler; an event, which anyone may
 * send; or the test of its alternatives, which have a winner.
 */
export type MetadataSource = 'publisher' | 'page' | 'event' | 'test';

export interface Said {
  url: string;
  patch: PostPatch;
  /** Default: the publisher. */
  by?: MetadataSource | undefined;
  /** Epoch milliseconds of this write. */
  now: number;
}

const NOTHING: PostPatch = {};

/** Alternatives have rules of their own. */
type Fields = Omit<PostPatch, 'alternatives'>;

const BLANK: Omit<Post, 'url' | 'updatedAt' | 'sent' | 'alternatives'> = {
  pageType: 'other',
  title: '',
  imageUrl: '',
  thumbUrl: '',
  pubDate: null,
  section: '',
  authors: [],
  tags: [],
  fullContent: '',
  wordCount: 0,
  language: '',
  duration: 0,
  postId: '',
  videoPlatform: '',
  metadata: '',
};

/**
 * Merges a patch into a post. Fields the patch leaves out keep their value; words are counted again when the text
 * changes. What the publisher has sent stands: a page says only the rest. An event says only what nothing else has
 * said. What a test says is not sent: the page may say something else again. A post is no longer gone once its
 * publisher or its page says something.
 * @param known What was known, undefined for a new post.
 */
export function mergeMetadata(known: Post | undefined, { url, patch, by = 'publisher', now }: Said): Post {
  const sent = new Set(known?.sent);
  const { alternatives: said, ...fields } = by === 'test' && isStale(known, patch) ? NOTHING : patch;
  const accepted = acceptedFields(known, fields, by);
  const post: Post = {
    ...BLANK,
    ...known,
    ...pick(fields, accepted),
    url,
    updatedAt: timeAfter(known, now),
  };
  if (accepted.includes('fullContent')) post.wordCount = countWords(post.fullContent);
  if (by === 'publisher') for (const field of accepted) sent.add(field);
  // A description, by the publisher or read from the page, implies that there is one.
  if (isDescribed(fields, by)) delete post.goneAt;
  if (sent.size > 0) post.sent = [...sent];
  const alternatives = alternativesAfter(known, post, said);
  if (alternatives !== undefined) post.alternatives = alternatives;
  return post;
}

const isDescribed = ({ goneAt, ...fields }: Fields, by: MetadataSource): boolean =>
  goneAt === undefined && (by === 'publisher' || by === 'page') && Object.keys(fields).length > 0;

/** Whether the result of a headline test is stale: it was stopped, or began anew, while its readers were counted. */
function isStale(known: Post | undefined, { alternatives: said }: PostPatch): boolean {
  const running = known && runningOf(known);
  return said === undefined || !('startedAt' in said) || running?.startedAt !== said.startedAt;
}

/** Monotonic, as it is the version: later than the last change, also where the clock was ahead then. */
const timeAfter = (known: Post | undefined, now: number): number =>
  known !== undefined && known.updatedAt > now ? known.updatedAt + 1 : now;

/** The fields of a patch that change what is known of a post, or confirm it: those that the source may set. */
export function acceptedFields(known: Post | undefined, patch: Fields, by: MetadataSource): (keyof Fields)[] {
  const fields = (Object.keys(patch) as (keyof Fields)[]).filter((field) => patch[field] !== undefined);
  if (by === 'test') return fields;
  const said = fields.filter((field) => !isReplaced(known, field, patch[field]));
  if (by === 'publisher') return said;
  return said.filter((field) => !known?.sent?.includes(field) && (by === 'page' || isBlank(known, field)));
}

/** The type of a known page is known. */
function isBlank(known: Post | undefined, field: keyof Fields): boolean {
  if (known === undefined) return true;
  const value = known[field];
  return field !== 'pageType' && (Array.isArray(value) ? value.length === 0 : !value);
}

function pick(patch: Fields, fields: readonly (keyof Fields)[]): Fields {
  return Object.fromEntries(fields.map((field) => [field, patch[field]]));
}
