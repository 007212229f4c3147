// Hidden URLs in memory, in front of their table: every question about traffic and every recommendation asks for them.
import { MAX_EXCLUDED_URLS } from '../contract/limits.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { ExclusionStore } from '../storage/store.ts';
import type { SiteId } from './site.ts';

/** URLs hidden from every answer, in memory. */
export interface Exclusions {
  /** The excluded canonical URLs of a site now. */
  of(site: SiteId): Promise<ReadonlySet<string>>;
  /** @returns false, with nothing changed, when the site has 200 already. */
  ignore(site: SiteId, url: string): Promise<boolean>;
  include(site: SiteId, url: string): Promise<void>;
}

/**
 * A list is read again when older than this: another copy of the server may have changed it, or 90 days may be over.
 */
const REFRESH_MS = 10_000;

interface Held {
  urls: ReadonlySet<string>;
  readAt: number;
}

export interface ExclusionsOptions {
  store: ExclusionStore;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. Default: `now`. */
  clock?(): number;
}

/**
 * Lists are read from the table when first asked for; our own changes count at once, and only after they are stored.
 */
export function createExclusions({ store, now, clock = now }: ExclusionsOptions): Exclusions {
  const held = new Map<SiteId, Held>();
  const queues = new Map<SiteId, Promise<unknown>>();

  /** Runs a site's reads and changes one after another, so that none undoes another and the limit holds. */
  function inTurn<T>(site: SiteId, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(site) ?? Promise.resolve()).then(work, work);
    queues.set(site, turn);
    const leave = () => {
      if (queues.get(site) === turn) queues.delete(site);
    };
    turn.then(leave, leave);
    return turn;
  }

  async function read(site: SiteId): Promise<ReadonlySet<string>> {
    const known = held.get(site);
    if (known && clock() - known.readAt < REFRESH_MS) return known.urls;
    const readAt = clock();
    const urls = await store.list(site, now()).then(
      (listed) => new Set(listed),
      (error: unknown) => {
        // While the database is away, what was hidden stays hidden, and the lists in memory can be shown.
        if (known && error instanceof StoreUnavailableError) return known.urls;
        throw error;
      },
    );
    held.set(site, { urls, readAt });
    return urls;
  }

  function replace(site: SiteId, urls: ReadonlySet<string>): void {
    held.set(site, { urls, readAt: held.get(site)?.readAt ?? clock() });
  }

  return {
    of(site) {
      const known = held.get(site);
      if (known && clock() - known.readAt < REFRESH_MS) return Promise.resolve(known.urls);
      return inTurn(site, () => read(site));
    },

    ignore: (site, url) =>
      inTurn(site, async () => {
        const urls = await read(site);
        if (urls.has(url)) return true;
        if (urls.size >= MAX_EXCLUDED_URLS) return false;
        await store.add(site, url, now());
        replace(site, new Set([...urls, url]));
        return true;
      }),

    include: (site, url) =>
      inTurn(site, async () => {
        const urls = await read(site);
        if (!urls.has(url)) return;
        await store.remove(site, url, now());
        replace(site, new Set([...urls].filter((other) => other !== url)));
      }),
  };
}
