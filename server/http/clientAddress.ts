// Who is at the other end: the address of the connection, or the one a trusted proxy vouches for.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/**
 * The client's address. Each trusted proxy appended the address it saw to `X-Forwarded-For`, so the list is read from
 * the right; what stands further left was written by the client and is worth nothing.
 * @param trustedProxies How many proxies of ours a request passes; 0: the header is ignored.
 * @returns "" when there is no connection (a request made inside the process).
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const peer = bindings?.incoming?.socket.remoteAddress;
  return addressBehind(peer, c.req.header('X-Forwarded-For'), trustedProxies);
}

/** As `clientAddress`, from what it is made of. */
export function addressBehind(peer = '', forwarded: string | undefined, trustedProxies: number): string {
  if (trustedProxies === 0) return plain(peer);
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim());
  return plain(hops.at(-trustedProxies) || peer);
}

/** IPv4 in IPv6 clothes is the same client, and so is an address with the port some proxies add: `[2001:db8::1]:4711`. */
function plain(address: string): string {
  if (!address.includes(':') && !address.startsWith('[')) return address;
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}
