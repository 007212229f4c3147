// Normalizes a request's target before anything compares it: `/%65vents`, `/x/../events` and
// `http://stats.example/events` match the same route, so limits and counters must see the same path as the router.
import type { IncomingMessage, RequestListener } from 'node:http';
import { parseUrl } from '../posts/parseUrl.ts';

/** Targets of almost all clients: no escape and no dot segment in the path. */
const PLAIN = /^\/(?!\/)(?!.*?\/\.)[\w/.,:;@~!$&'()*+=-]*(?:\?|$)/;
/** Absolute form: RFC 9112, section 3.2.2. */
const ABSOLUTE = /^https?:\/\//i;

/** Maximum length of a DNS name, with the root's dot and a port: conversion of a longer one takes quadratic time. */
const MAX_HOST = 260;

/** Wraps a listener: a request with two hosts, an overlong host or an invalid target is answered with 400. */
export function normalizeTargets(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasOneHost(request) && (PLAIN.test(request.url ?? '') || rewrite(request))) return listener(request, response);
    response.writeHead(400, { Connection: 'close', 'Content-Length': '0', 'Cache-Control': 'no-store' }).end();
  };
}

/**
 * Node keeps the first of several hosts and drops the rest; a proxy in front may use another one. HTTP/1.0 may have
 * none.
 */
function hasOneHost({ rawHeaders, headers }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count < 2 && (headers.host ?? '').length <= MAX_HOST;
}

/** @returns false when the target is invalid for this server. */
function rewrite(request: IncomingMessage): boolean {
  const target = request.url ?? '';
  const absolute = ABSOLUTE.test(target);
  // A path that begins with two slashes would be parsed as a host.
  const address = absolute ? target : target.startsWith('/') ? `http://host${target}` : undefined;
  const url = address === undefined ? undefined : parseUrl(address);
  if (url === undefined) return false;
  const { host, pathname, search } = url;
  // The host of an absolute target takes precedence over the header.
  if (absolute) request.headers.host = host;
  request.url = unescapeUnreserved(pathname) + search;
  return true;
}

/** Letters, digits, `-`, `.`, `_` and `~` are equivalent to their escapes: RFC 3986, section 6.2.2.2. */
const unescapeUnreserved = (path: string): string =>
  path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi, (escaped) => decodeURIComponent(escaped));
