// What the readers of each site read next, learned from the stored events: the newest when a site is first asked about,
// then a look every few seconds at what came since. Every copy of the server looks for itself, so all of them learn the
// same; nothing is written, and no visitor id is kept longer than a session.
//
//   const readership = createReadership({ store, library, now, log });
//   readership.of(site)       undefined until it is loaded: content alone decides meanwhile
import type { Logger } from 'pino';
import { DAY, HOUR } from '../durations.ts';
import { createFailureLog } from '../failureLog.ts';
import type { Readers } from '../recommend/request.ts';
import { createSemaphore } from '../siteIndex/semaphore.ts';
import type { Library } from '../siteIndex/types.ts';
import { yieldToEventLoop } from '../siteIndex/yieldToEventLoop.ts';
import type { SiteId } from '../sites/site.ts';
import type { ReadingStore, Store } from '../storage/store.ts';
import { Behaviour } from './behaviour/behaviour.ts';
import { MOST_CLICKS } from './behaviour/settings.ts';

/** What the readers of each site read next, in memory. */
export interface Readership {
  /** undefined while it is being loaded. */
  of(site: SiteId): Readers | undefined;
}

export interface ReadershipOptions {
  store: Pick<Store, 'readings'>;
  library: Pick<Library, 'resolve' | 'cards' | 'ready' | 'isLoaded'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds, for how long a site was not used and for the pauses of the log. Default: `now`. */
  clock?: () => number;
  log: Logger;
  /** Milliseconds after its last use until a site's readers leave memory. Default: an hour. */
  idleAfter?: number;
  /** Bytes of all sites' readers; beyond it, those asked for longest ago leave memory. Default: no limit. */
  memory?: number;
}

/** The readership, and what the server's start and its periodic jobs ask of it. */
export interface LoadedReadership extends Readership {
  /**
   * Loads a site's readers in the background. Resolves when it is done; a failure is logged, and the next question
   * tries again.
   */
  warm(site: SiteId): Promise<void>;
  /** Learns what was read since the last look. */
  refresh(): Promise<void>;
  /** Drops a site that was removed. */
  forget(site: SiteId): void;
  /** Releases the sites that were not requested lately. */
  dropIdle(): void;
  /** What is in memory, of all sites together. */
  sizes(): { sites: number; bytes: number };
  /** Waits for what is being loaded. */
  close(): Promise<void>;
}

type View = Awaited<ReturnType<ReadingStore['between']>>[number];

interface Place {
  behaviour: Behaviour;
  /** Learned up to here, exclusive. */
  until: number;
  ready: Promise<void>;
  loaded: boolean;
  /** Monotonic milliseconds. */
  lastUse: number;
}

/**
 * Events are stored up to so long after they happened; those that come later are counted elsewhere, and not learned.
 */
const LATE_MS = 10_000;
/** What came in while this server slept or the database was away is read in periods of so long. */
const PERIOD_MS = 300_000;
/**
 * Where more is to be learned, or the clock was set by more, the readers of a site are loaded anew: a clock that jumps
 * by a year has a hundred thousand periods, most of them empty.
 */
const LONGEST_MS = DAY;
/** Bytes that one reader takes, about. */
const READER_BYTES = 200;
/** Views learned before waiting requests get their turn. */
const VIEWS_A_SLICE = 2000;

