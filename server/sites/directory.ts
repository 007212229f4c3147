// Every site in memory, in front of the table of sites: each request asks, and asking must cost nothing.
import { UnknownSiteError } from '../errors.ts';
import { createKeyedQueue } from '../keyedQueue.ts';
import type { SiteStore } from '../storage/store.ts';
import { parseSiteId, type Site, type SiteId } from './site.ts';

/** Every site, in memory: asked on each request. */
export interface SiteDirectory {
  /** Case does not matter; undefined for unknown or malformed ids. */
  find(id: string): Site | undefined;
  /** In the order of their ids; the same list until a site changes. */
  list(): readonly Site[];
  /**
   * @param before Stores what belongs to the site first, when its name is known to be free. Default: nothing.
   * @throws {SiteExistsError}
   */
  add(site: Site, before?: () => Promise<void>): Promise<void>;
  /**
   * Changes a site as it is stored by then, one change after another: none undoes what another request, or another copy
   * of the server, has changed a moment ago.
   * @param alter Throws to change nothing.
   * @returns The site after it.
   * @throws {UnknownSiteError}
   */
  change(id: SiteId, alter: (site: Site) => Site): Promise<Site>;
  remove(id: SiteId): Promise<void>;
}

/** There is a site of this name, or one is just being made. */
export class SiteExistsError extends Error {
  override name = 'SiteExistsError';
}

export interface LoadedDirectory extends SiteDirectory {
  /** Reads the table again: another copy of the server may have written to it. */
  refresh(): Promise<void>;
  /**
   * Calls back with each site that is removed from now on, by this process or, as `refresh` finds out, by another copy
   * of the server. One that was made again since was removed, too.
   */
  onRemoved(listener: (site: SiteId) => void): void;
}

/** Reads all sites once; every change is stored before it is seen. */
export async function openDirectory(store: SiteStore, now: () => number): Promise<LoadedDirectory> {
  const sites = new Map<SiteId, Site>();
  const beingAdded = new Set<SiteId>();
  const queue = createKeyedQueue();
  const removals = createRemovals();
  /** Counts changes of our own, so that a list read before one of them does not undo it. */
  let changes = 0;
  /** As it was stored last. */
  let stored: readonly Site[] | undefined;
  let sorted: readonly Site[] | undefined;

  function changed(): void {
    changes++;
    sorted = undefined;
  }

  async function save(site: Site): Promise<void> {
    await store.save(site, now());
    changed();
    const known = sites.get(site.id);
    sites.set(site.id, site);
    // Another copy of the server has removed it and made it again since the last refresh.
    if (known !== undefined && known.createdAt !== site.createdAt) removals.announce(site.id);
  }

  async function refresh(): Promise<void> {
    const before = changes;
    const list = await store.list();
    if (changes !== before || list === stored) return;
    stored = list;
    sorted = undefined;
    const known = [...sites.values()];
    sites.clear();
    for (const site of list) sites.set(site.id, site);
    for (const { id, createdAt } of known) if (sites.get(id)?.createdAt !== createdAt) removals.announce(id);
  }

  await refresh();
  return {
    find: (id) => findIn(sites, id),
    list() {
      sorted ??= [...sites.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      return sorted;
    },
    async add(site, before) {
      const { id } = site;
      if (sites.has(id) || beingAdded.has(id)) throw new SiteExistsError(`Site ${id} exists already.`);
      beingAdded.add(id);
      try {
        // Another copy of the server may have made it a moment ago: the secrets it gave stay valid.
        if ((await store.find(id)) !== undefined) {
          await refresh();
          throw new SiteExistsError(`Site ${id} exists already.`);
        }
        await before?.();
        await save(site);
      } finally {
        beingAdded.delete(id);
      }
    },
    change: (id, alter) =>
      queue.run(id, async () => {
        const site = await store.find(id);
        if (site === undefined) throw new UnknownSiteError(id);
        const changed = alter(site);
        await save(changed);
        return changed;
      }),
    // After changes under way, none of which may bring it back.
    remove: (id) =>
      queue.run(id, async () => {
        await store.remove(id);
        changed();
        sites.delete(id);
        removals.announce(id);
      }),
    refresh,
    onRemoved: removals.add,
  };
}

function findIn(sites: ReadonlyMap<SiteId, Site>, id: string): Site | undefined {
  // Nearly every id is as it is stored.
  const known = sites.get(id as SiteId);
  if (known !== undefined) return known;
  const parsed = parseSiteId(id);
  return parsed === undefined ? undefined : sites.get(parsed);
}

function createRemovals() {
  const listeners: ((site: SiteId) => void)[] = [];
  return {
    add: (listener: (site: SiteId) => void) => void listeners.push(listener),
    announce(site: SiteId): void {
      for (const listener of listeners) listener(site);
    },
  };
}
