// A site as it is made: with everything on, and with two fresh secrets of which only hashes are kept.
import { createReadSecret, createWriteSecret, hashSecret } from './secrets.ts';
import type { Site, SiteId } from './site.ts';

export interface NewSite {
  site: Site;
  /** In clear, for the only time. */
  secrets: { secret: string; write_secret: string };
}

/** @param timezone A name `parseTimezone` gave. Default: UTC. */
export function makeSite(id: SiteId, { now, timezone = 'UTC' }: { now: number; timezone?: string }): NewSite {
  const secrets = { secret: createReadSecret(), write_secret: createWriteSecret() };
  const site: Site = {
    id,
    timezone,
    domains: [],
    features: { top: true, recommendations: true, search: true },
    secretHash: hashSecret(secrets.secret),
    writeSecretHash: hashSecret(secrets.write_secret),
    createdAt: now,
  };
  return { site, secrets };
}
