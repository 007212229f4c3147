// `afterword backup verify`: compares every file of a backup with its checksum, and changes nothing.
import { CommandError } from '../commandError.ts';
import { requireChecksums } from './checksums.ts';
import { requireEngineFiles } from './engineFiles.ts';
import { datedBackups } from './keep.ts';
import { engineIn, type Manifest, readManifest } from './manifest.ts';

export interface VerifiedBackup {
  folder: string;
  made: string;
  counts: Manifest['counts'];
  /** Files compared by SHA-256; none of a backup of an earlier version, whose sizes were compared. */
  files: number;
}

/**
 * Verifies a backup, or each of a folder that holds several by date.
 * @throws {CommandError} naming the first file that is not as it was written.
 */
export async function verifyBackups(folder: string): Promise<VerifiedBackup[]> {
  const dated = await datedBackups(folder).catch(() => []);
  const verified: VerifiedBackup[] = [];
  for (const each of dated.length > 0 ? dated : [folder]) verified.push(await verify(each));
  return verified;
}

async function verify(folder: string): Promise<VerifiedBackup> {
  const { made, counts, files = {}, disk } = await readManifest(folder);
  if (disk !== undefined)
    throw new CommandError(
      `The data of ${folder} is at ${disk.path} on the disk ${disk.name} of ClickHouse servers: afterword restore into empty databases verifies it.`,
    );
  await requireChecksums(folder, files);
  await requireEngineFiles(engineIn(folder));
  return { folder, made, counts, files: Object.keys(files).length };
}
