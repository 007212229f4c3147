// The address of the client: that of the connection, or the one reported by a trusted proxy.
import type { Context } from 'hono';
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
