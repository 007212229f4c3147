// How many senders of events may be under way at once. Beyond that they are refused before their bodies are read, which costs next to
// nothing: so memory stays bounded, and readers' lists do not wait behind a crowd.
import type { IncomingMessage, RequestListener } from 'node:http';
import { MAX_BATCH_BYTES } from '../contract/limits.ts';
import { PUBLIC_HEADERS, RETRY_AFTER_READABLE } from './headers.ts';

export interface CrowdLimits {
  /**
   * Requests under way; default 1,000. Groups are full with fewer, so that more are answered no sooner: what they sent waits in
   * memory as objects ten times its size, and lists wait behind it.
   */
  requests?: number;
  /** Bytes their bodies announce; default 64 MiB. */
  bytes?: number;
  /** Bytes of one body at most: what announces more is refused by the door without being read. Default: 512 KiB. */
  largest?: number;
}

/** Of a target in its normal spelling. */
const DOORS = /^\/(?:events|mobileproxy|plogger|px)\/?(?:$|\?)/;

/** Seconds a refused sender is asked to wait. */
const REFUSAL = {
  ...PUBLIC_HEADERS,
  ...RETRY_AFTER_READABLE,
  'Cache-Control': 'no-store',
  'Retry-After': '5',
  'Content-Length': '0',
};

/** @returns The same listener, with the doors closed while they are full. */
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

/** Without an announced length a body may become as large as any. */
function announced({ method, headers }: IncomingMessage): number {
  return method === 'POST' ? Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) : 0;
}
