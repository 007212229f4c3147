// Sites as rows. Few and small: the newest version of each is read with FINAL.
import { changeDials, type DialName } from '../contract/dials.ts';
import type { ReferrerCategory } from '../contract/referrers.ts';
import type { Experiment } from '../experiments/experiment.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import type { AlarmSettings } from '../sites/alarmSettings.ts';
import type { MailRecipient } from '../sites/mail.ts';
import type { RetiringSecret, Site, SiteId } from '../sites/site.ts';
import { changeQuotas } from '../sites/siteQuotas.ts';
import type { SiteWebhook } from '../sites/webhook.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';
import { SITES } from './schema/records.ts';
import { SCHEMA } from './schema/schema.ts';
import type { SiteStore } from './store.ts';

interface SiteRow {
  site: string;
  timezone: string;
  domains: string[];
  referrers: { host: string; category: ReferrerCategory }[];
  feature_top: boolean;
  feature_recommendations: boolean;
  feature_search: boolean;
  event_metadata: boolean;
  segment_keys: string[];
  /** Those that are absent have their defaults. */
  dials: { name: DialName; value: number }[];
  /** JSON of a list; empty: none. */
  experiments: string;
  /** JSON of a list; empty: none. */
  rules: string;
  /** JSON; empty: none. */
  webhook: string;
  /** JSON; empty: none. */
  alarms: string;
  /** JSON of a list; empty: none. */
  mail: string;
  secret_hash: string;
  write_secret_hash: string;
  retiring: RetiringSecret[];
  /** Of the quotas, 0 stands for none. */
  keep_events: number;
  max_events_per_day: number;
  max_posts: number;
  max_disk: number;
  created_at: number;
}

const COLUMNS = `site, timezone, domains, referrers, feature_top, feature_recommendations, feature_search, event_metadata, segment_keys,
  dials, experiments, rules, webhook, alarms, mail, secret_hash, write_secret_hash, retiring, keep_events, max_events_per_day, max_posts, max_disk, created_at`;

/** Every table with rows of a site, roll-ups included; `sites` last. */
export const TABLES_WITH_SITES: readonly string[] = SCHEMA.tables
  .filter(({ columns }) => 'site' in columns)
  .map(({ name }) => name)
  .sort((one, other) => Number(one === SITES.name) - Number(other === SITES.name) || (one < other ? -1 : 1));

/** Differs where a site was written or removed since, and may differ where rows were merged. */
const STATE = 'SELECT toString(sum(cityHash64(site, updated_at))) AS state FROM sites';

export function createSiteStore(engine: Engine): SiteStore {
  let last: { state: string; sites: readonly Site[] } | undefined;
  return {
    async list() {
      // Before the rows: what is written between the two is read again by the next call.
      const [{ state = '' } = {}] = await engine.rows<{ state: string }>(STATE);
      if (last?.state === state) return last.sites;
      const rows = await engine.rows<SiteRow>(`SELECT ${COLUMNS} FROM sites FINAL ORDER BY site`);
      const sites = rows.map(toSite);
      last = { state, sites };
      return sites;
    },

    async find(id) {
      const sql = `SELECT ${COLUMNS} FROM sites FINAL WHERE site = {site:String}`;
      const [row] = await engine.rows<SiteRow>(sql, { site: id });
      return row && toSite(row);
    },

    async save(site, now) {
      const updated_at = await nextVersion(engine, 'sites', { key: { site: site.id }, now });
      await engine.insert('sites', [
        {
          site: site.id,
          timezone: site.timezone,
          domains: site.domains,
          // In the order of the column's tuple.
          referrers: [...(site.referrers ?? [])].map(([host, category]) => ({ host, category })),
          feature_top: site.features.top,
          feature_recommendations: site.features.recommendations,
          feature_search: site.features.search,
          event_metadata: site.eventMetadata === true,
          segment_keys: site.segmentKeys ?? [],
          dials: Object.entries(site.dials ?? {}).map(([name, value]) => ({ name, value })),
          experiments: site.experiments ? JSON.stringify(site.experiments) : '',
          rules: site.rules && site.rules.length > 0 ? JSON.stringify(site.rules) : '',
          webhook: site.webhook ? JSON.stringify(site.webhook) : '',
          alarms: site.alarms ? JSON.stringify(site.alarms) : '',
          mail: site.mail && site.mail.length > 0 ? JSON.stringify(site.mail) : '',
          secret_hash: site.secretHash,
          write_secret_hash: site.writeSecretHash,
          retiring: (site.retiring ?? []).map(({ kind, hash, until }) => ({ kind, hash, until })),
          keep_events: site.quotas?.keepEvents ?? 0,
          max_events_per_day: site.quotas?.maxEventsPerDay ?? 0,
          max_posts: site.quotas?.maxPosts ?? 0,
          max_disk: site.quotas?.maxDisk ?? 0,
          created_at: site.createdAt,
          updated_at,
        },
      ]);
    },

    // The site's own row goes last: an interrupted removal can be seen and repeated.
    async remove(id) {
      for (const table of TABLES_WITH_SITES) {
        await engine.command(`ALTER TABLE ${table} DELETE WHERE site = {site:String}`, { site: id });
      }
    },
  };
}

function toSite(row: SiteRow): Site {
  const quotas = changeQuotas(undefined, {
    keepEvents: row.keep_events || undefined,
    maxEventsPerDay: row.max_events_per_day || undefined,
    maxPosts: row.max_posts || undefined,
    maxDisk: row.max_disk || undefined,
  });
  const dials = changeDials(undefined, Object.fromEntries(row.dials.map(({ name, value }) => [name, value])));
  return {
    // Only ids made by `parseSiteId` are ever saved.
    id: row.site as SiteId,
    timezone: row.timezone,
    domains: row.domains,
    features: {
      top: row.feature_top,
      recommendations: row.feature_recommendations,
      search: row.feature_search,
    },
    ...(row.event_metadata && { eventMetadata: true }),
    ...(dials && { dials }),
    ...(row.experiments !== '' && { experiments: JSON.parse(row.experiments) as Experiment[] }),
    ...(row.rules !== '' && { rules: JSON.parse(row.rules) as RuleSet[] }),
    ...(row.webhook !== '' && { webhook: JSON.parse(row.webhook) as SiteWebhook }),
    ...(row.alarms !== '' && { alarms: JSON.parse(row.alarms) as AlarmSettings }),
    ...(row.mail !== '' && { mail: JSON.parse(row.mail) as MailRecipient[] }),
    ...(row.segment_keys.length > 0 && { segmentKeys: row.segment_keys }),
    secretHash: row.secret_hash,
    writeSecretHash: row.write_secret_hash,
    ...(row.referrers.length > 0 && {
      referrers: new Map(row.referrers.map(({ host, category }) => [host, category])),
    }),
    ...(row.retiring.length > 0 && { retiring: row.retiring }),
    ...(quotas && { quotas }),
    createdAt: row.created_at,
  };
}
