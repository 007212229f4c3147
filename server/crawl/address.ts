// Which machines the crawler may talk to. A name is looked up once, every address it has is checked, and only those are
// connected to: a name that means something else a moment later changes nothing.
import { promises as dns, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { CrawlError } from './failure.ts';

/** Every address of a host name. @throws as `dns.lookup` does. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const resolveBySystem: Resolve = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Public by its number, but a machine's own cloud answers there. @see
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const CLOUD_ADDRESSES = new Set(['168.63.129.16']);

/** The part of IPv6 that is given out to the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet: no loopback, private, link-local, shared, reserved or translated
 * one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || CLOUD_ADDRESSES.has(text)) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

export interface AddressRules {
  resolve: Resolve;
  /** Which addresses may be connected to: `isPublicAddress`, but for development. */
  allows(address: string): boolean;
}

/** Where requests of this server may go. @param allowPrivate Anywhere: for development. */
export const outgoingRules = (
  allowPrivate: boolean,
  resolve: Resolve = resolveBySystem,
): AddressRules & { anyPort: boolean } => ({
  resolve,
  allows: allowPrivate ? () => true : isPublicAddress,
  anyPort: allowPrivate,
});

/**
 * The addresses to connect to for a URL's host.
 * @throws {CrawlError} `unknown-host`, or `private-address` when any of them is not public.
 */
export async function checkedAddresses(url: URL, { resolve, allows }: AddressRules): Promise<LookupAddress[]> {
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  const found = ipaddr.isValid(bare) ? [bare] : await lookUp(bare, resolve);
  if (found.length === 0) throw new CrawlError('unknown-host', `${bare} has no address.`);
  const closed = found.find((address) => !ipaddr.isValid(address) || !allows(address));
  if (closed !== undefined) {
    throw new CrawlError(
      'private-address',
      `${bare} leads to ${closed}, which is not an address of the public internet.`,
    );
  }
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

async function lookUp(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(hostname);
  } catch (cause) {
    throw new CrawlError('unknown-host', `${hostname} could not be looked up.`, { cause });
  }
}
