// Keys of the installation, which every copy of the server and every restart must agree on: the first one that is proposed stays.
import type { Engine } from './engine.ts';
import type { KeyStore } from './store.ts';

export function createKeyStore(engine: Engine): KeyStore {
  async function find(name: string): Promise<string | undefined> {
    const question =
      'SELECT secret FROM installation_keys WHERE installation_keys.name = {name:String} ORDER BY secret LIMIT 1';
    const [row] = await engine.rows<{ secret: string }>(question, { name });
    return row?.secret;
  }

  return {
    async agree(name, proposed) {
      const known = await find(name);
      if (known !== undefined) return known;
      // Of all that propose one at the same time the engine takes the first: the others repeat its token.
      await engine.insert('installation_keys', [{ name, secret: proposed }], `key-${name}`);
      return (await find(name)) ?? proposed;
    },
  };
}
