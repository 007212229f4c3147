// A site for benches that put a server together themselves: public lists on, no secret opens it.
import type { Site, SiteId } from '../../server/sites/site.ts';

export function benchSite(id: SiteId, now: number): Site {
  return {
    id,
    timezone: 'UTC',
    domains: [],
    features: { top: true, recommendations: true, search: true },
    secretHash: '',
    writeSecretHash: '',
    createdAt: now,
  };
}
