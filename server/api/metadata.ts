// A publisher describes a post or video. Requires the site's write secret; its read secret is refused.
import { z } from 'zod';
import { LONGEST_ALTERNATIVE_TITLE, MOST_ALTERNATIVES } from '../contract/alternatives.ts';
import { MAX_TAGS, MAX_URL_LENGTH } from '../contract/limits.ts';
import { KEYS } from '../http/bodyFields.ts';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { UNVERIFIED_BYTES } from '../http/guards.ts';
import { toJsonSchema } from '../http/jsonSchema.ts';
import { oneOf } from '../http/params.ts';
import { send } from '../http/send.ts';
import { METADATA_LIMITS, parseMetadata } from '../posts/parseMetadata.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { PostQuotaError } from '../sites/siteQuotas.ts';

/** Size of the longest text of a post, with a hundred tags and a thousand aliases. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Size of a thousand aliases and the largest custom metadata, of any structure. */
const BODY_BOUNDS = { depth: 64, values: 20_000 };

const { text, content, custom, authors, aliases, seconds } = METADATA_LIMITS;

const said = (description: string, longest: number = text) => z.string().max(longest).meta({ description }).optional();
const url = z.string().max(MAX_URL_LENGTH);

/**
 * Fields as the reference describes them. `parseMetadata` parses them here, in imported files and in events, and is
 * more tolerant.
 */
const FIELDS = z.looseObject({
  canonical_url: url.meta({ description: 'The one address of the page, with its scheme.' }),
  urls: z
    .array(url)
    .max(aliases)
    .meta({ description: 'Its other addresses: their traffic and its own become one record.' })
    .optional(),
  page_type: z
    .enum(['post', 'index', 'video'])
    .meta({ description: 'Default: post; on /metadata/videos always video.' })
    .optional(),
  title: said('HTML entities are decoded once, in section, authors and tags too; "" says nothing, for every field.'),
  image_url: url.optional(),
  thumb_url: url.meta({ description: 'A smaller picture. Default: image_url.' }).optional(),
  pub_date_tmsp: said('ISO 8601; UTC where no zone is named.'),
  section: said('Exactly one; sub-sections are tags.'),
  authors: z.array(z.string().max(text)).max(authors).optional(),
  tags: z
    .array(z.string().max(text))
    .max(MAX_TAGS)
    .meta({ description: `At most ${MAX_TAGS}.` })
    .optional(),
  full_content: said('Text, for related posts and the search.', content),
  language: said('Such as en or pt-BR.'),
  post_id: said('Your own id: apps and players may name the post by it.'),
  duration: z.number().min(0).max(seconds).meta({ description: 'Seconds of a video.' }).optional(),
  video_platform: z.string().max(text).optional(),
  custom_metadata: z
    .union([z.looseObject({}), z.string().max(custom)])
    .meta({ description: `Comes back as the text of metadata, which has at most ${custom} characters.` })
    .optional(),
  alternatives: z
    .array(z.strictObject({ title: z.string().max(LONGEST_ALTERNATIVE_TITLE).optional(), image_url: url.optional() }))
    .max(MOST_ALTERNATIVES)
    .meta({
      description:
        'Titles or pictures that lists show in place of the post’s own, each to a share of the readers, until one has won. An empty list stops it.',
    })
    .optional(),
});

const BODY = z
  .object({
    ...KEYS,
    metadata: z.unknown().meta(toJsonSchema(FIELDS)).optional(),
  })
  .meta({ required: ['apikey', 'secret', 'metadata'] });

export const metadata = endpoint({
  summary:
    'Says what a post or video is. Later writes change the fields they name. A new one beyond the posts that the site may have is 422.',
  params: z.object({ kind: oneOf(['posts', 'videos'], 'What is described.') }),
  body: {
    schema: BODY,
    example: {
      apikey: SITE,
      secret: WRITE_SECRET,
      metadata: {
        canonical_url: `https://${SITE}/an-article`,
        title: 'The last ferry',
        authors: ['Ada Lovelace'],
        section: 'Harbour',
        tags: ['ferries'],
        pub_date_tmsp: '2026-01-31T09:30:00Z',
      },
    },
    limits: {
      max: MAX_BODY_BYTES,
      first: UNVERIFIED_BYTES,
      bounds: BODY_BOUNDS,
      type: 'application/json',
      sentence: 'Send a JSON object with apikey, secret and metadata.',
    },
  },
  async answer({ site, params: { kind }, body, c }, { library }) {
    const parsed = parseMetadata(body.metadata, { kind, entities: true });
    if (!parsed.ok) throw new BadParameters(parsed.errors);
    const { url, ...what } = parsed.value;
    await library.write(site.id, url, what).catch((error: unknown) => {
      if (error instanceof PostQuotaError) throw new BadParameters({ url: [error.message] });
      throw error;
    });
    return send(c, { data: [], success: true });
  },
});
