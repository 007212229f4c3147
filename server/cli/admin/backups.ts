// A backup, made by whoever has the database open.
import { isAbsolute } from 'node:path';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { RemoteBackupError, schemaVersion } from '../../storage/backup.ts';
import { engineIn, type Manifest, makeBackupFolder, writeManifest } from '../backup/manifest.ts';
import { CommandError } from '../commandError.ts';

export type BackupDeps = Pick<Deps, 'now' | 'store'> & { ingest?: Pick<Deps['ingest'], 'backlog'> };

const wish = z.object({ folder: z.string().refine(isAbsolute) });

export interface BackupReport {
  folder: string;
  made: string;
  counts: Manifest['counts'];
  /** Groups of events that waited in the spool: acknowledged, not in the engine, so not in the backup. */
  spooled: number;
  /** Milliseconds; events that came meanwhile were taken and wait in memory or in the spool. */
  took: number;
}

export function backupAdmin({ now, store, ingest }: BackupDeps): Hono {
  const admin = new Hono();

  admin.post('/backups', async (c) => {
    const { folder } = wish.parse(await c.req.json());
    const start = now();
    const spooled = ingest?.backlog().spooledGroups ?? 0;
    await makeBackupFolder(folder);
    const counts = await store.backups.write(engineIn(folder)).catch((error: unknown) => {
      throw error instanceof RemoteBackupError ? new CommandError(error.message) : error;
    });
    const made = new Date(start).toISOString();
    await writeManifest(folder, { afterword: 'backup', schema: schemaVersion, made, counts });
    return c.json({ folder, made, counts, spooled, took: now() - start } satisfies BackupReport);
  });

  return admin;
}
