// Admission: rates, batch sizes and quotas, checked before a batch is processed. A batch is refused as a whole, so that
// a sender that repeats it stores it once.

import { isRecord } from '../isRecord.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Drop } from './counts.ts';
import type { EventQuota } from './eventQuota.ts';
import { INGEST_LIMITS } from './limits.ts';
import { createRateLimit, type Rate, type RateLimit } from './rateLimit.ts';
import { RefusedError } from './refusedError.ts';
import type { Sender } from './types.ts';

export interface AdmissionLimits {
  /** Events of one batch. */
  eventsPerBatch?: number | undefined;
  /** Events from one /24 or /48 of addresses. Private networks are not limited. */
  perPrefix?: Rate | undefined;
  /** Events for one site; default: no limit. */
  perSite?: Rate | undefined;
}

interface Share {
  limit: RateLimit;
  key: string;
  count: number;
  /** "" where it is the sender's own rate. */
  site: string;
}

export interface Admission {
  /** As `Ingest.reserve`. */
  reserve(sender: Pick<Sender, 'source'>, bytes: number, now: number): number;
  /**
   * @returns The events that are taken: all of them, or of an app's too long batch the first ones, and none beyond a
   *   quota. An app would repeat a refused batch for ever.
   * @throws {RefusedError} when none is taken.
   */
  admit(events: readonly unknown[], sender: Sender, now: number): Admitted;
}

export interface Admitted {
  taken: readonly unknown[];
  drops: readonly Drop[];
}

/** @param quota Events of a site in a day. Default: no limit. */
export function createAdmission(
  limits: AdmissionLimits,
  sites: Pick<SiteDirectory, 'find'>,
  quota?: Pick<EventQuota, 'admit'>,
): Admission {
  const { eventsPerBatch = INGEST_LIMITS.eventsPerBatch, perPrefix = INGEST_LIMITS.perPrefix, perSite } = limits;
  const ofPrefix = rateOf(perPrefix);
  const ofSite = perSite && rateOf(perSite);

  /** The burst has room for a whole batch, or it could never be sent. */
  function rateOf({ perSecond, burst }: Rate): RateLimit {
    return createRateLimit({ perSecond, burst: Math.max(burst, eventsPerBatch) });
  }

  /** The rates that a batch counts against; unknown sites count against none. */
  function shares(events: readonly unknown[], { source, reserved = 0 }: Sender): readonly Share[] {
    const count = events.length - reserved;
    const isOwed = source !== undefined && count > 0;
    const found: Share[] = isOwed ? [{ limit: ofPrefix, key: source, count, site: '' }] : [];
    if (ofSite === undefined) return found;
    for (const [site, count] of countSites(events)) found.push({ limit: ofSite, key: site, count, site });
    return found;
  }

  function countSites(events: readonly unknown[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const event of events) {
      const id = isRecord(event) && typeof event.idsite === 'string' ? sites.find(event.idsite)?.id : undefined;
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  return {
    reserve({ source }, bytes, now) {
      if (source === undefined) return 0;
      const count = Math.min(Math.max(1, Math.ceil(bytes / INGEST_LIMITS.bytesPerEvent)), eventsPerBatch);
      const waitMs = ofPrefix.wait(source, count, now);
      if (waitMs > 0) throw new RefusedError({ reason: 'rate-limited', site: '', waitMs });
      return ofPrefix.take(source, count, now);
    },

    admit(events, sender, now) {
      if (events.length > eventsPerBatch && sender.sendsFor !== 'app users') {
        // It was parsed, which cost as much as the longest batch that is taken.
        if (sender.source !== undefined) ofPrefix.take(sender.source, eventsPerBatch, now);
        throw new RefusedError({ reason: 'too-many-events', limit: eventsPerBatch });
      }
      const left = Math.max(0, events.length - eventsPerBatch);
      const read = left > 0 ? events.slice(0, eventsPerBatch) : events;
      const { taken, drops } = quota?.admit(read, sender) ?? { taken: read, drops: [] };
      const wanted = shares(taken, sender);
      for (const { limit, key, count, site } of wanted) {
        if (limit.wait(key, count, now) === 0) continue;
        // A repeated request has to reserve again.
        const again = site === '' ? count + (sender.reserved ?? 0) : count;
        const waitMs = limit.wait(key, again, now);
        throw new RefusedError({ reason: site === '' ? 'rate-limited' : 'site-rate-limited', site, waitMs });
      }
      for (const { limit, key, count } of wanted) limit.take(key, count, now);
      return { taken, drops: left > 0 ? [...drops, { site: '', reason: 'too-many-events', count: left }] : drops };
    },
  };
}
