// Quotas of a site: how long its events are kept, and how much it may bring. Pure.
import { LEDGER_LIMITS } from '../contract/ledger.ts';
import { KEEP_DAYS } from '../contract/limits.ts';
import type { SiteId } from './site.ts';

/** Absent: no quota. */
export interface SiteQuotas {
  /** Days before today whose events are kept. */
  keepEvents?: number | undefined;
  /** Events that are taken in a day of the site's time zone. */
  maxEventsPerDay?: number | undefined;
  /** Posts, pages and videos that are stored. */
  maxPosts?: number | undefined;
  /** Bytes of the site's rows, as `site size` counts them. */
  maxDisk?: number | undefined;
}

export type QuotaName = keyof SiteQuotas;

/** Bounds of each quota; those of time and room hold back an option that was mistyped. */
export const QUOTA_BOUNDS: Record<QuotaName, { min: number; max: number }> = {
  // Apps deliver events up to seven days late; the tables keep none for longer.
  keepEvents: { min: 8, max: KEEP_DAYS },
  maxEventsPerDay: { min: 1, max: 10 ** 12 },
  maxPosts: { min: 1, max: 10 ** 9 },
  maxDisk: { min: 2 ** 20, max: 2 ** 50 },
};

/** Days before today whose reports of lists are kept: they leave with the events of their day. */
export const daysOfReports = ({ keepEvents = LEDGER_LIMITS.days }: SiteQuotas = {}): number =>
  Math.min(keepEvents, LEDGER_LIMITS.days);

/** Change of quotas: null clears one, undefined leaves it. */
export type QuotaChange = { [Name in QuotaName]?: number | null | undefined };

/** @returns undefined where none is left. */
export function changeQuotas(quotas: SiteQuotas | undefined, change: QuotaChange): SiteQuotas | undefined {
  const changed: SiteQuotas = { ...quotas };
  for (const [name, value] of Object.entries(change) as [QuotaName, number | null | undefined][]) {
    if (value === null) delete changed[name];
    else if (value !== undefined) changed[name] = value;
  }
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/** How much of a quota is used. */
export interface QuotaUse {
  site: SiteId;
  quota: 'events' | 'posts' | 'disk';
  /** undefined: not measured yet. */
  used: number | undefined;
  limit: number;
}

/** A new post would be beyond its site's quota. */
export class PostQuotaError extends Error {
  override name = 'PostQuotaError';

  constructor({ site, limit }: { site: SiteId; limit: number }) {
    super(`${site} may have ${limit} posts, and has them: new ones are not added. Known ones can be changed.`);
  }
}
