// One spelling of a request's target before anything compares it: `/%65vents`, `/x/../events` and `http://stats.example/events` lead to
// the same route, so a bound or a count that reads the target must see the same path as the router does.
import type { IncomingMessage, RequestListener } from 'node:http';
import { parseUrl } from '../posts/parseUrl.ts';

/** Targets as almost all clients write them: no escape and no dot segment in the path. */
const PLAIN = /^\/(?!\/)(?!.*?\/\.)[\w/.,:;@~!$&'()*+=-]*(?:\?|$)/;
/** Absolute form: RFC 9112, section 3.2.2. */
const ABSOLUTE = /^https?:\/\//i;

/** Longest name of the DNS, with the dot of the root and a port: what is longer would be converted in quadratic time. */
const MAX_HOST = 260;

/** The same listener; requests with two hosts, a host too long, or a target that is none, are answered with 400. */
export function normalizeTargets(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasOneHost(request) && (isPlain(request.url) || rewrite(request))) return listener(request, response);
    response.writeHead(400, { Connection: 'close', 'Content-Length': '0', 'Cache-Control': 'no-store' }).end();
  };
}

const isPlain = (target = ''): boolean => PLAIN.test(target);

/** Node keeps the first of several and drops the rest; a proxy in front may have decided by another one. HTTP/1.0 may have none. */
function hasOneHost({ rawHeaders, headers }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count < 2 && (headers.host ?? '').length <= MAX_HOST;
}

/** @returns false when the target is none of this server's. */
function rewrite(request: IncomingMessage): boolean {
  const target = request.url ?? '';
  const absolute = ABSOLUTE.test(target);
  // A path that begins with two slashes would be read as a host.
  const address = absolute ? target : target.startsWith('/') ? `http://host${target}` : undefined;
  const url = address === undefined ? undefined : parseUrl(address);
  if (url === undefined) return false;
  const { host, pathname, search } = url;
  // The host of an absolute target counts, whatever the header says.
  if (absolute) request.headers.host = host;
  request.url = unescapeUnreserved(pathname) + search;
  return true;
}

/** Letters, digits, `-`, `.`, `_` and `~` mean the same escaped: RFC 3986, section 6.2.2.2. */
const unescapeUnreserved = (path: string): string =>
  path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi, (escaped) => decodeURIComponent(escaped));
