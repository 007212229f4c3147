// Heartbeats of the copies of the server that share a database.
import type { Engine } from './engine.ts';
import type { CopyStore } from './store.ts';

/** Without a heartbeat for so long a copy counts as ended. */
export const EXPIRY_SECONDS = 12;

export function createCopyStore(engine: Engine): CopyStore {
  return {
    async beat(name) {
      await engine.insert('copies', [{ name, gone: false }]);
      const rows = await engine.rows<{ name: string }>(
        `SELECT name FROM copies FINAL WHERE NOT gone AND seen_at > now64(3) - INTERVAL ${EXPIRY_SECONDS} SECOND ORDER BY name`,
      );
      return rows.map((row) => row.name);
    },

    leave: (name) => engine.insert('copies', [{ name, gone: true }]),
  };
}
