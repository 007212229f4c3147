// Partners as rows, and the sites each of them made.
import type { Partner } from '../sites/partner.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';

export interface PartnerStore {
  list(): Promise<Partner[]>;
  /** Inserts or replaces. */
  save(partner: Partner, now: number): Promise<void>;
  /** Removes the partner. The sites it made stay, without a partner. */
  remove(partner: Partner, now: number): Promise<void>;
  /** Says that a partner makes a site. It counts once there is one of that id and creation time. */
  own(name: string, site: Made): Promise<void>;
  /** The sites a partner made, or began to. `firstDay`: of traffic, as `YYYY-MM-DD`; null before there is any. */
  sites(name: string): Promise<{ site: SiteId; createdAt: number; firstDay: string | null }[]>;
  /** Which partner made each of some sites, by Site ID; a site that none made is left out. */
  makers(sites: readonly Made[]): Promise<Map<string, string>>;
}

type Made = Pick<Site, 'id' | 'createdAt'>;

interface PartnerRow {
  partner: string;
  secret_hash: string;
  created_at: number;
}

export function createPartnerStore(engine: Engine): PartnerStore {
  async function write({ name, secretHash, createdAt }: Partner, now: number, deleted: 0 | 1): Promise<void> {
    const updated_at = await nextVersion(engine, 'partners', { key: { partner: name }, now });
    await engine.insert('partners', [
      { partner: name, secret_hash: secretHash, created_at: createdAt, updated_at, deleted },
    ]);
  }

  return {
    async list() {
      const rows = await engine.rows<PartnerRow>(
        'SELECT partner, secret_hash, created_at FROM partners FINAL WHERE deleted = 0 ORDER BY partner',
      );
      return rows.map((row) => ({ name: row.partner, secretHash: row.secret_hash, createdAt: row.created_at }));
    },

    save: (partner, now) => write(partner, now, 0),

    // Its sites first: a later partner of the name must not get them.
    async remove(partner, now) {
      await engine.command('ALTER TABLE partner_sites DELETE WHERE partner = {name:String}', { name: partner.name });
      await write(partner, now, 1);
    },

    async own(name, { id, createdAt }) {
      await engine.insert('partner_sites', [{ partner: name, site: id, created_at: createdAt }]);
    },

    async sites(name) {
      const owned = await engine.rows<{ site: SiteId; created_at: number }>(
        'SELECT site, created_at FROM partner_sites FINAL WHERE partner = {name:String} ORDER BY site',
        { name },
      );
      const sites = owned.map(({ site }) => site);
      const days = await engine.rows<{ site: SiteId; first: string }>(
        `SELECT site, toString(min(day)) AS first FROM post_days WHERE site IN {sites:Array(String)} GROUP BY site`,
        { sites },
      );
      const firstDays = new Map(days.map(({ site, first }) => [site, first]));
      return owned.map(({ site, created_at }) => ({
        site,
        createdAt: created_at,
        firstDay: firstDays.get(site) ?? null,
      }));
    },

    async makers(sites) {
      const rows = await engine.rows<{ name: string; partner: string; created_at: number }>(
        `SELECT toString(site) AS name, partner, created_at FROM partner_sites FINAL WHERE site IN {sites:Array(String)}`,
        { sites: sites.map(({ id }) => id) },
      );
      const made = new Map(sites.map(({ id, createdAt }) => [String(id), createdAt]));
      return new Map(
        rows.flatMap(({ name, partner, created_at }) => (made.get(name) === created_at ? [[name, partner]] : [])),
      );
    },
  };
}
