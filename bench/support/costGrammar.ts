// Requests of the cost bench: seeds that are costly by design, random ones from the grammar of the fuzz test, and changes to one.
import fc from 'fast-check';
import type { OpenApi } from '../../server/reference/openapi.ts';
import { BROWSER } from '../../test/support/beacons.ts';
import { type Ground, randomRequest } from '../../test/support/fuzz/requests.ts';
import { encode, VALUES } from '../../test/support/fuzz/values.ts';
import { hostileBodies } from '../../test/support/hostileBodies.ts';
import type { TestSite } from '../../test/support/server.ts';
import { type CostRequest, PAGE, SERIAL } from './costRequest.ts';
import { addressOfPost } from './costSite.ts';

export interface Grammar {
  /** Requests every search begins with. */
  seeds: CostRequest[];
  random(seed: number): CostRequest;
  /** @param random From 0 to 1. */
  changed(request: CostRequest, random: () => number): CostRequest;
}

/** Node reads heads of 16 KiB. */
const LONGEST_TARGET = 14_000;
const LARGEST_BODY = 8 * 1024 * 1024;
const WORDS = 'the+government+services+design+team+open+source+data+users+code';

export function createGrammar(document: OpenApi, site: TestSite, partnerSecret: string): Grammar {
  const ground: Ground = {
    document,
    site: site.apikey,
    secrets: [site.secret, site.write_secret, partnerSecret],
    paths: ['/afterword.js', '/docs', '/preview', '/healthz', '/readyz', '/openapi.json', '/favicon.ico'],
  };
  const routes = routesOf(document, site);
  const anywhere = new Map<string, readonly string[]>(costlyValues(site));
  const random = randomRequest(ground);
  return {
    seeds: [...dearQuestions(routes, site), ...hostileRequests(site)],
    random: (seed) => fc.sample(random, { seed, numRuns: 1 })[0]!,
    changed(request, dice) {
      const { body } = request;
      if (typeof body === 'string' && dice() < 0.5) return { ...request, body: changedBody(body, dice) };
      const [path = '', query = ''] = request.target.split('?');
      const values = routes.find(({ pattern }) => pattern.test(path))?.values ?? anywhere;
      const pairs = changedQuery(query.split('&').filter(Boolean), values.size > 0 ? values : anywhere, dice);
      const target = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
      return target.length > LONGEST_TARGET ? request : { ...request, target };
    },
  };
}

/** By name of a parameter: values that make for long answers, long ways, and answers that are not ready. */
function costlyValues(site: TestSite): Map<string, string[]> {
  const url = encodeURIComponent(addressOfPost(site, PAGE)).replaceAll(encodeURIComponent(PAGE), PAGE);
  return new Map([
    ['limit', ['2000', '1999', '1000', '100']],
    ['page', ['1', '2', '20', '2000']],
    ['days', ['31', '30', '7', '1']],
    ['period_start', ['90d', '30d', '1h']],
    ['url', [url, `https://${site.apikey}/${SERIAL}`]],
    ['uuid', [`reader-${SERIAL}`, 'reader-1']],
    ['q', ['the', WORDS, `the+${SERIAL}`, `"${WORDS}"`, `${WORDS}+${SERIAL}`]],
    ['exclude', [`tags:${SERIAL}`, `authors:${SERIAL}`, `section:${SERIAL}`]],
    ['tag', [SERIAL]],
    ['section', [SERIAL]],
    ['author', [SERIAL]],
    ['pub_date_start', ['1990-01-01', '2010-01-01']],
    ['pub_date_end', ['2030-01-01']],
    ['explain', ['1']],
    ['callback', ['show']],
    ['respect_empty_results', ['0']],
  ]);
}

interface Route {
  /** Of its paths. */
  pattern: RegExp;
  /** A path, with its parts filled in. */
  path: string;
  isRead: boolean;
  /** Values worth trying, by name of a parameter of the query; costliest first. */
  values: Map<string, readonly string[]>;
}

function routesOf(document: OpenApi, site: TestSite): Route[] {
  const costly = costlyValues(site);
  const inPath: Record<string, string> = { apikey: site.apikey, partner: 'agency' };
  return Object.entries(document.paths).map(([template, operations]) => {
    const parameters = Object.values(operations).flatMap((operation) => operation.parameters);
    const enumOf = (name: string) =>
      parameters.find((parameter) => parameter.name === name)?.schema.enum as string[] | undefined;
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    return {
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
      path: template.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? enumOf(name)?.[0] ?? 'Bob'),
      isRead: operations.get !== undefined,
      values: new Map(inQuery.map(({ name }) => [name, enumOf(name) ?? costly.get(name) ?? VALUES.map(encode)])),
    };
  });
}

