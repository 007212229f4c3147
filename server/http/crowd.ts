// Limit on concurrent requests with events. Requests beyond it are refused before their bodies are read, at almost no
// cost, so that memory stays bounded and lists for readers are not delayed.
import type { IncomingMessage, RequestListener } from 'node:http';
import { MAX_BATCH_BYTES } from '../contract/limits.ts';
import { PUBLIC_HEADERS, RETRY_AFTER_READABLE } from './headers.ts';

export interface CrowdLimits {
  /**
   * Maximum number of concurrent requests; default 1,000. Fewer already fill a group commit, so a higher limit adds no
   * throughput: parsed events occupy ten times their size in memory, and delay lists.
   */
  requests?: number;
  /** Maximum of announced bytes of their bodies; default 64 MiB. */
  bytes?: number;
  /** Maximum of bytes of one body: a larger one is refused by its endpoint without being read. Default: 512 KiB. */
  largest?: number;
}

/** Matches a normalized target. */
const DOORS = /^\/(?:events|mobileproxy|plogger|px)\/?(?:$|\?)/;

/** The Retry-After of a refusal, in seconds, and the other headers. */
const REFUSAL = {
  ...PUBLIC_HEADERS,
  ...RETRY_AFTER_READABLE,
  'Cache-Control': 'no-store',
  'Retry-After': '5',
  'Content-Length': '0',
};

/** @returns The same listener, which refuses requests with events while the limits are reached. */
export function boundCrowd(
  listener: RequestListener,
  { requests: mostRequests = 1_000, bytes: mostBytes = 64 * 1024 * 1024, largest = MAX_BATCH_BYTES }: CrowdLimits = {},
): RequestListener {
  let requests = 0;
  let bytes = 0;
  return (request, response) => {
    if (!DOORS.test(request.url ?? '')) return listener(request, response);
    const size = Math.min(announced(request), largest);
    if (requests >= mostRequests || bytes + size > mostBytes) {
      response.writeHead(503, REFUSAL).end();
      return;
    }
    requests++;
    bytes += size;
    response.once('close', () => {
      requests--;
      bytes -= size;
    });
    listener(request, response);
  };
}

/** A body without an announced length counts with the maximum length. */
function announced({ method, headers }: IncomingMessage): number {
  return method === 'POST' ? Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) : 0;
}
