// What the readers of each site read next, learned from the stored events: the newest when a site is first asked about,
// then a look every few seconds at what came since. Every copy of the server looks for itself, so all of them learn the
// same; nothing is written, and nobody's id is kept longer than a session.
//
//   const readership = createReadership({ store, library, now, log });
//   readership.of(site)       undefined until it is loaded: content alone decides meanwhile
import type { Logger } from 'pino';
import type { Library, Readership } from './deps.ts';
import { breath } from './library/breath.ts';
import { Behaviour } from './recommend/behaviour/behaviour.ts';
import { MOST_CLICKS } from './recommend/behaviour/settings.ts';
import type { SiteId } from './sites/site.ts';
import type { Store } from './storage/store.ts';

export interface ReadershipOptions {
  store: Pick<Store, 'readings'>;
  library: Pick<Library, 'resolve' | 'cards'>;
  /** Epoch milliseconds. */
  now: () => number;
  log: Logger;
  /** Milliseconds after its last use until a site's readers leave memory. Default: an hour. */
  idleAfter?: number;
}

/** The readership, and what the server's start and its periodic jobs ask of it. */
export interface LoadedReadership extends Readership {
  /** Loads a site's readers in the background. A failure is logged; the next question tries again. */
  warm(site: SiteId): void;
  /** Learns what was read since the last look. */
  refresh(): Promise<void>;
  /** Lets go of the sites nobody asked for lately. */
  dropIdle(): void;
  /** Waits for what is being loaded. */
  close(): Promise<void>;
}

interface Place {
  behaviour: Behaviour;
  /** Learned up to here, exclusive. */
  until: number;
  ready: Promise<void>;
  loaded: boolean;
  lastUse: number;
}

const HOUR_MS = 3_600_000;
/** Events are stored up to so long after they happened; those that come later are counted elsewhere, and not learned. */
const LATE_MS = 10_000;
/** Views learned before waiting requests get their turn. */
const VIEWS_A_SLICE = 2000;

export function createReadership({
  store,
  library,
  now,
  log,
  idleAfter = HOUR_MS,
}: ReadershipOptions): LoadedReadership {
  const places = new Map<SiteId, Place>();
  let closed = false;

  function placeOf(site: SiteId): Place {
    let place = places.get(site);
    if (!place) {
      const fresh: Place = {
        behaviour: new Behaviour(),
        until: now() - LATE_MS,
        ready: Promise.resolve(),
        loaded: false,
        lastUse: now(),
      };
      fresh.ready = load(site, fresh).catch((err: unknown) => {
        if (places.get(site) === fresh) places.delete(site);
        log.error({ err, site }, 'what readers read next could not be loaded');
      });
      places.set(site, fresh);
      place = fresh;
    }
    place.lastUse = now();
    return place;
  }

  async function load(site: SiteId, place: Place): Promise<void> {
    for (const piece of await store.readings.newest(site, { to: place.until, most: MOST_CLICKS })) {
      await learn(site, place.behaviour, piece);
      if (closed) return;
    }
    place.loaded = true;
    log.debug({ site, ...place.behaviour.size }, 'readers loaded');
  }

  /** Only posts count: a front page belongs to everything. An alias counts for its post. */
  async function learn(site: SiteId, behaviour: Behaviour, period: { from: number; to: number }): Promise<void> {
    const views = await store.readings.between(site, period);
    const canonical = new Map<string, string>();
    for (const { url } of views) if (!canonical.has(url)) canonical.set(url, await library.resolve(site, url));
    const cards = await library.cards(site, [...new Set(canonical.values())]);
    const posts = new Set(cards.filter(({ pageType }) => pageType === 'post').map(({ url }) => url));
    for (const [at, { time, url, visitor }] of views.entries()) {
      const post = canonical.get(url)!;
      if (posts.has(post)) behaviour.learn({ time, visitor, post });
      if (at % VIEWS_A_SLICE === VIEWS_A_SLICE - 1) await breath();
    }
  }

  async function refreshOne(site: SiteId, place: Place): Promise<void> {
    const to = now() - LATE_MS;
    // The clock was set back: what is read from now on is learned.
    if (to + LATE_MS < place.until) place.until = to;
    if (to <= place.until) return;
    await learn(site, place.behaviour, { from: place.until, to });
    place.until = to;
    place.behaviour.tidy(to);
  }

  return {
    of(site) {
      const place = placeOf(site);
      return place.loaded ? place.behaviour : undefined;
    },

    warm(site) {
      placeOf(site);
    },

    async refresh() {
      for (const [site, place] of places) if (place.loaded && !closed) await refreshOne(site, place);
    },

    dropIdle() {
      for (const [site, place] of places) {
        if (place.loaded && now() - place.lastUse > idleAfter) places.delete(site);
      }
    },

    async close() {
      closed = true;
      await Promise.all([...places.values()].map(({ ready }) => ready));
      places.clear();
    },
  };
}
