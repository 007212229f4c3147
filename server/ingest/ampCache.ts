// Pages that an AMP cache serves under a host of its own: https://example.com/story as
// https://example-com.cdn.ampproject.org/c/s/example.com/story
// (https://amp.dev/documentation/guides-and-tutorials/learn/amp-caches-and-cors).
import { domainToUnicode } from 'node:url';
import { parseWebUrl } from '../posts/canonicalUrl.ts';

const CACHE = /^(?:([a-z0-9-]+)\.)?cdn\.ampproject\.org$/;
/** Kind of resource, `s` for https, and the publisher's address. */
const INNER = /^\/[a-z]+\/(?:(s)\/)?([^/]+\.[^/]+)(\/.*)?$/;
/** Parameters that the cache and its viewers add. */
const OF_CACHE = /^(?:amp_[a-z_]+|usqp)=/;

/**
 * Address of the publisher's own page behind one of the cache.
 * @returns The home page where the cache's address names the publisher alone, as referrers do; undefined when it is no
 *   page of a cache, or its host is one that the cache has shortened to a checksum.
 */
export function publisherPage({ hostname, pathname, search }: URL): URL | undefined {
  const cache = CACHE.exec(hostname);
  if (cache === null) return undefined;
  const [, secure, inner, path = '/'] = INNER.exec(pathname) ?? [];
  if (inner !== undefined) return parseWebUrl(`http${secure ?? ''}://${inner}${path}${withoutCache(search)}`);
  const host = decodeLabel(cache[1] ?? '');
  return host.includes('.') ? parseWebUrl(`https://${host}/`) : undefined;
}

function withoutCache(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !OF_CACHE.test(part));
  return kept.length > 0 ? `?${kept.join('&')}` : '';
}

/**
 * Dots are hyphens and hyphens are doubled; a label that would look like Punycode stands between `0-` and `-0`. Of an
 * international name that is done to its letters, and the whole label is Punycode: parsing the host encodes it again.
 */
const decodeLabel = (label: string): string =>
  domainToUnicode(label)
    .replace(/^0-(.*)-0$/, '$1')
    .split('--')
    .map((part) => part.replaceAll('-', '.'))
    .join('-');
