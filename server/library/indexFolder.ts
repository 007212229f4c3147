// The folder with the kept index of each site.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SiteId } from '../sites/site.ts';
import { readIndex, removeIndex } from './indexFile.ts';
import { type KeptIndex, keepIndex, takeUp } from './kept.ts';
import { Shelf } from './shelf.ts';

/** Reading the texts of fewer posts costs no more than reading a snapshot. */
const KEPT_FROM = 100;

export interface IndexFolder {
  /** An empty shelf, whose index is kept whenever it was put in order. */
  shelf(site: SiteId): Shelf;
  /** Where the index of a site is kept; undefined when none is. */
  fileOf(site: SiteId): string | undefined;
  /** What is kept of a site is on the shelf; undefined when nothing is, or nothing that can be used. */
  takeUp(site: SiteId, shelf: Shelf): Promise<KeptIndex | undefined>;
  /** Removes what is kept of a site, once the shelf rests. */
  forget(site: SiteId, shelf: Shelf | undefined): void;
}

/** @param folder Made when something is to be kept; undefined: nothing is. */
export function openIndexFolder(folder: string | undefined, log: Logger): IndexFolder {
  if (folder === undefined) {
    const nothing = () => undefined;
    return { shelf: () => new Shelf(), fileOf: nothing, takeUp: async () => undefined, forget: nothing };
  }
  const fileOf = (site: SiteId) => join(folder, `${encodeURIComponent(site)}.index`);
  return {
    fileOf,
    shelf: (site) =>
      new Shelf(async (shelf) => {
        if (shelf.posts < KEPT_FROM) return;
        await keepIndex(fileOf(site), shelf).catch((err: unknown) =>
          log.error({ err, site }, 'index could not be kept'),
        );
      }),

    async takeUp(site, shelf) {
      try {
        return await takeUp(readIndex(fileOf(site)), shelf, { fresh: false });
      } catch (err) {
        log.warn({ err, site }, 'the kept index cannot be used; all texts are read again');
        return undefined;
      }
    },

    forget(site, shelf) {
      const rested = shelf ? shelf.idle() : Promise.resolve();
      rested
        .then(() => removeIndex(fileOf(site)))
        .catch((err: unknown) => log.error({ err, site }, 'kept index could not be removed'));
    },
  };
}
