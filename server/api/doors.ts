// The doors traffic comes in by: POST /events for our own widget, GET /plogger/ and /px/ for pixels, POST /mobileproxy for apps.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Deps } from '../context.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../contract/limits.ts';
import { OverloadedError } from '../errors.ts';
import { addressBehind } from '../http/clientAddress.ts';
import { PREFLIGHT_HEADERS, PUBLIC_HEADERS } from '../http/headers.ts';
import type { Beginning } from '../http/readBody.ts';
import { readRequestBody, whenRead } from '../http/readIncoming.ts';
import { createRefusals } from '../http/refusals.ts';
import { requestIdIn, requestIdOf } from '../http/requestId.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { readBatch, readMobileBatch, readPixel } from '../ingest/readBeacon.ts';
import { RefusedError } from '../ingest/refusedError.ts';
import type { IngestReport, Sender } from '../ingest/types.ts';
import { parseUrl } from '../posts/parseUrl.ts';

/** 1×1, transparent. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Any page may report, none may read anything back that it could not know; a pixel may be shown anywhere. */
const HEADERS = { ...PUBLIC_HEADERS, 'Cache-Control': 'no-store' };

const PREFLIGHT = { ...PREFLIGHT_HEADERS, 'Cache-Control': 'no-store' };

export type DoorsDeps = Pick<Deps, 'ingest' | 'log' | 'now' | 'clock'> & {
  settings: Pick<Deps['settings'], 'trustedProxies' | 'maxBatchBytes'>;
};

/** What a sender of events is told apart by. */
interface From {
  peer: string | undefined;
  forwarded: string | undefined;
  userAgent: string | undefined;
  /** Origin or referrer of the request. */
  referer: string | undefined;
}

interface Taking {
  /** @param error Why a batch was not taken. */
  refuse(error: unknown, requestId: string): Response;
  /** @param speaksFor Default: for itself. */
  senderOf(from: From, speaksFor?: Sender['speaksFor']): Sender;
  refusals: ReturnType<typeof createRefusals>;
  maxBatchBytes: number;
}

function createTaking({ log, settings, now, clock = now }: DoorsDeps): Taking {
  const refusals = createRefusals({ log, clock, headers: HEADERS });
  return {
    refusals,
    maxBatchBytes: settings.maxBatchBytes ?? MAX_BATCH_BYTES,

    refuse(error, requestId) {
      if (error instanceof RefusedError) return refusals.refused(error.refusal, requestId);
      return refusals.unavailable(error instanceof OverloadedError ? undefined : error, requestId);
    },

    // Whose rate it counts against is asked at every door; who the reader is, only where the address may be used.
    // Each of its fields, also those that are not known yet: copies that add them cost as much as reading an event.
    senderOf({ peer, forwarded, userAgent = '', referer = '' }, speaksFor) {
      const ip = addressBehind(peer, forwarded, settings.trustedProxies);
      const source = prefixOf(ip);
      return { ip, source, userAgent, referer, speaksFor, visitorIp: undefined, reserved: 0, unread: 0 };
    },
  };
}

interface Batches {
  read(body: string, isCut: boolean): readonly unknown[];
  speaksFor: Sender['speaksFor'];
  /** Whether the beginning of too large a body is taken: apps send a batch again for ever when it is refused. */
  cuts: boolean;
  /** Whether the answer says that events were dropped because of their host: to our own widget, which says so in the console of the page. */
  reports: boolean;
}

const BATCHES: ReadonlyMap<string, Batches> = new Map([
  ['/events', { read: readBatch, speaksFor: undefined, cuts: false, reports: true }],
  ['/mobileproxy', { read: readMobileBatch, speaksFor: 'app users', cuts: true, reports: false }],
]);

/** Of a body as it was read. @param sender Is given how many events were not. */
function readEvents({ read }: Batches, { text, beyond }: Beginning, sender: Sender): readonly unknown[] {
  const events = read(text, beyond > 0);
  if (beyond > 0) sender.unread = unreadOf(beyond, text.length / events.length);
  return events;
}

/** How many events the rest of a body holds, if they are as long as the others: at least one, which was cut in two. */
const unreadOf = (bytes: number, perEvent: number): number =>
  Math.min(MAX_BATCH_EVENTS, Math.max(1, Math.round(bytes / Math.max(1, perEvent))));

/** What a batch that was taken is answered. The message is for the console of the page, whose host the browser says. */
function answerTo({ reports }: Batches, { dropped }: IngestReport, referer = ''): object {
  const foreign = dropped['foreign-host'];
  if (!reports || !foreign) return { success: true };
  const host = parseUrl(referer)?.host ?? '<host>';
  const message = `afterword: ${host} is no host of the site that the tag names, so its page views are not counted. Add it: afterword site change <site-id> --domain ${host}`;
  return { success: true, dropped: { 'foreign-host': foreign }, message };
}

const TAKEN = JSON.stringify({ success: true });
const TAKEN_HEADERS = { ...HEADERS, 'Content-Type': 'application/json', 'Content-Length': TAKEN.length };

/**
 * The doors for batches straight from node:http, for the requests that come most often: no other way of answering takes so little.
 * The routes of `doors` answer the same.
 * @returns false when it is another request.
 */
