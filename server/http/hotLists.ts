// An in-memory cache of public lists: a page view costs one look-up, and concurrent requests share one query.
//
// A list is fresh for thirty times as long as it took to make (3 s at least, 60 s at most), so that no list ever takes
// more than a thirtieth of a core. When the engine is slow or unavailable, the last good list is sent for up to an
// hour, marked as stale.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import { HOUR, MINUTE } from '../durations.ts';
import { createFailureLog } from '../failureLog.ts';
import type { SiteId } from '../sites/site.ts';
import type { HttpEnv } from './auth.ts';
import { type Coded, codedOf, codingFor } from './compression.ts';
import { etagOf, hashOf, isFresh } from './etag.ts';
import { cacheControl, lifetimeOf, PUBLIC_HEADERS } from './headers.ts';
import { HTML_TYPE, JSON_TYPE } from './send.ts';

const MIN_FRESH_MS = 3_000;
const MAX_FRESH_MS = MINUTE;
const FRESH_PER_COST = 30;
const MAX_STALE_MS = HOUR;
/** Milliseconds a request waits for a fresh list while a stale one is available. */
const PATIENCE_MS = 1_000;
/** Bytes of memory for lists and for the request targets that lead to them. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TARGET_BYTES = 16 * 1024 * 1024;

export interface HotList {
  body: Buffer;
  /** Compressed on the first request that accepts a coding. */
  coded: Coded;
  /** Entity tag of the uncompressed body. */
  etag: string;
  headers: Record<string, string | number>;
  madeAt: number;
  freshUntil: number;
  site: SiteId;
}

/** A placeholder for a better list: sent once, and never cached. */
export class Provisional {
  readonly list: object | string;
  /** Headers of its answer, including `Cache-Control`. */
  readonly headers: Record<string, string>;

  constructor(list: object | string, headers: Record<string, string>) {
    this.list = list;
    this.headers = headers;
  }
}

export interface HotLists {
  /**
   * The list under a key, from memory or made now. Concurrent requests for a key share one result.
   * @param list.target Made by `hotTarget`: the next request with the same target is answered by `answer`.
   * @param make An object is sent as JSON, a string as HTML; a `Provisional` list is made again for the next request.
   */
  get(
    list: { site: SiteId; key: string; target?: string | undefined },
    make: () => Promise<object | string>,
  ): Promise<HotList>;
  /**
   * Answers a GET whose list is fresh in memory.
   * @returns false when the request is left to the framework.
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Invalidates all lists of a site: something was hidden or shown. */
  forget(site: SiteId): void;
  /** Totals since the start, by the source of a list; `shared`: made for another request. */
  counts(): Readonly<Record<'memory' | 'made' | 'shared' | 'stale', number>>;
}

export interface HotListsOptions {
  /** Monotonic milliseconds, which are independent of changes to the system clock. */
  clock(): number;
  /** Whether the lists of a site are still public. */
  allowed(site: SiteId): boolean;
  log: Logger;
}

export function createHotLists({ clock, allowed, log }: HotListsOptions): HotLists {
  const lists = new LRUCache<string, HotList>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  const targets = new LRUCache<string, string>({ maxSize: MAX_TARGET_BYTES, sizeCalculation: sizeOfTarget });
  const making = new Map<string, Promise<HotList>>();
  const generations = new Map<SiteId, number>();
  const counts = { memory: 0, made: 0, shared: 0, stale: 0 };
  // While the database is away, every request for such a list finds that out.
  const failures = createFailureLog(log, clock);

  async function make(site: SiteId, key: string, work: () => Promise<object | string>): Promise<HotList> {
    const startedAt = clock();
    const generation = generations.get(site);
    const answer = await work();
    const list = toHotList(answer, { site, startedAt, clock });
    // Invalidated while it was made: valid for the requests that wait for it, not for later ones.
    if (!(answer instanceof Provisional) && generations.get(site) === generation) lists.set(key, list);
    return list;
  }

  function makeOnce(site: SiteId, key: string, work: () => Promise<object | string>): Promise<HotList> {
    const running = making.get(key);
    if (running) return running;
    const promise = make(site, key, work).finally(() => {
      if (making.get(key) === promise) making.delete(key);
    });
    making.set(key, promise);
    return promise;
  }

  return {
    async get({ site, key, target }, work) {
      if (target !== undefined) targets.set(target, key);
      const held = lists.get(key);
      if (held && clock() < held.freshUntil) {
        counts.memory++;
        return held;
      }
      counts[making.has(key) ? 'shared' : 'made']++;
      const fresh = makeOnce(site, key, work);
      if (!held || clock() - held.madeAt > MAX_STALE_MS) return await fresh;
      const stale = asStale(held);
      const orStale = fresh.catch((error: unknown) => {
        failures.add('list', error, 'a list could not be made anew; an older one is shown', { site });
        return stale;
      });
      const shown = await withDeadline(orStale, PATIENCE_MS, () => stale);
      if (shown === stale) counts.stale++;
      return shown;
    },

    answer(request, response) {
      const key = targets.get(hotTarget(request.headers.host ?? '', request.url ?? ''));
      const list = key === undefined ? undefined : lists.get(key);
      if (!list || clock() >= list.freshUntil || !allowed(list.site)) return false;
      counts.memory++;
      const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
      if (accepted === undefined && known === undefined) {
        response.writeHead(200, list.headers);
        response.end(list.body);
      } else answerAs(response, list, { accepted, known });
      return true;
    },

    forget(site) {
      generations.set(site, (generations.get(site) ?? 0) + 1);
      for (const [key, list] of lists.entries()) if (list.site === site) lists.delete(key);
      for (const key of making.keys()) if (key.startsWith(`${site} `)) making.delete(key);
    },

    counts: () => counts,
  };
}

