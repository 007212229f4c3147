// A backup, made by whoever has the database open.
import { isAbsolute } from 'node:path';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { type BackupPlace, BackupPlaceError, DamagedDatabaseError, schemaVersion } from '../../storage/backup.ts';
import { checksumsBelow } from '../backup/checksums.ts';
import { engineIn, type Manifest, makeBackupFolder, writeManifest } from '../backup/manifest.ts';
import { CommandError } from '../commandError.ts';

export type BackupDeps = Pick<Deps, 'now' | 'store'> & { ingest?: Pick<Deps['ingest'], 'backlog'> };

const wish = z.object({ folder: z.string().refine(isAbsolute), disk: z.string().optional() });

export interface BackupReport {
  folder: string;
  made: string;
  counts: Manifest['counts'];
  /** Groups of events that waited in the spool: acknowledged, not in the engine, so not in the backup. */
  spooled: number;
  /** Where on the ClickHouse servers it is. */
  disk?: Manifest['disk'];
  /** Milliseconds; events that came meanwhile were taken and wait in memory or in the spool. */
  took: number;
}

export function backupAdmin({ now, store, ingest }: BackupDeps): Hono {
  const admin = new Hono();

  admin.post('/backups', async (c) => {
    const { folder, disk } = wish.parse(await c.req.json());
    const start = now();
    const spooled = ingest?.backlog().spooledGroups ?? 0;
    await makeBackupFolder(folder);
    const made = new Date(start).toISOString();
    const path = `afterword-${made.replaceAll(/[:.]/g, '-')}`;
    const to: BackupPlace = disk === undefined ? { folder: engineIn(folder) } : { disk, path };
    const { counts, after, servers, definitions } = await store.backups.write(to).catch((error: unknown) => {
      const isExpected = error instanceof BackupPlaceError || error instanceof DamagedDatabaseError;
      throw isExpected ? new CommandError(error.message) : error;
    });
    const elsewhere = disk === undefined ? {} : { disk: { name: disk, path, servers }, after };
    const files = await checksumsBelow(folder);
    await writeManifest(folder, {
      afterword: 'backup',
      schema: schemaVersion,
      made,
      counts,
      ...elsewhere,
      definitions,
      files,
    });
    return c.json({ folder, made, counts, spooled, took: now() - start, ...elsewhere } satisfies BackupReport);
  });

  return admin;
}
