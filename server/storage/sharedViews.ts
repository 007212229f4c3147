// Links that show one view of the console as rows, which all copies of the server read. A row has the hash of what
// opens the link, never that itself.
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';

/** A link that shows one view of the console to all who have it. */
export interface SharedView {
  /** Names it in lists and addresses; opens nothing. */
  id: string;
  site: SiteId;
  /** As its maker called it. */
  name: string;
  /** The query of the address of the console that it shows. */
  search: string;
  /** SHA-256 in hex of the write secret, or the operator's token, that it was made with: the link ends with it. */
  secretHash: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  until: number;
}

/** Links by the SHA-256 of what opens them. */
export interface SharedViewStore {
  save(hash: string, view: SharedView, now: number): Promise<void>;
  /** undefined: unknown, or revoked. One that is over may still be there. */
  find(hash: string): Promise<SharedView | undefined>;
  /** Those of a site that are not revoked, the newest first. */
  list(site: SiteId): Promise<SharedView[]>;
  /** @returns undefined where the site has no such link. */
  revoke(site: SiteId, id: string, now: number): Promise<SharedView | undefined>;
  /** Differs when this process has revoked a link since. */
  revoked(): number;
}

interface Row {
  hash: string;
  id: string;
  site: SiteId;
  name: string;
  search: string;
  secret_hash: string;
  created_at: number;
  until: number;
  updated_at: number;
}

const COLUMNS = 'hash, id, site, name, search, secret_hash, created_at, until, updated_at';

const toView = (row: Row): SharedView => ({
  id: row.id,
  site: row.site,
  name: row.name,
  search: row.search,
  secretHash: row.secret_hash,
  createdAt: Number(row.created_at),
  until: Number(row.until),
});

export function createSharedViewStore(engine: Engine): SharedViewStore {
  let revoked = 0;

  const read = (where: string, values: Record<string, string>): Promise<Row[]> =>
    engine.rows<Row>(
      `SELECT ${COLUMNS} FROM shared_views FINAL WHERE ${where} AND deleted = 0 ORDER BY created_at DESC, id`,
      values,
    );

  return {
    async save(hash, { id, site, name, search, secretHash, createdAt, until }, now) {
      const row = { hash, id, site, name, search, secret_hash: secretHash, created_at: createdAt, until };
      await engine.insert('shared_views', [{ ...row, updated_at: now, deleted: 0 }]);
    },

    async find(hash) {
      const [row] = await read('hash = {hash:String}', { hash });
      return row && toView(row);
    },

    list: async (site) => (await read('site = {site:String}', { site })).map(toView),

    async revoke(site, id, now) {
      const [row] = await read('site = {site:String} AND id = {id:String}', { site, id });
      if (row === undefined) return undefined;
      const updated_at = Math.max(now, Number(row.updated_at) + 1);
      await engine.insert('shared_views', [{ ...row, updated_at, deleted: 1 }]);
      revoked++;
      return toView(row);
    },

    revoked: () => revoked,
  };
}
