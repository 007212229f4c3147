// Routes that are no GET endpoints with a schema of their own, described by hand. A test fails when one is missing here, or
// stands here without being a route.

export interface OtherOperation {
  summary: string;
  tag: string;
  /** JSON Schema of the body, where there is one. */
  body?: object;
  /** Parameters as `name: description`. */
  parameters?: Record<string, string>;
  /** Media type of the answer; default JSON. */
  answers?: string;
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
          idsite: { type: 'string' },
          action: { enum: ['pageview', 'heartbeat', 'videostart', 'vheartbeat', 'conversion', 'share', 'custom'] },
          url: { type: 'string' },
          urlref: { type: 'string' },
          inc: { type: 'integer', minimum: 1, maximum: 3600 },
          data: { type: 'object' },
          metadata: { type: 'object' },
        },
      },
    },
  },
};

const texts = { type: 'array', items: { type: 'string' } };

const metadataBody = {
  type: 'object',
  required: ['apikey', 'secret', 'metadata'],
  properties: {
    apikey: { type: 'string' },
    secret: { type: 'string', description: 'The write secret.' },
    metadata: {
      type: 'object',
      required: ['canonical_url'],
      properties: {
        canonical_url: { type: 'string' },
        urls: texts,
        page_type: { enum: ['post', 'index', 'video'] },
        title: { type: 'string' },
        image_url: { type: 'string' },
        pub_date_tmsp: { type: 'string', description: 'ISO 8601, UTC.' },
        section: { type: 'string' },
        authors: texts,
        tags: { ...texts, maxItems: 100 },
        full_content: { type: 'string' },
        language: { type: 'string' },
      },
    },
  },
};

const pixel = (summary: string): OtherOperation => ({
  summary,
  tag: 'ingest',
  answers: 'image/gif',
  parameters: {
    idsite: 'Site ID.',
    action: 'pageview, heartbeat, videostart, vheartbeat, conversion, share or custom.',
    url: 'Address of the page.',
    urlref: 'Where the visitor came from.',
    inc: 'Engaged seconds since the last heartbeat, 1 to 3600.',
    data: 'JSON: visitor id and details.',
    metadata: 'JSON: what the page is.',
  },
});

const crawl: OtherOperation = {
  summary: 'Queues a page to be read again now.',
  tag: 'metadata',
  parameters: { url: 'Address of the page.', secret: 'Either of the site’s secrets.' },
};

const PARTNER_PARAMETERS = { partner: 'Name of the partner.', secret: 'The partner’s secret.' };

/** By method and path as they are routed. */
export const OTHER_OPERATIONS: Record<string, OtherOperation> = {
  'POST /v2/metadata/:kind{(?:posts|videos)}': {
    summary: 'Says what a post or video is. Needs the site’s write secret.',
    tag: 'metadata',
    body: metadataBody,
  },
  'GET /v2/crawl': crawl,
  'POST /v2/crawl': crawl,
  'GET /:apikey/ping_crawl': crawl,
  'POST /:apikey/ping_crawl': crawl,
  'GET /api/:partner/settings/apikeys': {
    summary: 'The sites a partner has made.',
    tag: 'partners',
    parameters: PARTNER_PARAMETERS,
  },
  'POST /api/:partner/settings/apikeys': {
    summary: 'Makes a site for a customer; its two secrets are answered this once.',
    tag: 'partners',
    parameters: PARTNER_PARAMETERS,
    body: {
      type: 'object',
      required: ['apikey'],
      properties: {
        apikey: { type: 'string' },
        timezone: { type: 'string', description: 'IANA name; default UTC.' },
      },
    },
  },
  'POST /events': { summary: 'Takes a batch of events from the widget.', tag: 'ingest', body: eventBatch },
  'POST /mobileproxy': { summary: 'Takes a batch of events from apps.', tag: 'ingest', body: eventBatch },
  'GET /plogger': pixel('Takes one event from a tracker.'),
  'GET /': { summary: 'Leads to the reference.', tag: 'reference', answers: 'text/html' },
  'GET /docs': { summary: 'This reference as a page.', tag: 'reference', answers: 'text/html' },
  'GET /preview': { summary: 'Choose a list, see it live, copy its snippet.', tag: 'preview', answers: 'text/html' },
  'GET /preview/page': {
    summary: 'A sample page with one list: every parameter is an attribute of its slot.',
    tag: 'preview',
    answers: 'text/html',
    parameters: {
      apikey: 'Site ID.',
      kind: 'related or top.',
      scheme: 'light or dark.',
      lang: 'Language of the page.',
      accent: 'Colour, as #rrggbb.',
      radius: 'Corners, in pixels.',
    },
  },
  'GET /preview/check': {
    summary: 'Reads a page of a site, and says what keeps lists from showing there.',
    tag: 'preview',
    parameters: { apikey: 'Site ID.', url: 'Address of the page.' },
  },
  'GET /px': pixel('Takes one event, without ever using the sender’s address.'),
};
