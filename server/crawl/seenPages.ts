// Pages that were viewed and may be unknown: remembered cheaply while events come in, looked up later, a handful at a
// time. Until a page is known to be a post, the networks of its readers are counted: an article is read in many, an
// invented address in one.
import { LRUCache } from 'lru-cache';
import { hash64 } from '../ingest/steps/visitorId.ts';
import type { SiteId } from '../sites/site.ts';

/** A page that was seen and is not known to be a post. */
export interface SeenPage {
  readonly site: SiteId;
  readonly url: string;
  /**
   * Networks it was seen from, each once, at most `MAX_NETWORKS`; undefined stands for all that are not known or
   * private.
   */
  readonly networks: (string | undefined)[];
}

export interface SeenPages {
  /** Called for every view: costs one look-up in memory. */
  see(site: SiteId, url: string, network?: string): void;
  /** Takes out at most `count` pages that were seen and not looked at yet, by site. */
  take(count: number): Map<SiteId, SeenPage[]>;
  /** Takes out the pages that were taken before and have been seen from twice as many networks since. */
  risen(): SeenPage[];
  /** No more is to be known of the page: its views cost a look-up and nothing else. */
  settle(site: SiteId, url: string): void;
  /** The pages are seen as new ones next time. */
  forget(site: SiteId, urls: readonly string[]): void;
  /** Forgets what was seen of a site. */
  forgetSite(site: SiteId): void;
}

/** Networks counted of a page. */
const MAX_NETWORKS = 16;
/** Memory for pages seen, in bytes: some 100,000. The least recently seen is looked up again, which costs one query. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Pages waiting to be looked up, and the characters of their addresses. More are left for their next view. */
const MAX_WAITING = 20_000;
const MAX_WAITING_CHARACTERS = 4_000_000;
/** Longer addresses are looked for by their hash. */
const LONG = 200;

const SETTLED = Symbol('settled');

export function createSeenPages(): SeenPages {
  const known = new LRUCache<string, SeenPage | typeof SETTLED>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  const waiting = new Map<string, SeenPage>();
  let waitingCharacters = 0;
  const rising = new Set<SeenPage>();

  function addNetwork(key: string, page: SeenPage, network: string | undefined): void {
    const { networks } = page;
    if (networks.includes(network)) return;
    networks.push(network);
    const isTwice = (networks.length & (networks.length - 1)) === 0;
    if (isTwice && !waiting.has(key)) rising.add(page);
    if (networks.length >= MAX_NETWORKS) known.set(key, SETTLED);
  }

  function takeOut(key: string, page: SeenPage): void {
    waiting.delete(key);
    waitingCharacters -= page.url.length;
  }

  return {
    see(site, url, network) {
      const key = keyOf(site, url);
      const seen = known.get(key);
      if (seen === SETTLED) return;
      if (seen !== undefined) return addNetwork(key, seen, network);
      if (waiting.size >= MAX_WAITING || waitingCharacters >= MAX_WAITING_CHARACTERS) return;
      const page: SeenPage = { site, url, networks: [network] };
      known.set(key, page);
      waiting.set(key, page);
      waitingCharacters += url.length;
    },
    take(count) {
      const taken = new Map<SiteId, SeenPage[]>();
      for (const [key, page] of waiting) {
        if (count-- <= 0) break;
        takeOut(key, page);
        const ofSite = taken.get(page.site) ?? [];
        taken.set(page.site, ofSite);
        ofSite.push(page);
      }
      return taken;
    },
    risen() {
      const pages = [...rising];
      rising.clear();
      return pages;
    },
    settle(site, url) {
      known.set(keyOf(site, url), SETTLED);
    },
    forget(site, urls) {
      for (const url of urls) known.delete(keyOf(site, url));
    },
    forgetSite(site) {
      for (const key of [...known.keys()]) if (key.startsWith(`${site} `)) known.delete(key);
      for (const [key, page] of waiting) if (page.site === site) takeOut(key, page);
      for (const page of rising) if (page.site === site) rising.delete(page);
    },
  };
}

/** Begins with the site. */
const keyOf = (site: SiteId, url: string): string => `${site} ${url.length > LONG ? hash64(url) : url}`;

/** Entry, key, and of a page whose networks are counted its address and their list. */
const sizeOf = (page: SeenPage | typeof SETTLED, key: string): number =>
  200 + key.length + (page === SETTLED ? 0 : page.url.length * 2 + MAX_NETWORKS * 16 + 100);
