// Random requests over every route and door: mostly like real ones, each part broken now and then.
import fc from 'fast-check';
import type { OpenApi } from '../../../server/reference/openapi.ts';
import { body } from './bodies.ts';
import { encode, segment, value } from './values.ts';

export interface RandomRequest {
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What is asked, and with which keys. */
export interface Ground {
  document: Pick<OpenApi, 'paths'>;
  /** Paths that no document lists: files and checks. */
  paths: readonly string[];
  site: string;
  secrets: readonly string[];
}

interface Route {
  method: string;
  path: string;
  /** Names of query parameters. */
  names: string[];
  /** Values a part of the path may have. */
  parts: Record<string, string[]>;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
/** What the doors read beside what the document lists. */
const DOOR_NAMES =
  'idsite action url urlref date rand title screen data metadata u ampid inc tt sid sts surl sref slts pvid plid vsid ip_address'.split(
    ' ',
  );
const STRANGE_NAMES = ['__proto__', 'constructor', 'toString', '', 'a[]', 'a.b', '%00', 'callback', 'service', '🎈'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const usually = <T>(arbitrary: fc.Arbitrary<T>, otherwise: fc.Arbitrary<T>, weight = 9) =>
  fc.oneof({ arbitrary, weight }, otherwise);

export function randomRequest(ground: Ground): fc.Arbitrary<RandomRequest> {
  const routes = routesOf(ground);
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        method: usually(fc.constant(route.method), fc.constantFrom(...METHODS)),
        path: usually(pathOf(route, ground), strangePath),
        query: queryOf(route, ground),
        headers,
        body: route.method === 'POST' ? body(ground) : usually(fc.constant(undefined), body(ground)),
      })
      .map(({ method, path, query, headers, body }) => ({
        method,
        target: query === '' ? path : `${path}?${query}`,
        headers,
        body,
      })),
  );
}

function routesOf({ document, paths }: Ground): Route[] {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters }]): Route => {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      return {
        method: method.toUpperCase(),
        path,
        names: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        parts: Object.fromEntries(
          inPath.map(({ name, schema }) => [name, (schema.enum as string[] | undefined) ?? []]),
        ),
      };
    }),
  );
  return [...described, ...paths.map((path): Route => ({ method: 'GET', path, names: [], parts: {} }))];
}

/** The route with its parts filled in, and now and then bent out of shape. */
function pathOf({ path, parts }: Route, { site }: Ground): fc.Arbitrary<string> {
  const known = (name: string) => {
    if (name === 'apikey') return [site];
    if (name === 'partner') return ['agency'];
    return parts[name] && parts[name].length > 0 ? parts[name] : ['Bob', 'a%2Fb', 'World'];
  };
  const filled = fc.tuple(...path.split('/').map((part) => partOf(part, known))).map((written) => written.join('/'));
  const bends: ((path: string) => string)[] = [
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => path.replace('/v2/', '/v2//'),
    (path) => `${path}%00`,
    (path) => path.replaceAll('/', '%2F'),
    (path) => `${path}/../../etc/passwd`,
    (path) => `${path}/%2e%2e/%2e%2e/`,
    (path) => `${path};a=b`,
    (path) => `${path}%`,
    (path) => `${path}%E0%A4%A`,
    (path) => `${path}\xff\xfe`,
    (path) => path.toUpperCase(),
    (path) => `${path}/${'a'.repeat(5000)}`,
    (path) => `http://elsewhere.example${path}`,
  ];
  return fc
    .tuple(filled, usually(fc.constant(undefined), fc.constantFrom(...bends), 6))
    .map(([path, bend]) => bend?.(path) ?? path);
}

function partOf(part: string, known: (name: string) => string[]): fc.Arbitrary<string> {
  const name = /^\{(\w+)\}$/.exec(part)?.[1];
  return name === undefined ? fc.constant(part) : usually(fc.constantFrom(...known(name)), segment.map(encode), 2);
}

const strangePath = fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.map(encode).join('/')}`);

function queryOf({ names }: Route, { site, secrets }: Ground): fc.Arbitrary<string> {
  const name = usually(
    fc.constantFrom(...(names.length > 0 ? names : DOOR_NAMES), ...DOOR_NAMES.slice(0, 3)),
    fc.constantFrom(...DOOR_NAMES, ...STRANGE_NAMES),
  );
  const pair = fc
    .tuple(
      name,
      fc.oneof(value, fc.constantFrom(`https://${site}/a`, site)),
      usually(fc.constant(encode), fc.constant(asIs)),
    )
    .map(([name, value, write]) => `${encode(name)}=${write(value)}`);
  const site_ = usually(
    fc.constantFrom(`apikey=${site}`, `service=${site}`, `idsite=${site}`),
    fc.constantFrom('', 'apikey=', 'apikey=other.example'),
  );
  const secret = usually(
    fc.constantFrom(...secrets.map((one) => `secret=${one}`)),
    fc.constantFrom('', 'secret=wrong'),
    4,
  );
  return fc
    .tuple(site_, secret, fc.array(pair, { maxLength: 6 }))
    .map(([site, secret, pairs]) => [site, secret, ...pairs].filter((part) => part !== '').join('&'));
}

/** Unencoded, but for what no HTTP client could send. */
const asIs = (text: string): string => text.replaceAll(/[^\x21-\x7e\xa1-\xff]/g, '+');

const HEADERS: Record<string, string[]> = {
  'User-Agent': [BROWSER, '', 'x'.repeat(4000), 'Googlebot/2.1', '\xff'],
  'Content-Type': [
    'application/json',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    ';;;',
    '',
  ],
  Origin: ['https://paper.example', 'null', 'javascript:1'],
  Referer: ['https://paper.example/a', 'https://www.google.com/', 'about:blank', '%%%'],
  Accept: ['*/*', 'text/html', ';q=x'],
  'Accept-Encoding': ['gzip, br', 'identity;q=0', '*;q=0', 'zstd,,,;q=2'],
  'Accept-Language': ['de', 'x'.repeat(2000)],
  'Content-Encoding': ['gzip', 'br', 'nonsense'],
  'If-None-Match': ['*', '"x"', 'W/"x", , "'],
  'If-Modified-Since': ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  Range: ['bytes=0-1', 'bytes=9-1', 'lines=1'],
  Cookie: ['a=b', '='.repeat(1000)],
  Host: ['paper.example', 'a b', '[::1', '-', 'x'.repeat(300)],
  'X-Forwarded-For': ['1.2.3.4', '::ffff:1.2.3.4, x', ','.repeat(500), '999.1.1.1'],
  'X-Forwarded-Proto': ['https', 'gopher'],
  'X-Forwarded-Host': ['evil.example', '🎈'.normalize().replace(/[^\x20-\x7e]/g, '?')],
  'X-HTTP-Method-Override': ['DELETE'],
  'Sec-GPC': ['1', 'x'],
  DNT: ['1'],
  Authorization: ['Bearer x', 'Basic %%%'],
  'Transfer-Encoding': ['chunked'],
};

const headers: fc.Arbitrary<Record<string, string>> = fc
  .subarray(Object.entries(HEADERS), { maxLength: 5 })
  .chain((chosen) =>
    fc.tuple(...chosen.map(([name, values]) => fc.constantFrom(...values).map((one) => [name, one] as const))),
  )
  .map((pairs) => ({ 'User-Agent': BROWSER, ...Object.fromEntries(pairs) }));