/** Parameters of the longest questions. */
const DEAR_NAMES = new Set(['limit', 'days', 'period_start', 'url', 'uuid', 'q', 'sort']);
/** Narrow an answer, or need a secret. */
const NARROWING = ['exclude', 'tag', 'section', 'author', 'respect_empty_results', 'callback', 'explain'];
const ABOUT_ONE = ['url', 'uuid'];
/** Of a ranking: how far it looks back. Of a list of posts: how young they are, which leaves out most. */
const AGE = ['days'];
/** Parameters that are left out of a question. */
const LEFT_OUT = [[], ABOUT_ONE, AGE, [...AGE, ...ABOUT_ONE]].map((names) => [...NARROWING, ...names]);

/**
 * Of each route that is read: the longest answer in two orders, of the whole site and about one post, without and with the
 * secret.
 */
function dearQuestions(routes: readonly Route[], site: TestSite): CostRequest[] {
  return routes.flatMap(({ path, isRead, values }) =>
    LEFT_OUT.flatMap((without) =>
      ordersOf(values).flatMap((sort) =>
        ['', `secret=${site.secret}`].flatMap((secret): CostRequest[] => {
          const chosen = [...values].filter(([name]) => DEAR_NAMES.has(name) && !without.includes(name));
          const pairs = chosen.map(([name, [value]]) => `${name}=${name === 'sort' ? sort : value}`);
          const query = [`apikey=${site.apikey}`, secret, ...pairs].filter(Boolean).join('&');
          const request = { method: 'GET', target: `${path}?${query}`, headers: { 'User-Agent': BROWSER } };
          return isRead ? [{ ...request, body: undefined }] : [];
        }),
      ),
    ),
  );
}

/** The first and the last: changes bring the others. */
function ordersOf(values: Route['values']): string[] {
  const orders = values.get('sort') ?? [''];
  return [...new Set([orders[0]!, orders.at(-1)!])];
}

/** What the test of hostile bodies sends. */
function hostileRequests({ apikey, secret, write_secret }: TestSite): CostRequest[] {
  const target = { site: apikey, readSecret: secret, writeSecret: write_secret, attempt: 0 };
  return hostileBodies.map(({ method, path, query, headers, body }) => {
    const params = query ? `?${new URLSearchParams(query(target))}` : '';
    return {
      method,
      target: `${path}${params}`,
      headers: { 'User-Agent': BROWSER, ...headers },
      body: body?.(target),
    };
  });
}

export const oneOf = <T>(list: readonly T[], dice: () => number): T => list[Math.floor(dice() * list.length)]!;

function changedQuery(
  pairs: readonly string[],
  values: ReadonlyMap<string, readonly string[]>,
  dice: () => number,
): string[] {
  const at = Math.floor(dice() * pairs.length);
  const pair = pairs[at] ?? '';
  const [name, value = ''] = pair.split('=');
  const added = () => {
    const [chosen, known] = oneOf([...values], dice);
    return `${chosen}=${oneOf(known, dice)}`;
  };
  const isKey = /^(?:apikey|service|idsite|secret)$/.test(name!);
  const changes: (() => string[])[] = [
    () => [...pairs, added()],
    () => [...pairs, added(), added()],
    () => (isKey ? [...pairs] : pairs.filter((_, other) => other !== at)),
    () => [...pairs, ...Array<string>(20).fill(pair)],
    () => (isKey || pair === '' ? [...pairs] : pairs.with(at, `${name}=${value}${value}`)),
    () => (isKey || pair === '' ? [...pairs] : pairs.with(at, `${name}=${value}${SERIAL}`)),
  ];
  return oneOf(changes, dice)();
}

function changedBody(text: string, dice: () => number): string {
  const part = /"[^"]{1,200}"/;
  const changes: (() => string)[] = [
    () => text + text,
    () => text.replace(part, (found) => `"${found.slice(1, -1).repeat(50)}"`),
    () => text.replace(/"([^"]{1,200})"(?=[,}\]])/, `"$1${SERIAL}"`),
    () => text.replace(/\[([^[\]]{1,100000})\]/, (_, inner: string) => `[${Array<string>(50).fill(inner).join()}]`),
    () => text.replace('{', `{"x":${'['.repeat(1000)}${']'.repeat(1000)},`),
    () => text.slice(0, Math.floor(text.length * dice())),
  ];
  const made = oneOf(changes, dice)();
  return made.length > LARGEST_BODY ? text : made;
}