/** Sends a list by a route: the surrounding layers add the callback, compare the entity tag, and compress. */
export function sendHotList(c: Context<HttpEnv>, list: HotList, more: Record<string, string> = {}): Response {
  c.set('coded', list.coded);
  return c.body(list.body.toString(), 200, { ...list.headers, 'Content-Length': String(list.body.length), ...more });
}

/** Sends a list in the coding that a client accepts, or 304 where the client has it already. */
function answerAs(
  response: ServerResponse,
  list: HotList,
  { accepted, known }: { accepted: string | string[] | undefined; known: string | undefined },
): void {
  const coding = codingFor(accepted === undefined ? undefined : String(accepted), list.body.length);
  const etag = etagOf(list.etag, coding);
  if (isFresh(known, etag)) {
    const { 'Content-Length': _, 'Content-Type': __, ...headers } = list.headers;
    response.writeHead(304, { ...headers, ETag: etag });
    response.end();
    return;
  }
  const body = coding === undefined ? list.body : codedOf(list.body, coding, list.coded);
  const more = coding === undefined ? {} : { ETag: etag, 'Content-Encoding': coding, 'Content-Length': body.length };
  response.writeHead(200, { ...list.headers, ...more });
  response.end(body);
}

/** Keys of a site's lists begin with the Site ID. */
export const hotKey = (site: SiteId, ...parts: readonly (string | number | undefined)[]): string =>
  `${site} ${JSON.stringify(parts)}`;

/**
 * Cache key of a raw request target. The links of a list contain the host of the request, so the host is part of the
 * key.
 */
export const hotTarget = (host: string, target: string): string => `${host} ${target}`;

/** A list in its wire form, fresh for a multiple of the time taken to make and to serialize it. */
function toHotList(
  answer: object | string,
  { site, startedAt, clock }: { site: SiteId; startedAt: number; clock: () => number },
): HotList {
  const provisional = answer instanceof Provisional;
  const made = provisional ? answer.list : answer;
  const isText = typeof made === 'string';
  const body = Buffer.from(isText ? made : JSON.stringify(made));
  const madeAt = clock();
  const cost = madeAt - startedAt;
  const freshFor = provisional ? 0 : Math.min(Math.max(cost * FRESH_PER_COST, MIN_FRESH_MS), MAX_FRESH_MS);
  const etag = `"${hashOf(body)}"`;
  const seconds = Math.floor(freshFor / 1000);
  const headers = {
    ...headersOf(body, isText ? seconds : lifetimeOf(made, seconds)),
    ETag: etag,
    'Content-Type': isText ? HTML_TYPE : JSON_TYPE,
    ...(provisional && answer.headers),
  };
  return { body, coded: new Map(), etag, madeAt, freshUntil: madeAt + freshFor, site, headers };
}

function headersOf(body: Buffer, seconds: number): Record<string, string | number> {
  return {
    'Content-Length': body.length,
    'Cache-Control': cacheControl({ public: seconds }),
    ...PUBLIC_HEADERS,
    Vary: 'Accept-Encoding',
  };
}

const asStale = (list: HotList): HotList => ({
  ...list,
  headers: { ...list.headers, 'Cache-Control': cacheControl({ public: 1 }), Warning: '110 - "Response is Stale"' },
});

/**
 * Estimated size in memory: object, strings and headers besides the bytes of the body; each coding takes a fifth of
 * those.
 */
const sizeOf = (list: HotList, key: string): number => Math.ceil(list.body.length * 1.4) + key.length * 2 + 700;

const sizeOfTarget = (key: string, target: string): number => (key.length + target.length) * 2 + 100;
