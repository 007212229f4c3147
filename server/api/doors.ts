// Endpoints that receive events: POST /events from the widget, GET /plogger/ and /px/ as pixels, POST /mobileproxy from
// apps. A request is answered after its events are durable. Invalid events are dropped and counted, never answered with
// an error, since the sender would only repeat them.
import { isIP } from 'node:net';
import type { Context } from 'hono';
import { z } from 'zod';
import { bindingsOf } from '../http/bindings.ts';
import { type Door, door, type OpenFirst, type Parts } from '../http/endpoint.ts';
import { APP_BATCHES, answerTo, type Batches, batchListener, takeBatch, WIDGET_BATCHES } from '../http/eventBatches.ts';
import { EVENT_HEADERS, EVENT_PREFLIGHT, type From } from '../http/eventSenders.ts';
import { anyone } from '../http/guards.ts';
import { readRequestBody } from '../http/readIncoming.ts';
import { requestIdOf } from '../http/requestId.ts';
import { readPixel } from '../ingest/readBeacon.ts';
import type { Sender } from '../ingest/types.ts';
import { EVENT_BATCH, EVENTS_EXAMPLE, eventParams } from '../reference/eventSchemas.ts';

/** A transparent GIF of 1×1 pixels. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export const sender = anyone('Public. Events of unknown sites and of robots are dropped and counted.');
export const pixelSender = anyone(
  'Public. Without any parameter only the picture is answered, and nothing is recorded.',
);

const TOO_MANY = 'Beyond a rate, or the events of the day: nothing was stored.';

interface BatchDoor extends Door {
  batches: Batches;
}

/**
 * The route of the framework, for requests that `batchesFirst` does not handle: preflights, encoded bodies, URLs with a
 * query.
 */
const batchDoor = (summary: string, batches: Batches, statuses: Door['statuses'] = {}): BatchDoor => ({
  ...door({
    summary,
    tag: 'ingest',
    params: z.object({}),
    body: { schema: EVENT_BATCH, example: EVENTS_EXAMPLE },
    preflight: EVENT_PREFLIGHT,
    statuses: { ...statuses, 415: 'A body with a content coding.', 429: TOO_MANY },
    handle: (c, parts) => answerBatch(c, parts, batches),
  }),
  batches,
});

export const events = batchDoor(
  'Takes a batch of events from the widget. Where some came from a host that is not the site’s, the answer has {"dropped":{"foreign-host":n}} and a message for the console. Answered 429 with Retry-After beyond a rate, and until the site’s midnight beyond its events of the day.',
  WIDGET_BATCHES,
  { 413: 'A body that is too large.', 422: 'More events than a batch may have.' },
);
export const mobileproxy = batchDoor('Takes a batch of events from apps.', APP_BATCHES);

/** Handles batches before the framework. */
export const batchesFirst: OpenFirst = (parts, routes) =>
  batchListener(
    parts,
    new Map(
      routes.flatMap(({ path, endpoint }) => ('batches' in endpoint ? [[path, (endpoint as BatchDoor).batches]] : [])),
    ),
  );

async function answerBatch(c: Context, parts: Parts, batches: Batches): Promise<Response> {
  const { refuse, refusals, maxBatchBytes } = parts.taking;
  const coding = c.req.header('Content-Encoding') ?? 'identity';
  if (coding !== 'identity') return refusals.coded(coding);
  const body = await readRequestBody(c, { max: maxBatchBytes, cuts: batches.cuts });
  if (body === undefined) return refusals.tooLarge(maxBatchBytes);
  const from = fromOf(c);
  try {
    const report = await takeBatch(parts, batches, from, body);
    return c.json(answerTo(batches, report, from.referer), 200, EVENT_HEADERS);
  } catch (error) {
    return refuse(error, requestIdOf(c));
  }
}

const fromOf = (c: Context): From => ({
  peer: bindingsOf(c).incoming?.socket.remoteAddress,
  forwarded: c.req.header('X-Forwarded-For'),
  userAgent: c.req.header('User-Agent'),
  referer: c.req.header('Referer') ?? c.req.header('Origin'),
});

const pixel = (
  described: { summary: string; more?: Record<string, string> },
  senderOfPixel: (parts: Parts, from: From, query: Record<string, string>) => Sender,
) =>
  door({
    summary: described.summary,
    tag: 'ingest',
    params: eventParams(described.more),
    answers: 'image/gif',
    statuses: { 429: TOO_MANY },
    preflight: EVENT_PREFLIGHT,
    async handle(c, parts) {
      const query = c.req.query();
      try {
        // A request without parameters is the probe of an ad blocker: it receives the image, and nothing is recorded.
        // HEAD is a safe method (RFC 9110): monitors and link checkers send it.
        if (Object.keys(query).length > 0 && c.req.method !== 'HEAD')
          await parts.ingest.accept([readPixel(query)], { ...senderOfPixel(parts, fromOf(c), query), isPixel: true });
      } catch (error) {
        return parts.taking.refuse(error, requestIdOf(c));
      }
      return c.body(GIF, 200, { ...EVENT_HEADERS, 'Content-Type': 'image/gif' });
    },
  });

export const plogger = pixel(
  {
    summary: 'Takes one event from a tracker.',
    more: { ip_address: 'Address of the visitor, from a server that reports for its visitors.' },
  },
  ({ taking }, from, { ip_address: visitorIp }) =>
    visitorIp && isIP(visitorIp) ? { ...taking.senderOf(from, 'visitors'), visitorIp } : taking.senderOf(from),
);

export const px = pixel(
  { summary: 'Takes one event, without ever using the sender’s address.' },
  ({ taking }, from) => ({ ...taking.senderOf(from), ip: '' }),
);
