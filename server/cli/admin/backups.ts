// A backup, made by the process that has the database open.
import { isAbsolute, join } from 'node:path';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { type BackupPlace, BackupPlaceError, DamagedDatabaseError } from '../../storage/backup.ts';
import { engineCode } from '../../storage/errors.ts';
import { VERSION } from '../../storage/schema/schema.ts';
import { checksumsBelow, syncBelow } from '../backup/checksums.ts';
import { requireEngineFiles } from '../backup/engineFiles.ts';
import { nameByDate, removeLeftovers, removeOldest } from '../backup/keep.ts';
import { noteBackup } from '../backup/lastBackup.ts';
import { engineIn, type Manifest, writeManifest } from '../backup/manifest.ts';
import { beginBackup, MAKER, requireFolder } from '../backup/unfinished.ts';
import { CommandError } from '../commandError.ts';
import { beforeEnd } from '../signals.ts';
import { backUpImportRecords } from '../transfer/importRecords.ts';
import type { StoredBatches } from '../transfer/storedBatch.ts';
import { type SettleDeps, settle } from './settle.ts';

export type BackupDeps = Pick<Deps, 'now' | 'store'> &
  SettleDeps & { data: string; batches: Pick<StoredBatches, 'noted'> };

const body = z.object({
  folder: z.string().refine(isAbsolute),
  disk: z.string().optional(),
  keep: z.number().int().min(1).optional(),
});

export interface BackupReport {
  folder: string;
  made: string;
  counts: Manifest['counts'];
  /** Acknowledged events that did not reach the tables in time, so that they are not in the backup. */
  spooled: number;
  /** Where on the ClickHouse servers it is. */
  disk?: Manifest['disk'];
  /** Older backups that were removed, with `keep`. */
  removed?: string[];
  /** Why not all older ones could be removed, with `keep`. */
  unremoved?: string;
  /** Why the moment could not be noted in the data folder. */
  unnoted?: string;
  /** Milliseconds; events that came meanwhile were taken and wait in memory or in the spool. */
  took: number;
}

/**
 * @param deps.data The data folder, whose records of imports are in the backup, and in which it is noted: the command
 * may have ended before the backup was made.
 */
export function backupAdmin({ now, store, ingest, spool, data, batches }: BackupDeps): Hono {
  const admin = new Hono();
  /** Folders being written by this process. */
  const underWay = new Set<string>();

  /** Two that waited for the same rows begin in the same millisecond: the second one has the name of the next. */
  function dated(shelf: string): { made: string; folder: string } {
    for (let at = now(); ; at++) {
      const made = new Date(at).toISOString();
      const folder = join(shelf, nameByDate(made));
      if (!underWay.has(folder)) return { made, folder };
    }
  }

  async function clearUp(folder: string): Promise<object> {
    await removeLeftovers(folder, (backup) => underWay.has(backup));
    return {};
  }

  admin.post('/backups', async (c) => {
    const { folder: named, disk, keep } = body.parse(await c.req.json());
    const start = performance.now();
    if (keep !== undefined) await requireFolder(named);
    // Before: a whole database half copied may be what fills the disk.
    const leftovers = keep === undefined ? {} : await removing(() => clearUp(named));
    const spooled = await settle({ ingest, spool });
    const { made, folder } = keep === undefined ? { made: new Date(now()).toISOString(), folder: named } : dated(named);
    if (underWay.has(folder)) throw new CommandError(`A backup to ${folder} is being made already.`);
    underWay.add(folder);
    try {
      const report = await writeBackup(
        { store, batches, isCommand: ingest === undefined },
        { folder, made, disk, data },
      ).catch((error: unknown) => {
        throw inWords(error, folder);
      });
      const noted = await noteBackup(data, made).then(
        () => ({}),
        ({ message }: Error) => ({ unnoted: message }),
      );
      const older =
        keep === undefined ? {} : await removing(async () => ({ removed: await removeOldest(named, folder, keep) }));
      return c.json({
        folder,
        made,
        spooled,
        took: Math.round(performance.now() - start),
        ...report,
        ...noted,
        ...leftovers,
        ...older,
      } satisfies BackupReport);
    } finally {
      underWay.delete(folder);
    }
  });

  return admin;
}

/** The new backup is made, whatever stands in the way of removing another one. */
async function removing<T extends object>(work: () => Promise<T>): Promise<T | Pick<BackupReport, 'unremoved'>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return { unremoved: error.message };
  }
}

interface Writing {
  folder: string;
  made: string;
  disk: string | undefined;
  data: string;
}

/** The final name is given last, when each file is on the disk as the engine says it wrote it. */
async function writeBackup(
  { store, batches, isCommand }: Pick<BackupDeps, 'store' | 'batches'> & { isCommand: boolean },
  { folder, made, disk, data }: Writing,
): Promise<Pick<BackupReport, 'counts' | 'disk'>> {
  const { at, finish, discard } = await beginBackup(folder);
  // A server finishes what was begun. A command cannot remove it: the engine writes to it until the process ends.
  const leaveSignals = isCommand ? beforeEnd(() => void process.stderr.write(leftAt(at))) : () => undefined;
  try {
    const path = nameByDate(made);
    const to: BackupPlace = disk === undefined ? { folder: engineIn(at) } : { disk, path };
    const { counts, after, servers, definitions } = await store.backups.write(to, async () => {
      // No batch comes to the tables now; the last one may not be noted yet, and would be brought again.
      await batches.noted();
      await backUpImportRecords(data, at);
    });
    if (disk === undefined) await requireEngineFiles(engineIn(at));
    await syncBelow(at);
    const elsewhere = disk === undefined ? {} : { disk: { name: disk, path, servers }, after };
    const { [MAKER]: _, ...files } = await checksumsBelow(at);
    const manifest = { afterword: 'backup', schema: VERSION, made, counts, ...elsewhere } as const;
    await writeManifest(at, { ...manifest, definitions, files });
    await finish();
    return { counts, ...elsewhere };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    leaveSignals();
  }
}

const leftAt = (folder: string): string =>
  `Interrupted: ${folder} is left, which is no backup. The next one of the same name, or with --keep, removes it.\n`;

/** The same error in an operator's words, where it is one of the disk, the place or the engine. */
function inWords(error: unknown, folder: string): unknown {
  if (error instanceof BackupPlaceError || error instanceof DamagedDatabaseError)
    return new CommandError(error.message);
  if (!(error instanceof Error) || error instanceof CommandError) return error;
  if (!('syscall' in error) && engineCode(error) === undefined) return error;
  const [why] = error.message.split('\n');
  return new CommandError(`The backup to ${folder} could not be made, and nothing is left of it: ${why}`);
}
