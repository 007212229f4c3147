// Checks that the X-Forwarded-For headers match --trusted-proxies. With a wrong number, all readers behind a proxy
// count as one network, and as one visitor where their browsers are alike, without any visible error.
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';

export interface Forwarding {
  /** Wraps a listener: inspects the header of each request. */
  watched(listener: RequestListener): RequestListener;
  counts(): ForwardingCounts;
}

/** Requests since the start. */
export interface ForwardingCounts {
  trustedProxies: number;
  requests: number;
  /** Requests with the header, while no proxy is trusted. */
  ignored: number;
  /** Requests with fewer entries than trusted proxies: the address of the connection is used instead. */
  short: number;
}

export function watchForwarding({ trustedProxies, log }: { trustedProxies: number; log: Logger }): Forwarding {
  const counts = { trustedProxies, requests: 0, ignored: 0, short: 0 };
  return {
    watched: (listener) => (request, response) => {
      counts.requests++;
      const entries = countEntries(request.headers['x-forwarded-for']);
      if (trustedProxies === 0 && entries > 0 && counts.ignored++ === 0)
        log.warn(
          'a request came with X-Forwarded-For, and --trusted-proxies is 0: behind a proxy all readers count as one network; start with --trusted-proxies and how many proxies are in front',
        );
      if (entries < trustedProxies && counts.short++ === 0)
        log.warn(
          { trustedProxies, entries },
          'a request came with fewer entries in X-Forwarded-For than --trusted-proxies: the address of the connection counts as the reader; have each proxy add the address it sees, or lower --trusted-proxies',
        );
      listener(request, response);
    },
    counts: () => ({ ...counts }),
  };
}

function countEntries(header: string | string[] | undefined): number {
  if (header === undefined || header.length === 0) return 0;
  return typeof header === 'string' ? header.split(',').length : header.length;
}
