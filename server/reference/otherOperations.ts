// Routes that are no GET endpoints with a schema of their own, described by hand. A test fails when one is missing here, or
// stands here without being a route.
import { EVENTS_EXAMPLE, METADATA_EXAMPLE, NEW_SITE_EXAMPLE } from './examples.ts';

/** What `callback` is, wherever it is taken. */
export const CALLBACK_MEANING = 'Wraps the answer (JSON-P).';

export interface OtherOperation {
  summary: string;
  tag: string;
  /** Who may ask, in a sentence; default: anyone. */
  guard?: string;
  /** JSON Schema of the body, where there is one, and a body that fits it. */
  body?: object;
  example?: object;
  /** Parameters as `name: description`. */
  parameters?: Record<string, string>;
  /** Names of those it cannot do without. */
  required?: readonly string[];
  /** Media type of the answer; default JSON. */
  answers?: string;
  /** Its addresses are made by this server alone: there is no example to paste. */
  signed?: boolean;
}

const eventBatch = {
  type: 'object',
  required: ['events'],
  properties: {
    events: {
      type: 'array',
      items: {
        type: 'object',
        required: ['idsite', 'action', 'url'],
        properties: {
          idsite: { type: 'string', description: 'Site ID.' },
          action: { enum: ['pageview', 'heartbeat', 'videostart', 'vheartbeat', 'conversion', 'share', 'custom'] },
          url: { type: 'string', description: 'Address of the page.' },
          urlref: { type: 'string', description: 'Where the visitor came from.' },
          inc: { type: 'integer', minimum: 1, maximum: 3600, description: 'Engaged seconds since the last heartbeat.' },
          data: {
            type: 'object',
            description: 'Visitor id (parsely_site_uuid), moment (ts, in ms) and details.',
            properties: {
              segments: {
                type: ['array', 'string'],
                description:
                  'Names of the visitor’s segments, a list or a text with commas: at most 10 of 100 characters. So are the values of other keys of data that the site maps: afterword site change --segment-key.',
              },
              _channel: { enum: ['website', 'amp', 'apln-rta', 'fbia'], description: 'Default: website.' },
              network: { enum: ['fb', 'tw', 'li', 'pi'], description: 'Of a share.' },
            },
          },
          metadata: {
            type: 'object',
            description:
              'canonical_url, else link: the page that is counted, if it is one of the site’s; of video events, link: the video. Title, section, authors, tags, pub_date_tmsp and image_url make a post where the site says so (afterword site change --event-metadata on) and nothing else describes the page.',
          },
          screen: {
            type: 'string',
            description:
              'Width and height, such as 1640x2360: tells tablets from phones where the user agent does not.',
          },
        },
      },
    },
  },
};

const taking = {
  tag: 'ingest',
  guard: 'Public. Events of unknown sites and of robots are dropped and counted.',
  body: eventBatch,
  example: EVENTS_EXAMPLE,
} as const;

const texts = { type: 'array', items: { type: 'string' } };

const metadataBody = {
  type: 'object',
  required: ['apikey', 'secret', 'metadata'],
  properties: {
    apikey: { type: 'string', description: 'Site ID.' },
    secret: { type: 'string', description: 'The write secret.' },
    metadata: {
      type: 'object',
      required: ['canonical_url'],
      properties: {
        canonical_url: { type: 'string', description: 'The one address of the page, with its scheme.' },
        urls: { ...texts, description: 'Its other addresses: their traffic and its own become one record.' },
        page_type: {
          enum: ['post', 'index', 'video'],
          description: 'Default: post; on /metadata/videos always video.',
        },
        title: {
          type: 'string',
          description:
            'HTML entities are decoded once, in section, authors and tags too; "" says nothing, for every field.',
        },
        image_url: { type: 'string' },
        thumb_url: { type: 'string', description: 'A smaller picture. Default: image_url.' },
        pub_date_tmsp: { type: 'string', description: 'ISO 8601; UTC where no zone is named.' },
        section: { type: 'string', description: 'Exactly one; sub-sections are tags.' },
        authors: texts,
        tags: { ...texts, maxItems: 100, description: 'At most 100.' },
        full_content: { type: 'string', description: 'Text, for related posts and the search.' },
        language: { type: 'string', description: 'Such as en or pt-BR.' },
        post_id: { type: 'string', description: 'Your own id: apps and players may name the post by it.' },
        duration: { type: 'number', description: 'Seconds of a video.' },
        video_platform: { type: 'string' },
        custom_metadata: { type: ['object', 'string'], description: 'Comes back as the text of metadata.' },
      },
    },
  },
};

const pixel = (summary: string, more: Record<string, string> = {}): OtherOperation => ({
  summary,
  tag: 'ingest',
  guard: 'Public. Without any parameter only the picture is answered, and nothing is recorded.',
  answers: 'image/gif',
  required: ['idsite', 'action', 'url'],
  parameters: {
    idsite: 'Site ID.',
    action: 'pageview, heartbeat, videostart, vheartbeat, conversion, share or custom.',
    url: 'Address of the page.',
    urlref: 'Where the visitor came from.',
    date: 'When: ISO 8601, milliseconds since 1970, or JavaScript’s Date text. Default: now, as for what is later than now or over 24 hours ago.',
    inc: 'Engaged seconds since the last heartbeat, 1 to 3600.',
    u: 'Visitor id, where data has no parsely_site_uuid; OPTOUT: nobody.',
    ampid: 'Visitor id of AMP pages.',
    rand: 'A number against caches; tells a repeated event from one just like it.',
    data: 'JSON: visitor id and details, as in POST /events; segments and _channel too.',
    metadata: 'JSON, as in POST /events: the page that is counted, and what it is; of video events, link: the video.',
    screen: 'Width and height, such as 1640x2360.',
    ...more,
  },
});

