// Which pages belong to a site: its Site ID when that is a host name, and the hosts it was given, subdomains included.
import type { Site } from '../sites/site.ts';

/** The parts of an address that decide which site it belongs to. */
export type Host = Pick<URL, 'hostname' | 'port' | 'protocol'>;

/** Reads each part once: a URL computes them anew for each access. */
export const hostOf = ({ hostname, port, protocol }: Host): Host => ({ hostname, port, protocol });

/** A domain may name a port; then only that port belongs to the site. */
export function belongsToSite(url: Host, site: Pick<Site, 'id' | 'domains'>): boolean {
  return covers(site.id, url) || site.domains.some((domain) => covers(domain, url));
}

function covers(domain: string, url: Host): boolean {
  // Colons within brackets are those of an IPv6 address.
  const colon = domain.endsWith(']') ? -1 : domain.lastIndexOf(':');
  const name = colon === -1 ? domain : domain.slice(0, colon);
  if (colon !== -1 && domain.slice(colon + 1) !== portOf(url)) return false;
  return url.hostname === name || url.hostname.endsWith(`.${name}`);
}

const portOf = (url: Host) => url.port || (url.protocol === 'https:' ? '443' : '80');
