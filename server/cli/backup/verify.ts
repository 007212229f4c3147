// `afterword backup verify`: compares every file of a backup with its checksum, and changes nothing. What is on a disk
// of ClickHouse servers is compared by a restore beside their database.
import type { StorageSettings } from '../../config.ts';
import { CommandError } from '../commandError.ts';
import { requireChecksums } from './checksums.ts';
import { requireEngineFiles } from './engineFiles.ts';
import { datedBackups } from './keep.ts';
import { engineIn, type Manifest, readManifest } from './manifest.ts';
import { inWords } from './restore.ts';

export interface VerifiedBackup {
  folder: string;
  made: string;
  counts: Manifest['counts'];
  /** Files compared by SHA-256; none of a backup of an earlier version, whose sizes were compared. */
  files: number;
  /**
   * Servers that restored their part beside their database, where it was compared; undefined for a backup in a folder.
   */
  servers?: number;
}

/** What came of a backup, or of each of a folder that holds several by date: one that is damaged hides no other. */
export interface Verification {
  whole: VerifiedBackup[];
  /** Of each other one, its first file, or the table, that is not as it was written. */
  damaged: CommandError[];
}

/** @param settings Where the ClickHouse servers are, for a backup that is on a disk of theirs. */
export async function verifyBackups(folder: string, settings: StorageSettings): Promise<Verification> {
  const dated = await datedBackups(folder).catch(() => []);
  const verification: Verification = { whole: [], damaged: [] };
  for (const each of dated.length > 0 ? dated : [folder]) {
    try {
      verification.whole.push(await verify(each, settings));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      verification.damaged.push(error);
    }
  }
  return verification;
}

/** @throws {CommandError} naming the first file, or the table, that is not as it was written. */
async function verify(folder: string, settings: StorageSettings): Promise<VerifiedBackup> {
  const manifest = await readManifest(folder);
  const { made, counts, files = {}, disk } = manifest;
  await requireChecksums(folder, files);
  const whole = { folder, made, counts, files: Object.keys(files).length };
  if (disk !== undefined) {
    await verifyOnServers(folder, manifest, settings);
    return { ...whole, servers: disk.servers };
  }
  await requireEngineFiles(engineIn(folder));
  return whole;
}

async function verifyOnServers(folder: string, manifest: Manifest, settings: StorageSettings): Promise<void> {
  const { name: disk, path, servers } = manifest.disk!;
  const [{ toEngineOptions }, { verifyBackup }] = await Promise.all([
    import('../openData.ts'),
    import('../../storage/verifyBackup.ts'),
  ]);
  const options = toEngineOptions(settings);
  if (options.kind !== 'remote')
    throw new CommandError(
      `The data of ${folder} is at ${path} on the disk ${disk} of ClickHouse servers: name them with --clickhouse-url, in the order they ` +
        'had. Each restores its part beside its database, which takes that much room until it is verified.',
    );
  await inWords(verifyBackup(options, { disk, path }, { ...manifest, servers }));
}
