// The filters of a question: as a request writes them, and as conditions on posts and events.
import type { EventRow } from '../../../server/ingest/eventRow.ts';
import type { Post } from '../../../server/posts/post.ts';
import type { World } from '../worlds.ts';
import { isMeant } from './namedReferrers.ts';
import { toPublished } from './periods.ts';
import { CAMPAIGN_PARTS, type Sketch } from './sketch.ts';

export type Params = Record<string, string | readonly string[]>;

type Passes = (post: Post) => boolean;

/** Only what says something. */
const said = (params: Record<string, string | readonly string[] | undefined>): Params =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined || value.length === 0 ? [] : [[name, value]],
    ),
  );

/** Authors, tags and sections, of the names given. */
export function namesFilter(
  sketch: Pick<Sketch, 'author' | 'tag' | 'section'>,
  names: readonly ('author' | 'tag' | 'section')[],
): { params: Params; passes: Passes } {
  const taken = { author: [] as string[], tag: [] as string[], section: [] as string[] };
  for (const name of names) taken[name] = sketch[name];
  const { author, tag, section } = taken;
  return {
    params: said({ author, tag, section }),
    passes: (post) =>
      author.every((name) => post.authors.includes(name)) &&
      tag.every((name) => post.tags.includes(name)) &&
      (section.length === 0 || section.includes(post.section)),
  };
}

/** One name of one kind. */
export const isUnder = (list: Sketch['list'], name: string): Passes =>
  namesFilter({ author: [], tag: [], section: [], [list]: [name] }, [list]).passes;

/** Nothing is listed before its date. */
export const isPublished =
  ({ now }: World): Passes =>
  ({ pubDate }) =>
    pubDate === null || pubDate <= now;

/** Publication dates; without any, what is dated in the future is left out. */
export function publishedFilter({ published }: Sketch, world: World): { params: Params; passes: Passes } {
  const { params, passes } = toPublished({ start: published?.start, end: published?.end }, world);
  return { params, passes: ({ pubDate }) => passes(pubDate) };
}

export const CAMPAIGN_OF: Record<(typeof CAMPAIGN_PARTS)[number], (event: EventRow) => string> = {
  id: (event) => event.campaignId,
  medium: (event) => event.campaignMedium,
  source: (event) => event.campaignSource,
  content: (event) => event.campaignContent,
  term: (event) => event.campaignTerm,
};

/** Segment, channel, device and campaign. */
export function visitFilter({ segment, channel, device, campaigns }: Sketch): {
  params: Params;
  passes: (event: EventRow) => boolean;
} {
  const parts = CAMPAIGN_PARTS.filter((part) => campaigns[part] !== undefined);
  return {
    params: said({
      segment,
      channel,
      device,
      ...Object.fromEntries(parts.map((part) => [`campaign_${part}`, campaigns[part]])),
    }),
    passes: (event) =>
      (segment === undefined || event.segments.includes(segment)) &&
      (channel === undefined || event.channel === channel) &&
      (device === undefined || event.device === device) &&
      parts.every((part) => CAMPAIGN_OF[part](event) === campaigns[part]),
  };
}

/** How a visit came: a type lists what is finer, too. */
export function referrerFilter({ referrerType, domain }: Sketch): {
  params: Params;
  passes: (event: EventRow) => boolean;
} {
  const listed: readonly string[] = referrerType === 'other' ? ['other', 'aggregator', 'ai'] : [referrerType];
  return {
    params: said({ domain }),
    passes: (event) => listed.includes(event.referrerType) && (domain === undefined || isMeant(event, domain)),
  };
}