const pingCrawl: OtherOperation = {
  summary: 'Queues a page to be read again now.',
  tag: 'metadata',
  guard: 'Needs either secret of the site.',
  parameters: { url: 'Address of the page.', secret: 'Either of the site’s secrets.' },
  required: ['url', 'secret'],
};
const crawl: OtherOperation = {
  ...pingCrawl,
  parameters: { apikey: 'Site ID.', ...pingCrawl.parameters },
  required: ['apikey', 'url', 'secret'],
};

const ofPartners = {
  tag: 'partners',
  guard: 'Needs the partner’s secret.',
  parameters: { secret: 'The partner’s secret.' },
  required: ['secret'],
} as const;

/** A GET that may be answered as a script, like all endpoints with a schema. */
function asScript(operation: OtherOperation): OtherOperation {
  return { ...operation, parameters: { ...operation.parameters, callback: CALLBACK_MEANING } };
}

const KIND = 'related or top; default related.';

/** By method and path as they are routed. */
export const OTHER_OPERATIONS: Record<string, OtherOperation> = {
  'POST /v2/metadata/:kind{(?:posts|videos)}': {
    summary:
      'Says what a post or video is. Later writes change the fields they name. A new one beyond the posts that the site may have is 422.',
    tag: 'metadata',
    guard: 'Needs the write secret, in the body, the query or an Authorization header.',
    body: metadataBody,
    example: METADATA_EXAMPLE,
  },
  'GET /v2/crawl': asScript(crawl),
  'POST /v2/crawl': crawl,
  'GET /:apikey/ping_crawl': asScript(pingCrawl),
  'POST /:apikey/ping_crawl': pingCrawl,
  'GET /api/:partner/settings/apikeys': asScript({
    ...ofPartners,
    summary: 'The sites a partner has made.',
  }),
  'POST /api/:partner/settings/apikeys': {
    ...ofPartners,
    summary: 'Makes a site for a customer; its two secrets are answered this once.',
    body: {
      type: 'object',
      required: ['apikey'],
      properties: {
        apikey: { type: 'string', description: 'Site ID of the new site, usually its domain.' },
        timezone: { type: 'string', description: 'IANA name; default UTC.' },
        admin: { description: 'Taken and not used, like users and tracker_features: there are no accounts here.' },
        users: {},
        tracker_features: {},
      },
    },
    example: NEW_SITE_EXAMPLE,
  },
  'GET /api/:apikey/jess/sdk_config': {
    summary: 'The host apps send their events to, as the Gradle plugin of the Android SDK asks for it.',
    tag: 'ingest',
  },
  'GET /thumb/:apikey/:signature/:size': {
    summary:
      'A picture of a post, made small: WebP, or JPEG for what does not accept it. Answered with 302 to the picture itself ' +
      'where there is no thumbnail.',
    tag: 'pictures',
    answers: 'image/webp',
    signed: true,
    parameters: { of: 'Address of the picture.' },
    required: ['of'],
  },
  'POST /events': {
    summary:
      'Takes a batch of events from the widget. Where some came from a host that is not the site’s, the answer has {"dropped":{"foreign-host":n}} and a message for the console. Answered 429 with Retry-After beyond a rate, and until the site’s midnight beyond its events of the day.',
    ...taking,
  },
  'POST /mobileproxy': { summary: 'Takes a batch of events from apps.', ...taking },
  'GET /plogger': pixel('Takes one event from a tracker.', {
    ip_address: 'Address of the visitor, from a server that reports for its visitors.',
  }),
  'GET /': { summary: 'Leads to the reference.', tag: 'reference', answers: 'text/html' },
  'GET /docs': { summary: 'This reference as a page.', tag: 'reference', answers: 'text/html' },
  'GET /preview': { summary: 'Choose a list, see it live, copy its snippet.', tag: 'preview', answers: 'text/html' },
  'GET /preview/page': {
    summary: 'A sample page with one list: every parameter is an attribute of its slot.',
    tag: 'preview',
    answers: 'text/html',
    parameters: {
      apikey: 'Site ID.',
      kind: KIND,
      scheme: 'light or dark.',
      lang: 'Language of the page.',
      accent: 'Colour, as #rrggbb.',
      radius: 'Corners, in pixels.',
    },
    required: ['apikey'],
  },
  'GET /preview/check': {
    summary: 'Reads a page of a site, and says what keeps lists from showing there.',
    tag: 'preview',
    parameters: { apikey: 'Site ID.', url: 'Address of the page.' },
    required: ['apikey', 'url'],
  },
  'GET /preview/own': {
    summary:
      'Reads a page of a site to show a list in, and says where the list stands, or why the page cannot be shown.',
    tag: 'preview',
    parameters: { apikey: 'Site ID.', url: 'Address of the page.', kind: KIND },
    required: ['apikey', 'url'],
  },
  'GET /preview/own/page': {
    summary: 'That page with the list in it, sandboxed and without scripts; other parameters as for /fragment.',
    tag: 'preview',
    answers: 'text/html',
    parameters: {
      apikey: 'Site ID.',
      url: 'Address of the page.',
      kind: KIND,
      post: 'Post a related list is for; default the page.',
    },
    required: ['apikey', 'url'],
  },
  'GET /px': pixel('Takes one event, without ever using the sender’s address.'),
};
