// Reads what an operator says about a site: its time zone and the hosts that are its own.
import { parseUrl } from '../posts/parseUrl.ts';

/** Names of UTC that `Intl.supportedValuesOf` leaves out. */
const UTC_NAMES = ['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT', 'Etc/UCT', 'UCT', 'Zulu', 'Etc/Zulu', 'Universal'];

const KNOWN = new Map([...Intl.supportedValuesOf('timeZone'), ...UTC_NAMES].map((name) => [name.toLowerCase(), name]));

/**
 * Reads a time zone: an IANA name in any case, older names of a zone included.
 * Only a name from the runtime's own list ever comes out, because it travels into queries.
 * @returns The name in its usual spelling, all names of UTC as `UTC`; undefined when there is no such zone.
 */
export function parseTimezone(text: string): string | undefined {
  const known = KNOWN.get(text.trim().toLowerCase());
  if (known !== undefined) return UTC_NAMES.includes(known) ? 'UTC' : known;
  return olderName(text.trim());
}

/**
 * Older names (`Asia/Calcutta` or `Asia/Kolkata`, whichever the list leaves out) are valid, but an offset is no zone.
 */
function olderName(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return undefined;
  try {
    const resolved = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return KNOWN.get(resolved.toLowerCase()) ?? resolved;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^(?:${LABEL}\\.)*${LABEL}$`);

/**
 * Reads a host of a site: `example.com`, `localhost:8080`, an IPv6 address in brackets. International names become
 * Punycode.
 * @returns Lower case, without default ports; undefined when it is a URL, has a path, or is no host.
 */
export function parseDomain(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || /[/\\?#@\s]/.test(trimmed)) return undefined;
  const url = parseUrl(`http://${trimmed}`);
  if (!url) return undefined;
  const bare = url.hostname.replace(/\.$/, '');
  if (!(HOST.test(bare) || bare.startsWith('['))) return undefined;
  return url.port === '' || url.port === '443' ? bare : `${bare}:${url.port}`;
}
