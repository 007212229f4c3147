// The salt of the day, where several copies of the server share a database: the first one to insert it decides.
import type { Engine } from './engine.ts';
import type { SaltStore } from './store.ts';

export function createSaltStore(engine: Engine): SaltStore {
  async function find(day: string): Promise<string | undefined> {
    const [row] = await engine.rows<{ salt: string }>(
      'SELECT salt FROM salts WHERE salts.day = {day:Date} ORDER BY salt LIMIT 1',
      { day },
    );
    return row?.salt;
  }

  return {
    async agree(day, salt) {
      const known = await find(day);
      if (known !== undefined) return known;
      // Of all that say one at the same time the engine takes the first: the others repeat its token.
      await engine.insert('salts', [{ day, salt }], `salt-${day}`);
      return await find(day);
    },

    async eraseBefore(day) {
      const [earlier] = await engine.rows('SELECT 1 FROM salts WHERE salts.day < {day:Date} LIMIT 1', { day });
      if (earlier === undefined) return;
      // A qualified name would be that of another table in a cluster, where each shard alters its own.
      await engine.command('ALTER TABLE salts DELETE WHERE day < {day:Date}', { day });
    },
  };
}
