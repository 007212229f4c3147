// Sessions of the console as rows, which all copies of the server read. A row has the hash of the session's id, never
// the id itself.
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';

/** A reader of the console who is signed in. */
export interface ConsoleSession {
  /** "" for the operator's. */
  site: SiteId | '';
  /** What the secret that opened it allows: to read, to change as well, or both for every site. */
  role: 'read' | 'act' | 'operator';
  /** SHA-256 in hex of that secret, or of the operator's token: the session ends with it. */
  secretHash: string;
  /** Epoch milliseconds. */
  until: number;
}

/** Sessions by the SHA-256 of their id. */
export interface ConsoleSessionStore {
  save(hash: string, session: ConsoleSession, now: number): Promise<void>;
  /** undefined: unknown, or ended by `end`. One that is over may still be there. */
  find(hash: string): Promise<ConsoleSession | undefined>;
  end(hash: string, now: number): Promise<void>;
}

interface SessionRow {
  site: ConsoleSession['site'];
  role: ConsoleSession['role'];
  secret_hash: string;
  until: number;
  updated_at: number;
}

export function createConsoleSessionStore(engine: Engine): ConsoleSessionStore {
  const write = async (hash: string, row: SessionRow & { deleted: 0 | 1 }): Promise<void> => {
    await engine.insert('console_sessions', [{ session: hash, ...row }]);
  };

  const rowOf = async (hash: string): Promise<SessionRow | undefined> => {
    const [row] = await engine.rows<SessionRow>(
      `SELECT site, role, secret_hash, until, updated_at FROM console_sessions FINAL
       WHERE session = {session:String} AND deleted = 0`,
      { session: hash },
    );
    return row;
  };

  return {
    save: (hash, { site, role, secretHash, until }, now) =>
      write(hash, { site, role, secret_hash: secretHash, until, updated_at: now, deleted: 0 }),

    async find(hash) {
      const row = await rowOf(hash);
      return row && { site: row.site, role: row.role, secretHash: row.secret_hash, until: Number(row.until) };
    },

    async end(hash, now) {
      const row = await rowOf(hash);
      if (row === undefined) return;
      await write(hash, { ...row, updated_at: Math.max(now, Number(row.updated_at) + 1), deleted: 1 });
    },
  };
}
