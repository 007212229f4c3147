// Answers of a server that was started while its database was away: what reads or writes the database is refused in a
// clear way, events are taken, and lists for readers come from the snapshots of their sites.
import type { RequestListener } from 'node:http';
import type { Opening } from '../storage/lateEngine.ts';
import { sendUnavailable } from './holdRequests.ts';

/**
 * Everything but the doors of events, pages and files of the server's own, and the public lists, which handle an outage
 * themselves.
 */
const API = /^\/v2(?!\/(?:related|similar|top|fragment)(?:\/|$|\?))(?:\/|$|\?)/;
/** Seconds: a database that is back is found within that. */
const RETRY_AFTER = 5;

/** @returns The same listener once the database is open. */
export function refuseReads(listener: RequestListener, opening: Opening): RequestListener {
  return (request, response) => {
    if (opening.isOpen() || request.method === 'OPTIONS' || !API.test(request.url ?? ''))
      return listener(request, response);
    sendUnavailable(response, opening.message, RETRY_AFTER);
  };
}
