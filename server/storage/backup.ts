// A copy of the whole database in a folder, and a database from such a copy: the engine's own BACKUP and RESTORE.
import { connect, type EngineOptions } from './connect.ts';
import type { Engine } from './engine.ts';
import type { Gate } from './gate.ts';
import { migrations } from './migrations/index.ts';
import type { BackupStore } from './store.ts';

/** What was counted when a backup was made, and must be counted again when it is restored. */
export type BackupCounts = Record<keyof typeof COUNTED, number>;

/** The data is on a ClickHouse server, which has folders of its own. */
export class RemoteBackupError extends Error {
  override name = 'RemoteBackupError';
}

/** What came out of a backup is not what went in. */
export class RestoreMismatchError extends Error {
  override name = 'RestoreMismatchError';
}

/** Numbers that merges in the background do not change; the roll-ups among them, so that they are known to agree. */
const COUNTED = {
  sites: 'SELECT count() AS n FROM sites FINAL',
  posts: 'SELECT count() AS n FROM posts FINAL',
  aliases: 'SELECT count() AS n FROM aliases FINAL',
  events: 'SELECT count() AS n FROM events',
  views: 'SELECT sum(views) AS n FROM post_days',
  visitors: 'SELECT count() AS n FROM visitors FINAL',
} as const;

/** A year of a large site is counted in seconds, but not always in the few of a list. */
const MAX_COUNT_SECONDS = 600;

export function createBackupStore({ alone }: Pick<Gate, 'alone'>): BackupStore {
  return {
    write: (folder) =>
      alone(async (engine) => {
        if (engine.folders !== true) {
          throw new RemoteBackupError(
            'The data is on a ClickHouse server, where a folder of this machine means nothing. Ask each server itself, for example: ' +
              "BACKUP DATABASE afterword TO S3('https://bucket.example/afterword/2026-11-21/shard-1', 'key', 'secret'), " +
              'and back with RESTORE DATABASE afterword FROM S3(…) into empty servers of the same cluster.',
          );
        }
        const counts = await countAll(engine);
        await engine.command(`BACKUP DATABASE default TO File(${quoted(folder)})`);
        return counts;
      }),
  };
}

/**
 * Makes a database from a backup and counts what is in it. The next program that opens it brings its schema up to date.
 * @param engine Of an empty database.
 * @throws {RestoreMismatchError}
 */
export async function restoreBackup(engine: EngineOptions, folder: string, expected: BackupCounts): Promise<void> {
  const opened = await connect(engine);
  try {
    await opened.command(
      `RESTORE DATABASE default FROM File(${quoted(folder)}) SETTINGS create_database = 'if-not-exists'`,
    );
    const found = await countAll(opened);
    const wrong = (Object.keys(COUNTED) as (keyof BackupCounts)[]).filter((name) => found[name] !== expected[name]);
    if (wrong.length === 0) return;
    const sentences = wrong.map((name) => `${expected[name]} ${name} were backed up, ${found[name]} came out`);
    throw new RestoreMismatchError(`${sentences.join('; ')}.`);
  } finally {
    await opened.close();
  }
}

/** Version of the schema this program writes. */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

async function countAll(engine: Engine): Promise<BackupCounts> {
  const counts: Record<string, number> = {};
  for (const [name, sql] of Object.entries(COUNTED)) {
    const [row] = await engine.rows<{ n: number }>(sql, {}, MAX_COUNT_SECONDS);
    counts[name] = Number(row?.n ?? 0);
  }
  return counts as BackupCounts;
}

/** A text in SQL. The name of a backup is no place for a bound parameter. */
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
