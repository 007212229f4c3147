// The operator's token as a row, which all copies of the server read: its hash, never the token itself.
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';

/** Opens the console for all sites. There is one at most. */
export interface OperatorToken {
  /** SHA-256 in hex. */
  hash: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface OperatorTokenStore {
  /** The one that is valid; undefined where none was made, or it was revoked. */
  find(): Promise<OperatorToken | undefined>;
  /** In the place of the one before, which is valid no longer. */
  replace(hash: string, now: number): Promise<void>;
  /** @returns The one that was valid until now; undefined where there was none. */
  revoke(now: number): Promise<OperatorToken | undefined>;
  /** Differs when this process has replaced or revoked it since. */
  changes(): number;
}

/** Its only row. */
const KEY = { name: 'operator' };

export function createOperatorTokenStore(engine: Engine): OperatorTokenStore {
  let changes = 0;

  async function write({ hash, createdAt }: OperatorToken, now: number, deleted: 0 | 1): Promise<void> {
    const updated_at = await nextVersion(engine, 'operator_tokens', { key: KEY, now });
    await engine.insert('operator_tokens', [{ ...KEY, hash, created_at: createdAt, updated_at, deleted }]);
    changes++;
  }

  async function find(): Promise<OperatorToken | undefined> {
    const [row] = await engine.rows<{ hash: string; created_at: number }>(
      'SELECT hash, created_at FROM operator_tokens FINAL WHERE name = {name:String} AND deleted = 0',
      KEY,
    );
    return row && { hash: row.hash, createdAt: Number(row.created_at) };
  }

  return {
    find,
    replace: (hash, now) => write({ hash, createdAt: now }, now, 0),
    async revoke(now) {
      const valid = await find();
      if (valid !== undefined) await write(valid, now, 1);
      return valid;
    },
    changes: () => changes,
  };
}
