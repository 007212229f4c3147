// Keys of the installation, which every copy of the server and every restart must agree on: the first one that is
// proposed stays.
import type { Engine } from './engine.ts';
import { OtherInstallationError } from './errors.ts';

/** Keys of the installation, kept in the database: a backup has them. */
export interface KeyStore {
  /**
   * Agrees with every other server of this database on a key, permanently.
   * @param proposed What it is, where none is there yet.
   */
  agree(name: string, proposed: string): Promise<string>;
}

/** Name of the key that identifies a database. */
export const INSTALLATION = 'installation';

/**
 * Compares the id of a database with the one that is expected, before anything in it is changed.
 * @throws {OtherInstallationError}
 */
export async function requireInstallation(engine: Engine, expected: string): Promise<void> {
  const [table] = await engine.rows(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'installation_keys'`,
  );
  const found = table === undefined ? undefined : await findKey(engine, INSTALLATION);
  if (found !== expected) throw new OtherInstallationError(found);
}

async function findKey(engine: Engine, name: string): Promise<string | undefined> {
  const question =
    'SELECT secret FROM installation_keys WHERE installation_keys.name = {name:String} ORDER BY secret LIMIT 1';
  const [row] = await engine.rows<{ secret: string }>(question, { name });
  return row?.secret;
}

export function createKeyStore(engine: Engine): KeyStore {
  return {
    async agree(name, proposed) {
      const known = await findKey(engine, name);
      if (known !== undefined) return known;
      // Of all that propose one at the same time the engine takes the first: the others repeat its token.
      await engine.insert('installation_keys', [{ name, secret: proposed }], `key-${name}`);
      return (await findKey(engine, name)) ?? proposed;
    },
  };
}
