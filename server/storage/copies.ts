// Heartbeats of the copies of the server that share a database.
import type { Engine } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { COPIES } from './schema/records.ts';
import { LOCAL } from './schema/table.ts';

/** The copies of the server that share this database, by names they give themselves. */
export interface CopyStore {
  /** Stores a heartbeat of a copy. @returns The live copies, this one included, in order. */
  beat(name: string): Promise<string[]>;
  /** Marks a copy as ended. */
  leave(name: string): Promise<void>;
}

/** Without a heartbeat for so long a copy counts as ended. */
export const EXPIRY_SECONDS = 12;

const LIVES = `NOT gone AND seen_at > now64(3) - INTERVAL ${EXPIRY_SECONDS} SECOND`;

export function createCopyStore(engine: Engine): CopyStore {
  return {
    async beat(name) {
      await engine.insert('copies', [{ name, gone: false }]);
      const rows = await engine.rows<{ name: string }>(`SELECT name FROM copies FINAL WHERE ${LIVES} ORDER BY name`);
      return rows.map((row) => row.name);
    },

    leave: (name) => engine.insert('copies', [{ name, gone: true }]),
  };
}

/**
 * How many copies of the server use a database now. Each server is asked for the heartbeats it keeps itself: a cluster
 * whose shards have just changed may not be able to answer as a whole.
 * @param servers One of each shard.
 */
export async function countLiveCopies(servers: readonly Engine[]): Promise<number> {
  const names = new Set<string>();
  for (const server of servers) {
    const tables = await server.rows<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ('${COPIES.name}', '${COPIES.name}${LOCAL}')
       AND engine != 'Distributed'`,
    );
    for (const { name: table } of tables)
      for (const { name } of await server.rows<{ name: string }>(`SELECT name FROM ${table} FINAL WHERE ${LIVES}`))
        names.add(name);
  }
  return names.size;
}

/**
 * For work that nothing may write beside.
 * @param servers One of each shard.
 * @throws {EngineOpenError} while copies of the server use the database.
 */
export async function refuseLiveCopies(servers: readonly Engine[]): Promise<void> {
  const copies = await countLiveCopies(servers);
  if (copies === 0) return;
  const which = copies === 1 ? 'A copy of the server uses' : `${copies} copies of the server use`;
  throw new EngineOpenError(
    `${which} this database (its last heartbeat is less than ${EXPIRY_SECONDS} s old): stop every copy, and run the same command again. ` +
      `After a kill, wait ${EXPIRY_SECONDS} s.`,
  );
}
