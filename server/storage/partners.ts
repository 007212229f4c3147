// Partners as rows, and the sites each of them made.
import type { Partner } from '../sites/partner.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';

export interface PartnerStore {
  list(): Promise<Partner[]>;
  /** Inserts or replaces. */
  save(partner: Partner, now: number): Promise<void>;
  /** Removes the partner. The sites it made stay, without a partner. */
  remove(partner: Partner, now: number): Promise<void>;
  /** Says that a partner made a site. */
  own(name: string, site: SiteId, now: number): Promise<void>;
  /** The sites a partner made. `firstDay`: of traffic, as `YYYY-MM-DD`; null before there is any. */
  sites(name: string): Promise<{ site: SiteId; firstDay: string | null }[]>;
  /** Which partner made each of some sites, by Site ID; a site that none made is left out. */
  makers(sites: readonly SiteId[]): Promise<Map<string, string>>;
}

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

    async own(name, site, now) {
      await engine.insert('partner_sites', [{ partner: name, site, created_at: now }]);
    },

    async sites(name) {
      const owned = await engine.rows<{ site: SiteId }>(
        'SELECT DISTINCT site FROM partner_sites WHERE partner = {name:String} ORDER BY site',
        { name },
      );
      const sites = owned.map(({ site }) => site);
      const days = await engine.rows<{ site: SiteId; first: string }>(
        `SELECT site, toString(min(day)) AS first FROM post_days WHERE site IN {sites:Array(String)} GROUP BY site`,
        { sites },
      );
      const firstDays = new Map(days.map(({ site, first }) => [site, first]));
      return sites.map((site) => ({ site, firstDay: firstDays.get(site) ?? null }));
    },

    async makers(sites) {
      const made = await engine.rows<{ name: string; partner: string }>(
        `SELECT toString(site) AS name, argMax(partner, created_at) AS partner FROM partner_sites
         WHERE site IN {sites:Array(String)} GROUP BY name`,
        { sites },
      );
      return new Map(made.map(({ name, partner }) => [name, partner]));
    },
  };
}
