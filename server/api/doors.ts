// The doors traffic comes in by: POST /events for our own widget, GET /plogger/ and /px/ for pixels, POST /mobileproxy for apps.
import { isIP } from 'node:net';
import { type Context, Hono } from 'hono';
import { MAX_BATCH_BYTES } from '../contract/limits.ts';
import { type Deps, OverloadedError, RefusedError, type Sender } from '../deps.ts';
import { clientAddress } from '../http/clientAddress.ts';
import { PREFLIGHT_HEADERS, PUBLIC_HEADERS } from '../http/headers.ts';
import { readRequestBody } from '../http/readIncoming.ts';
import { createRefusals } from '../http/refusals.ts';
import { requestIdOf } from '../http/requestId.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { readBatch, readMobileBatch, readPixel } from '../ingest/readBeacon.ts';

/** 1×1, transparent. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Any page may report, none may read anything back that it could not know; a pixel may be shown anywhere. */
const HEADERS = { ...PUBLIC_HEADERS, 'Cache-Control': 'no-store' };

const PREFLIGHT = { ...PREFLIGHT_HEADERS, 'Cache-Control': 'no-store' };

export type DoorsDeps = Pick<Deps, 'ingest' | 'log'> & {
  settings: Pick<Deps['settings'], 'trustedProxies' | 'maxBatchBytes'>;
};

/** Routes to be mounted at the root. Each answers once what it took is durable. */
export function doors({ ingest, log, settings }: DoorsDeps): Hono {
  const app = new Hono();
  const { maxBatchBytes = MAX_BATCH_BYTES } = settings;
  const refusals = createRefusals(log, HEADERS);

  /** Junk is dropped and counted, never answered with an error: a sender would only send it again. */
  async function take(c: Context, events: readonly unknown[], sender: Sender): Promise<Response | undefined> {
    try {
      await ingest.accept(events, sender);
      return undefined;
    } catch (error) {
      if (error instanceof RefusedError) return refusals.refused(error.refusal, requestIdOf(c));
      return refusals.unavailable(error instanceof OverloadedError ? undefined : error, requestIdOf(c));
    }
  }

  /** Whose rate it counts against is asked at every door; who the reader is, only where the address may be used. */
  function senderOf(c: Context): Sender {
    const ip = clientAddress(c, settings.trustedProxies);
    return {
      ip,
      source: prefixOf(ip),
      userAgent: c.req.header('User-Agent') ?? '',
      referer: c.req.header('Referer') ?? c.req.header('Origin') ?? '',
    };
  }

  function batch(path: string, read: (body: string) => readonly unknown[], about: Pick<Sender, 'speaksFor'>): void {
    app.options(path, (c) => c.body(null, 204, PREFLIGHT));
    app.post(path, async (c) => {
      const coding = c.req.header('Content-Encoding') ?? 'identity';
      if (coding !== 'identity') return refusals.coded(coding);
      const body = await readRequestBody(c, maxBatchBytes);
      if (body === undefined) return refusals.tooLarge(maxBatchBytes);
      const refusal = await take(c, read(body), { ...senderOf(c), ...about });
      return refusal ?? c.json({ success: true }, 200, HEADERS);
    });
  }

  function pixel(path: string, senderOfPixel: (c: Context, query: Record<string, string>) => Sender): void {
    app.options(path, (c) => c.body(null, 204, PREFLIGHT));
    app.get(path, async (c) => {
      const query = c.req.query();
      // Without parameters it is an ad blocker's test: the image, and nothing recorded.
      const probe = Object.keys(query).length === 0;
      const refusal = probe ? undefined : await take(c, [readPixel(query)], senderOfPixel(c, query));
      return refusal ?? c.body(GIF, 200, { ...HEADERS, 'Content-Type': 'image/gif' });
    });
  }

  batch('/events', readBatch, {});
  batch('/mobileproxy', readMobileBatch, { speaksFor: 'app users' });
  for (const slash of ['', '/']) {
    pixel(`/plogger${slash}`, (c, { ip_address: visitorIp }) =>
      // A publisher's own server reports what its visitors do.
      visitorIp && isIP(visitorIp) ? { ...senderOf(c), speaksFor: 'visitors', visitorIp } : senderOf(c),
    );
    // This door exists for those who want no address to be used at all.
    pixel(`/px${slash}`, (c) => ({ ...senderOf(c), ip: '' }));
  }
  return app;
}
