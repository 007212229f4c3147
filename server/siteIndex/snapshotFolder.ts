// The folder with the snapshots of each site.

import { join } from 'node:path';
import type { Logger } from 'pino';
import { pathExists } from '../pathExists.ts';
import type { Workspace } from '../recommend/workspace.ts';
import type { WorkspacePool } from '../recommend/workspacePool.ts';
import type { SiteId } from '../sites/site.ts';
import { cardSnapshotParts, restoreFromSnapshots } from './cardSnapshot.ts';
import { type RestoredIndex, restoreIndex, writeIndexSnapshot } from './indexSnapshot.ts';
import { SiteIndex } from './siteIndex.ts';
import { readSnapshot, removeSnapshot, writeSnapshot } from './snapshotFile.ts';

/** Reading the texts of fewer posts costs no more than reading a snapshot. */
const KEPT_FROM = 100;
/** Files of a site; the hidden URLs are written elsewhere, and go with the others. */
const KINDS = ['index', 'cards', 'hidden'] as const;

export interface SnapshotFolder {
  /** An empty site index. Its snapshot is written whenever the index was tidied. */
  siteIndex(site: SiteId): SiteIndex;
  /** Path of the snapshot of a site; undefined where no snapshots are kept. */
  fileOf(site: SiteId): string | undefined;
  /** Restores the snapshot of a site into its site index; undefined where there is none that can be used. */
  restoreIndex(site: SiteId, siteIndex: SiteIndex): Promise<RestoredIndex | undefined>;
  /**
   * A site index filled from the snapshots alone, without the database; undefined where there is none.
   * @throws {DamagedSnapshotError} when a file is not as it was written.
   */
  readAlone(site: SiteId): Promise<SiteIndex | undefined>;
  /**
   * Removes the snapshots of a site. A failure is logged, never thrown.
   * @param settled Resolves when nothing writes the site's files any more.
   */
  forget(site: SiteId, settled: Promise<void>): Promise<void>;
}

export interface SnapshotFolderOptions {
  log: Logger;
  /**
   * Whether cards are part of the snapshots now, of small sites as well: with them, a snapshot can be read without the
   * database.
   */
  withCards(): boolean;
  /** Memory that the queries of all sites compute in. */
  workspaces: WorkspacePool<Workspace>;
}

/** @param folder Created with the first snapshot; undefined: no snapshots are kept. */
export function openSnapshotFolder(folder: string | undefined, options: SnapshotFolderOptions): SnapshotFolder {
  const { log, withCards, workspaces } = options;
  if (folder === undefined) {
    const nothing = () => undefined;
    const none = async () => undefined;
    const siteIndex = () => new SiteIndex(undefined, workspaces);
    return { siteIndex, fileOf: nothing, restoreIndex: none, readAlone: none, forget: none };
  }
  const pathOf = (site: SiteId, kind: (typeof KINDS)[number]) => join(folder, `${encodeURIComponent(site)}.${kind}`);
  const fileOf = (site: SiteId) => pathOf(site, 'index');
  const cardsOf = (site: SiteId) => pathOf(site, 'cards');
  return {
    fileOf,
    siteIndex: (site) =>
      new SiteIndex(async (siteIndex) => {
        const hasCards = withCards();
        if (siteIndex.posts < (hasCards ? 1 : KEPT_FROM)) return;
        try {
          await writeIndexSnapshot(fileOf(site), siteIndex);
          if (hasCards) await writeSnapshot(cardsOf(site), cardSnapshotParts(siteIndex));
        } catch (err) {
          log.error({ err, site }, 'the snapshot of an index could not be written');
        }
      }, workspaces),

    async restoreIndex(site, siteIndex) {
      try {
        // A database inside the process keeps no cards: after a move they are written when the site is loaded.
        const fresh = withCards() && !(await pathExists(cardsOf(site)));
        return await restoreIndex(readSnapshot(fileOf(site)), siteIndex, { fresh });
      } catch (err) {
        log.warn({ err, site }, 'the snapshot of an index cannot be used; all texts are read again');
        return undefined;
      }
    },

    async readAlone(site) {
      if (!withCards()) return undefined;
      const siteIndex = new SiteIndex(undefined, workspaces);
      const parts = { index: readSnapshot(fileOf(site)), cards: readSnapshot(cardsOf(site)) };
      return (await restoreFromSnapshots(parts, siteIndex)) ? siteIndex : undefined;
    },

    async forget(site, settled) {
      await settled;
      try {
        await Promise.all(KINDS.map((kind) => removeSnapshot(pathOf(site, kind))));
      } catch (err) {
        log.error({ err, site }, 'the snapshot of an index could not be removed');
      }
    },
  };
}
