// Public lists, ready to be sent: what every page view asks for costs one look-up, and the engine is asked once for all.
//
// A list is kept for thirty times as long as it took to make (3 s at least, 60 s at most), so that no list ever costs more
// than a thirtieth of a core. When the engine is slow or gone, the last good list is sent for up to an hour, marked as stale.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { SiteId } from '../sites/site.ts';
import type { HttpEnv } from './auth.ts';
import { type Coded, codedOf, codingFor } from './compression.ts';
import { etagOf, hashOf, isFresh } from './etag.ts';
import { cacheControl, PUBLIC_HEADERS } from './headers.ts';
import { HTML_TYPE, JSON_TYPE } from './send.ts';

const MIN_FRESH_MS = 3_000;
const MAX_FRESH_MS = 60_000;
const FRESH_PER_COST = 30;
const MAX_STALE_MS = 3_600_000;
/** A reader waits this long for a fresh list while an older one is at hand. */
const PATIENCE_MS = 1_000;
/** Memory for lists and for the addresses they were asked under. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TARGET_BYTES = 16 * 1024 * 1024;

export interface HotList {
  body: Buffer;
  /** Compressed when the first client takes it so. */
  coded: Coded;
  /** Of the body as it is. */
  etag: string;
  headers: Record<string, string | number>;
  madeAt: number;
  freshUntil: number;
  site: SiteId;
}

/** A list that stands in for a better one to come: sent once, and kept nowhere. */
export class Provisional {
  readonly list: object | string;
  /** Of its answer, `Cache-Control` among them. */
  readonly headers: Record<string, string>;

  constructor(list: object | string, headers: Record<string, string>) {
    this.list = list;
    this.headers = headers;
  }
}

export interface HotLists {
  /**
   * The list under a key, from memory or made now. Several who ask at once wait for the same one.
   * @param of.target Made by `hotTarget`: the next request with the same one is answered by `answer`.
   * @param make An object is sent as JSON, a text as HTML; a `Provisional` one is made again for the next request.
   */
  get(
    of: { site: SiteId; key: string; target?: string | undefined },
    make: () => Promise<object | string>,
  ): Promise<HotList>;
  /** Answers a request whose list is fresh in memory. @returns false when somebody else must. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Forgets every list of a site: something was hidden or shown. */
  forget(site: SiteId): void;
  /** Totals since start, by where a list came from; `shared`: made for another request. */
  counts(): Readonly<Record<'memory' | 'made' | 'shared' | 'stale', number>>;
}

export interface HotListsOptions {
  /** Monotonic milliseconds: a wall clock that is set changes no duration. */
  clock(): number;
  /** Whether a site's lists may still be shown to everybody. */
  allowed(site: SiteId): boolean;
  log: Logger;
}

export function createHotLists({ clock, allowed, log }: HotListsOptions): HotLists {
  const lists = new LRUCache<string, HotList>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  const targets = new LRUCache<string, string>({ maxSize: MAX_TARGET_BYTES, sizeCalculation: sizeOfTarget });
  const making = new Map<string, Promise<HotList>>();
  const generations = new Map<SiteId, number>();
  const counts = { memory: 0, made: 0, shared: 0, stale: 0 };

  async function make(site: SiteId, key: string, work: () => Promise<object | string>): Promise<HotList> {
    const startedAt = clock();
    const generation = generations.get(site);
    const answer = await work();
    const list = toHotList(answer, { site, startedAt, clock });
    // Forgotten while it was made: good enough for who waits for it, not for who asks later.
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
        log.warn({ err: error, site }, 'a list could not be made anew; an older one is shown');
        return stale;
      });
      const shown = await withDeadline(orStale, PATIENCE_MS, () => stale);
      if (shown === stale) counts.stale++;
      return shown;
    },

    answer(request, response) {
      if (request.method !== 'GET' || request.url === undefined) return false;
      const key = targets.get(hotTarget(request.headers.host ?? '', request.url));
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

/** The same by a route: the layers around it wrap it in a call, compare its entity tag, and compress it. */
export function sendHotList(c: Context<HttpEnv>, list: HotList, more: Record<string, string> = {}): Response {
  c.set('coded', list.coded);
  return c.body(list.body.toString(), 200, { ...list.headers, 'Content-Length': String(list.body.length), ...more });
}

/** In the coding that a client takes; nothing, where it has the list already. */
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

/** Keys of a site's lists begin with the site. */
export const hotKey = (site: SiteId, ...parts: readonly (string | number | undefined)[]): string =>
  `${site} ${JSON.stringify(parts)}`;

/** The raw address of a request. A list has links to the host it was asked of, so that belongs to it. */
export const hotTarget = (host: string, target: string): string => `${host} ${target}`;

/** A list as it is sent, fresh for a multiple of what it took to make and to write. */
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
  const headers = {
    ...headersOf(body, freshFor),
    ETag: etag,
    'Content-Type': isText ? HTML_TYPE : JSON_TYPE,
    ...(provisional && answer.headers),
  };
  return { body, coded: new Map(), etag, madeAt, freshUntil: madeAt + freshFor, site, headers };
}

function headersOf(body: Buffer, freshFor: number): Record<string, string | number> {
  return {
    'Content-Length': body.length,
    'Cache-Control': cacheControl({ public: Math.floor(freshFor / 1000) }),
    ...PUBLIC_HEADERS,
    Vary: 'Accept-Encoding',
  };
}

const asStale = (list: HotList): HotList => ({
  ...list,
  headers: { ...list.headers, 'Cache-Control': cacheControl({ public: 1 }), Warning: '110 - "Response is Stale"' },
});

/** Object, strings and headers beside the bytes of the body; its codings take a fifth of it each. */
const sizeOf = (list: HotList, key: string): number => Math.ceil(list.body.length * 1.4) + key.length * 2 + 700;

const sizeOfTarget = (key: string, target: string): number => (key.length + target.length) * 2 + 100;
