// The doors traffic comes in by: POST /events for our own widget, GET /plogger/ for pixels.
import { type Context, Hono } from 'hono';
import type { IncomingEvent } from '../contract/wire.ts';
import { type Deps, OverloadedError, type Sender } from '../deps.ts';
import { clientAddress } from '../http/clientAddress.ts';
import { readBody } from '../http/readBody.ts';
import { isRecord } from '../ingest/parseEvent.ts';

/** Bytes of one batch. */
export const MAX_BATCH_BYTES = 512 * 1024;

/** 1×1, transparent. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Any page may report, none may read anything back that it could not know; a pixel may be shown anywhere. */
const HEADERS: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

const PREFLIGHT: Record<string, string> = {
  ...HEADERS,
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '86400',
};

export type DoorsDeps = Pick<Deps, 'ingest' | 'log'> & { settings: Pick<Deps['settings'], 'trustedProxies'> };

/** Routes to be mounted at the root. Each answers once what it took is durable. */
export function doors({ ingest, log, settings }: DoorsDeps): Hono {
  const app = new Hono();

  /** Junk is dropped and counted, never answered with an error: a sender would only send it again. */
  async function take(c: Context, events: readonly unknown[], answer: () => Response): Promise<Response> {
    try {
      await ingest.accept(events, senderOf(c, settings.trustedProxies));
      return answer();
    } catch (error) {
      if (!(error instanceof OverloadedError)) log.error({ err: error, path: c.req.path }, 'events were not taken');
      return c.body(null, 503, { ...HEADERS, 'Retry-After': '5' });
    }
  }

  app.options('/events', (c) => c.body(null, 204, PREFLIGHT));
  app.post('/events', async (c) => {
    const body = await readBody(c.req.raw, MAX_BATCH_BYTES);
    if (body === undefined) return c.body(null, 413, HEADERS);
    return await take(c, batchOf(body), () => c.json({ success: true }, 200, HEADERS));
  });

  for (const path of ['/plogger', '/plogger/']) {
    app.options(path, (c) => c.body(null, 204, PREFLIGHT));
    app.get(path, async (c) => {
      const query = c.req.query();
      const pixel = () => c.body(GIF, 200, { ...HEADERS, 'Content-Type': 'image/gif' });
      // Without parameters it is an ad blocker's test: the image, and nothing recorded.
      if (Object.keys(query).length === 0) return pixel();
      return await take(c, [pixelEvent(query)], pixel);
    });
  }
  return app;
}

function senderOf(c: Context, trustedProxies: number): Sender {
  return {
    ip: clientAddress(c, trustedProxies),
    userAgent: c.req.header('User-Agent') ?? '',
    referer: c.req.header('Referer') ?? c.req.header('Origin') ?? '',
  };
}

/** One event that is none where the body cannot be read: it is counted as malformed. */
function batchOf(body: string): readonly unknown[] {
  const value = parseJson(body);
  return isRecord(value) && Array.isArray(value.events) ? value.events : [undefined];
}

/** A pixel's query, its two fields of JSON read. An unreadable one says nothing, the rest of the event counts. */
function pixelEvent(query: Record<string, string>): { [K in keyof IncomingEvent]?: unknown } {
  return { ...query, data: parseJson(query.data ?? ''), metadata: parseJson(query.metadata ?? '') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