export function batchDoors(deps: DoorsDeps): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { refuse, senderOf, refusals, maxBatchBytes } = createTaking(deps);

  /** Nothing of the batch is held while its answer waits. */
  function receive(
    batches: Batches,
    { headers, socket }: IncomingMessage,
    text: string,
    beyond: number,
  ): Promise<IngestReport> {
    const from = {
      peer: socket.remoteAddress,
      forwarded: headers['x-forwarded-for'] as string | undefined,
      userAgent: headers['user-agent'],
      referer: refererIn(headers),
    };
    const sender = senderOf(from, batches.speaksFor);
    sender.reserved = deps.ingest.reserve(sender, text.length);
    return deps.ingest.accept(readEvents(batches, { text, beyond }, sender), sender);
  }

  function fail(response: ServerResponse, error: unknown): void {
    deps.log.error({ err: error }, 'a batch of events could not be answered');
    response.destroy();
  }

  return (request, response) => {
    const batches = request.method === 'POST' ? BATCHES.get(request.url ?? '') : undefined;
    if (batches === undefined || request.headers['content-encoding'] !== undefined) return false;
    const taken = (report: IngestReport) => {
      if (report.dropped['foreign-host']) {
        const said = answerTo(batches, report, refererIn(request.headers));
        return hand(response, Response.json(said, { headers: HEADERS }));
      }
      response.writeHead(200, TAKEN_HEADERS);
      response.end(TAKEN);
      return undefined;
    };
    const refused = (error: unknown) => hand(response, refuse(error, requestIdIn(request)));
    const failed = (error: unknown) => fail(response, error);
    whenRead(request, { max: maxBatchBytes, cuts: batches.cuts }, (text, beyond) => {
      try {
        if (text === undefined) hand(response, refusals.tooLarge(maxBatchBytes)).catch(failed);
        else receive(batches, request, text, beyond).then(taken, refused).catch(failed);
      } catch (error) {
        if (error instanceof RefusedError) refused(error).catch(failed);
        else failed(error);
      }
    });
    return true;
  };
}

const refererIn = ({ referer, origin }: IncomingMessage['headers']): string | undefined => referer ?? origin;

async function hand(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'Content-Length': body.length });
  response.end(body);
}

/** Routes to be mounted at the root. Each answers once what it took is durable. */
export function doors(deps: DoorsDeps): Hono {
  const app = new Hono();
  const { refuse, senderOf, refusals, maxBatchBytes } = createTaking(deps);

  /**
   * Junk is dropped and counted, never answered with an error: a sender would only send it again.
   * @returns what was stored and dropped; or the answer that says why the batch was refused.
   */
  async function take(
    read: () => readonly unknown[],
    sender: Sender,
    { c, bytes }: { c: Context; bytes?: number },
  ): Promise<Response | IngestReport> {
    try {
      if (bytes !== undefined) sender.reserved = deps.ingest.reserve(sender, bytes);
      return await deps.ingest.accept(read(), sender);
    } catch (error) {
      return refuse(error, requestIdOf(c));
    }
  }

  const from = (c: Context): From => ({
    peer: (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress,
    forwarded: c.req.header('X-Forwarded-For'),
    userAgent: c.req.header('User-Agent'),
    referer: c.req.header('Referer') ?? c.req.header('Origin'),
  });

  for (const [path, batches] of BATCHES) {
    app.options(path, (c) => c.body(null, 204, PREFLIGHT));
    app.post(path, async (c) => {
      const coding = c.req.header('Content-Encoding') ?? 'identity';
      if (coding !== 'identity') return refusals.coded(coding);
      const body = await readRequestBody(c, { max: maxBatchBytes, cuts: batches.cuts });
      if (body === undefined) return refusals.tooLarge(maxBatchBytes);
      const sender = senderOf(from(c), batches.speaksFor);
      const taken = await take(() => readEvents(batches, body, sender), sender, { c, bytes: body.text.length });
      return taken instanceof Response ? taken : c.json(answerTo(batches, taken, sender.referer), 200, HEADERS);
    });
  }

  function pixel(path: string, senderOfPixel: (c: Context, query: Record<string, string>) => Sender): void {
    app.options(path, (c) => c.body(null, 204, PREFLIGHT));
    app.get(path, async (c) => {
      const query = c.req.query();
      // Without parameters it is an ad blocker's test: the image, and nothing recorded.
      const probe = Object.keys(query).length === 0;
      const taken = probe
        ? undefined
        : await take(() => [readPixel(query)], { ...senderOfPixel(c, query), isPixel: true }, { c });
      return taken instanceof Response ? taken : c.body(GIF, 200, { ...HEADERS, 'Content-Type': 'image/gif' });
    });
  }

  for (const slash of ['', '/']) {
    pixel(`/plogger${slash}`, (c, { ip_address: visitorIp }) =>
      // A publisher's own server reports what its visitors do.
      visitorIp && isIP(visitorIp) ? { ...senderOf(from(c), 'visitors'), visitorIp } : senderOf(from(c)),
    );
    // This door exists for those who want no address to be used at all.
    pixel(`/px${slash}`, (c) => ({ ...senderOf(from(c)), ip: '' }));
  }
  return app;
}