export function createReadership(options: ReadershipOptions): LoadedReadership {
  const { store, library, now, clock = now, log, idleAfter = HOUR, memory = Number.POSITIVE_INFINITY } = options;
  // Used last comes last.
  const places = new Map<SiteId, Place>();
  const loads = createSemaphore(1);
  // While the database is away, each question about related posts begins a load.
  const failures = createFailureLog(log, clock);
  let closed = false;

  function placeOf(site: SiteId): Place {
    let place = places.get(site);
    if (place) places.delete(site);
    else {
      const fresh = newPlace({ until: now() - LATE_MS, lastUse: clock() });
      const load = loads.run(
        () => loadSite(site, fresh),
        () => false,
      );
      fresh.ready = load.catch((err: unknown) => {
        if (places.get(site) === fresh) places.delete(site);
        failures.add('load readers', err, 'what readers read next could not be loaded', { site });
      });
      place = fresh;
    }
    places.set(site, place);
    place.lastUse = clock();
    return place;
  }

  async function loadSite(site: SiteId, place: Place): Promise<void> {
    // Which address leads to which post is known where the site's posts are: where they cannot be loaded, nothing is
    // learned now.
    if (closed || !(await library.ready(site))) {
      places.delete(site);
      return;
    }
    for (const period of await store.readings.newest(site, { to: place.until, most: MOST_CLICKS })) {
      await learn(library, { site, place, views: await store.readings.between([site], period) });
      if (closed) return;
    }
    place.loaded = true;
    trim(places, memory);
    log.debug({ site, ...place.behaviour.size }, 'readers loaded');
  }

  return {
    of(site) {
      const place = placeOf(site);
      return place.loaded ? place.behaviour : undefined;
    },

    warm: (site) => placeOf(site).ready,

    async refresh() {
      const to = now() - LATE_MS;
      const learning = stillIndexed(places, library, to);
      if (learning.size === 0) return;
      let from = Math.min(...[...learning.values()].map(({ until }) => until));
      for (; from < to && !closed; from += PERIOD_MS) {
        await learnOfAll(options, learning, { from, to: Math.min(to, from + PERIOD_MS) });
      }
      for (const { behaviour } of learning.values()) behaviour.tidy(to);
      trim(places, memory);
    },

    forget: (site) => void places.delete(site),

    dropIdle() {
      for (const [site, place] of places) {
        if (place.loaded && clock() - place.lastUse > idleAfter) places.delete(site);
      }
    },

    sizes: () => ({ sites: places.size, bytes: bytesOfAll(places) }),

    async close() {
      closed = true;
      await Promise.all([...places.values()].map(({ ready }) => ready));
      places.clear();
    },
  };
}

function bytesOf({ behaviour }: Place): number {
  const { bytes, readers } = behaviour.size;
  return bytes + readers * READER_BYTES;
}

const bytesOfAll = (places: ReadonlyMap<SiteId, Place>): number =>
  [...places.values()].reduce((sum, place) => sum + bytesOf(place), 0);

const newPlace = ({ until, lastUse }: Pick<Place, 'until' | 'lastUse'>): Place => ({
  behaviour: new Behaviour(),
  until,
  ready: Promise.resolve(),
  loaded: false,
  lastUse,
});

/** Makes room in the order of last use; the site used last stays. */
function trim(places: Map<SiteId, Place>, memory: number): void {
  let bytes = bytesOfAll(places);
  for (const [site, place] of places) {
    if (bytes <= memory || places.size === 1) return;
    if (!place.loaded) continue;
    places.delete(site);
    bytes -= bytesOf(place);
  }
}

/** Only posts count: a front page belongs to everything. An alias counts for its post. */
async function learn(
  library: ReadershipOptions['library'],
  { site, place, views }: { site: SiteId; place: Place; views: readonly View[] },
): Promise<void> {
  const canonical = new Map<string, string>();
  for (const { url } of views) if (!canonical.has(url)) canonical.set(url, await library.resolve(site, url));
  const cards = await library.cards(site, [...new Set(canonical.values())]);
  const posts = new Set(cards.filter(({ pageType }) => pageType === 'post').map(({ url }) => url));
  for (const [at, { time, url, visitor }] of views.entries()) {
    const post = canonical.get(url);
    if (post !== undefined && posts.has(post)) place.behaviour.learn({ time, visitor, post });
    if (at % VIEWS_A_SLICE === VIEWS_A_SLICE - 1) await yieldToEventLoop();
  }
}

/** Learns what was read in a period, of all sites by one question. */
async function learnOfAll(
  { store, library }: Pick<ReadershipOptions, 'store' | 'library'>,
  learning: ReadonlyMap<SiteId, Place>,
  period: { from: number; to: number },
): Promise<void> {
  const views = new Map<SiteId, View[]>();
  for (const view of await store.readings.between([...learning.keys()], period)) {
    if (view.time < (learning.get(view.site)?.until ?? 0)) continue;
    const known = views.get(view.site);
    if (known) known.push(view);
    else views.set(view.site, [view]);
  }
  for (const [site, place] of learning) {
    const own = views.get(site);
    if (own) await learn(library, { site, place, views: own });
    place.until = Math.max(place.until, period.to);
  }
}

/**
 * Places that learn up to a moment; others are loaded when they are asked for. Without the site's index, each address
 * would be looked up in the database.
 */
function stillIndexed(
  places: Map<SiteId, Place>,
  library: ReadershipOptions['library'],
  to: number,
): Map<SiteId, Place> {
  for (const [site, { loaded, until }] of places)
    if (loaded && (!library.isLoaded(site) || Math.abs(to - until) > LONGEST_MS)) places.delete(site);
  const learning = new Map([...places].filter(([, { loaded }]) => loaded));
  // The clock was set back: what is read from now on is learned.
  for (const place of learning.values()) if (to + LATE_MS < place.until) place.until = to;
  return learning;
}
