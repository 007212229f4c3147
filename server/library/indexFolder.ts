// The folder with the kept index of each site.

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Workspace } from '../recommend/workspace.ts';
import type { WorkspacePool } from '../recommend/workspacePool.ts';
import type { SiteId } from '../sites/site.ts';
import { readIndex, removeIndex, writeIndex } from './indexFile.ts';
import { type KeptIndex, keepIndex, takeUp } from './kept.ts';
import { Shelf } from './shelf.ts';
import { cardPieces, loadSnapshot } from './snapshotCards.ts';

/** Reading the texts of fewer posts costs no more than reading a snapshot. */
const KEPT_FROM = 100;
/** Files of a site; the hidden URLs are written elsewhere, and go with the others. */
const KINDS = ['index', 'cards', 'hidden'] as const;

export interface IndexFolder {
  /** An empty shelf, whose index is kept whenever it was put in order. */
  shelf(site: SiteId): Shelf;
  /** Where the index of a site is kept; undefined when none is. */
  fileOf(site: SiteId): string | undefined;
  /** What is kept of a site is on the shelf; undefined when nothing is, or nothing that can be used. */
  takeUp(site: SiteId, shelf: Shelf): Promise<KeptIndex | undefined>;
  /**
   * A shelf of what is kept of a site, without the database; undefined when nothing is.
   * @throws {DamagedIndexError} when a file is not as it was written.
   */
  readAlone(site: SiteId): Promise<Shelf | undefined>;
  /** Removes what is kept of a site, once the shelf rests. */
  forget(site: SiteId, shelf: Shelf | undefined): void;
}

export interface IndexFolderOptions {
  log: Logger;
  /** Whether the cards of posts are kept, too, of small sites as well: what is kept can be read without the database. */
  withCards: boolean;
  /** Memory that the queries of all sites compute in. */
  workspaces: WorkspacePool<Workspace>;
}

/** @param folder Made when something is to be kept; undefined: nothing is. */
export function openIndexFolder(folder: string | undefined, options: IndexFolderOptions): IndexFolder {
  const { log, withCards, workspaces } = options;
  if (folder === undefined) {
    const nothing = () => undefined;
    const none = async () => undefined;
    const shelf = () => new Shelf(undefined, workspaces);
    return { shelf, fileOf: nothing, takeUp: none, readAlone: none, forget: nothing };
  }
  const pathOf = (site: SiteId, kind: (typeof KINDS)[number]) => join(folder, `${encodeURIComponent(site)}.${kind}`);
  const fileOf = (site: SiteId) => pathOf(site, 'index');
  const cardsOf = (site: SiteId) => pathOf(site, 'cards');
  return {
    fileOf,
    shelf: (site) =>
      new Shelf(async (shelf) => {
        if (shelf.posts < (withCards ? 1 : KEPT_FROM)) return;
        try {
          await keepIndex(fileOf(site), shelf);
          if (withCards) await writeIndex(cardsOf(site), cardPieces(shelf));
        } catch (err) {
          log.error({ err, site }, 'index could not be kept');
        }
      }, workspaces),

    async takeUp(site, shelf) {
      try {
        // An earlier version kept no cards: they are written when the site is loaded.
        const fresh = withCards && !(await exists(cardsOf(site)));
        return await takeUp(readIndex(fileOf(site)), shelf, { fresh });
      } catch (err) {
        log.warn({ err, site }, 'the kept index cannot be used; all texts are read again');
        return undefined;
      }
    },

    async readAlone(site) {
      if (!withCards) return undefined;
      const shelf = new Shelf(undefined, workspaces);
      const pieces = { index: readIndex(fileOf(site)), cards: readIndex(cardsOf(site)) };
      return (await loadSnapshot(pieces, shelf)) ? shelf : undefined;
    },

    forget(site, shelf) {
      const rested = shelf ? shelf.idle() : Promise.resolve();
      rested
        .then(() => Promise.all(KINDS.map((kind) => removeIndex(pathOf(site, kind)))))
        .catch((err: unknown) => log.error({ err, site }, 'kept index could not be removed'));
    },
  };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
