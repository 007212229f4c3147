// The address of the client: that of the connection, or the one that a trusted proxy reports in X-Forwarded-For; and a
// check that the header matches --trusted-proxies. With a wrong number, all readers behind a proxy count as one
// network, and as one visitor where their browsers are alike, without any visible error.
import type { RequestListener } from 'node:http';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import { bindingsOf } from './bindings.ts';

/**
 * The client's address. Each trusted proxy appends the address of its peer to `X-Forwarded-For`, so the list is read
 * from the right; entries further left are written by the client and are not trusted.
 * @param trustedProxies Number of trusted proxies that a request passes; 0: the header is ignored.
 * @returns "" when there is no connection (a request made inside the process).
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const peer = bindingsOf(c).incoming?.socket.remoteAddress;
  return addressBehind(peer, c.req.header('X-Forwarded-For'), trustedProxies);
}

/** As `clientAddress`, from the address of the connection and the header. */
export function addressBehind(peer = '', forwarded: string | undefined, trustedProxies: number): string {
  if (trustedProxies === 0) return plain(peer);
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim());
  return plain(hops.at(-trustedProxies) || peer);
}

/**
 * Normalizes an address: IPv4-mapped IPv6 becomes IPv4, and the port that some proxies add is removed
 * (`[2001:db8::1]:4711`).
 */
function plain(address: string): string {
  if (!address.includes(':') && !address.startsWith('[')) return address;
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

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
