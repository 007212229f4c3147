// What is shown of a site.
import type { DialSettings } from '../../contract/dials.ts';
import type { SecretKind, Site, SiteId } from '../../sites/site.ts';
import type { QuotaUse } from '../../sites/siteQuotas.ts';
import { zoneName } from '../../sites/zoneName.ts';

/** Everything but its secrets and their hashes. */
export interface SiteInfo {
  apikey: SiteId;
  timezone: string;
  domains: string[];
  features: Site['features'];
  /** Host → category: what the site sorts by rules of its own. */
  referrers: Record<string, string>;
  event_metadata: boolean;
  segment_keys: readonly string[];
  /** Those that it has. */
  dials: DialSettings;
  /** Where messages are sent: winners of headline tests, alarms, morning pages. */
  webhook: string | null;
  /** Days and numbers; bytes of `max_disk`. null: there is none. */
  quotas: Record<'keep_events' | 'max_events_per_day' | 'max_posts' | 'max_disk', number | null>;
  /** Of the quotas it has; what is not known is left out. */
  used?: { [Quota in QuotaUse['quota']]?: number };
  /** Replaced secrets that still open, and until when (ISO 8601, UTC). */
  old_secrets: { kind: SecretKind; until: string }[];
  /** ISO 8601, UTC. */
  created: string;
  /**
   * ISO 8601, UTC, where it came in the last two days, else its day; null: there is none; undefined: the database does
   * not answer.
   */
  last_event?: string | null;
}

export function toInfo(site: Site, now: number): SiteInfo {
  return {
    apikey: site.id,
    timezone: zoneName(site.timezone),
    domains: site.domains,
    features: site.features,
    referrers: Object.fromEntries(site.referrers ?? []),
    event_metadata: site.eventMetadata === true,
    segment_keys: site.segmentKeys ?? [],
    dials: site.dials ?? {},
    webhook: site.webhook?.url ?? null,
    quotas: {
      keep_events: site.quotas?.keepEvents ?? null,
      max_events_per_day: site.quotas?.maxEventsPerDay ?? null,
      max_posts: site.quotas?.maxPosts ?? null,
      max_disk: site.quotas?.maxDisk ?? null,
    },
    old_secrets: stillOpening(site, now).map(({ kind, until }) => ({ kind, until: new Date(until).toISOString() })),
    created: new Date(site.createdAt).toISOString(),
  };
}

/** Replaced secrets that still open. */
export const stillOpening = ({ retiring = [] }: Site, now: number) => retiring.filter(({ until }) => now < until);
