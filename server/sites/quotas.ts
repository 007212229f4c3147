// The quotas of all sites, put together: what enforces them, and how much of them is used.
import type { Logger } from 'pino';
import { EventQuota } from '../ingest/eventQuota.ts';
import type { Store } from '../storage/store.ts';
import type { SiteDirectory } from './directory.ts';
import { createPostQuota, type PostQuota } from './postQuota.ts';
import { createRetention, type Retention } from './retention.ts';
import type { QuotaUse } from './siteQuotas.ts';

export interface Quotas {
  events: EventQuota;
  posts: PostQuota;
  retention: Pick<Retention, 'tick'>;
  /** Counts events, and the posts of sites whose count is old. */
  refresh(): Promise<void>;
  /** As they were counted last. */
  uses(): QuotaUse[];
  /** Counts and measures all of them. */
  read(): Promise<QuotaUse[]>;
}

export interface QuotasOptions {
  sites: SiteDirectory;
  store: Pick<Store, 'posts' | 'retention' | 'siteSizes' | 'expiry'>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

export function createQuotas({ sites, store, log, now, clock }: QuotasOptions): Quotas {
  const eventsOn = (days: Parameters<Store['retention']['eventsOn']>[0]) => store.retention.eventsOn(days);
  const events = new EventQuota({ sites, eventsOn, log, now, clock });
  const posts = createPostQuota({ sites, posts: store.posts, clock });
  const retention = createRetention({ sites, store, log, now, clock });
  const uses = () => [...events.uses(), ...posts.uses(), ...retention.uses()];
  const refresh = async () => void (await Promise.all([events.refresh(), posts.refresh()]));
  return {
    events,
    posts,
    retention,
    refresh,
    uses,
    async read() {
      await Promise.all([events.refresh({ all: true }), posts.refresh({ all: true }), retention.measure()]);
      return uses();
    },
  };
}
