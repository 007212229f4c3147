// Who may send how much: asked before anything else looks at a batch. What is refused is refused whole, so that a sender
// who comes again with the same batch stores it once.
import { MAX_BATCH_EVENTS } from '../contract/limits.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Drop } from './counts.ts';
import type { EventQuota } from './eventQuota.ts';
import { isRecord } from './parseEvent.ts';
import { createRateLimit, type Rate, type RateLimit } from './rateLimit.ts';
import { RefusedError } from './refusedError.ts';
import type { Sender } from './types.ts';

export interface AdmissionLimits {
  /** Events of one batch; default 2,000. */
  eventsPerBatch?: number | undefined;
  /** Events from one /24 or /48 of addresses; default 200 a second, 10,000 at once. Private networks are not limited. */
  perPrefix?: Rate | undefined;
  /** Events for one site; default: as many as come. */
  perSite?: Rate | undefined;
}

interface Share {
  limit: RateLimit;
  key: string;
  count: number;
  /** "" where it is the sender's own rate. */
  site: string;
}

/** Bytes of a body that cost as much as an event: several times the size of a usual one. */
const BYTES_PER_EVENT = 4096;

export interface Admission {
  /** As `Ingest.reserve`. */
  reserve(sender: Pick<Sender, 'source'>, bytes: number, now: number): number;
  /**
   * @returns The events that may go on: all of them, or of an app's too long batch the first ones, and none that are beyond a quota.
   *   An app sends a refused batch again for ever, and nothing would come of it.
   * @throws {RefusedError} when none may.
   */
  admit(events: readonly unknown[], sender: Sender, now: number): Admitted;
}

export interface Admitted {
  taken: readonly unknown[];
  drops: readonly Drop[];
}

/** @param quota Events of a site in a day. Default: as many as come. */
export function createAdmission(
  limits: AdmissionLimits,
  sites: Pick<SiteDirectory, 'find'>,
  quota?: Pick<EventQuota, 'admit'>,
): Admission {
  const { eventsPerBatch = MAX_BATCH_EVENTS, perPrefix = { perSecond: 200, burst: 10_000 }, perSite } = limits;
  const ofPrefix = rateOf(perPrefix);
  const ofSite = perSite && rateOf(perSite);

  /** A batch must fit, or it could never be sent. */
  function rateOf({ perSecond, burst }: Rate): RateLimit {
    return createRateLimit({ perSecond, burst: Math.max(burst, eventsPerBatch) });
  }

  /** What counts against which rate; sites that are not known count against none. */
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
      const count = Math.min(Math.max(1, Math.ceil(bytes / BYTES_PER_EVENT)), eventsPerBatch);
      const waitMs = ofPrefix.wait(source, count, now);
      if (waitMs > 0) throw new RefusedError({ reason: 'rate-limited', site: '', waitMs });
      return ofPrefix.take(source, count, now);
    },

    admit(events, sender, now) {
      if (events.length > eventsPerBatch && sender.speaksFor !== 'app users') {
        // It was parsed: as dear as the longest that is taken.
        if (sender.source !== undefined) ofPrefix.take(sender.source, eventsPerBatch, now);
        throw new RefusedError({ reason: 'too-many-events', limit: eventsPerBatch });
      }
      const left = Math.max(0, events.length - eventsPerBatch);
      const read = left > 0 ? events.slice(0, eventsPerBatch) : events;
      const { taken, drops } = quota?.admit(read, sender) ?? { taken: read, drops: [] };
      const wanted = shares(taken, sender);
      for (const { limit, key, count, site } of wanted) {
        if (limit.wait(key, count, now) === 0) continue;
        // Who comes again needs its reservation again.
        const again = site === '' ? count + (sender.reserved ?? 0) : count;
        const waitMs = limit.wait(key, again, now);
        throw new RefusedError({ reason: site === '' ? 'rate-limited' : 'site-rate-limited', site, waitMs });
      }
      for (const { limit, key, count } of wanted) limit.take(key, count, now);
      return { taken, drops: left > 0 ? [...drops, { site: '', reason: 'too-many-events', count: left }] : drops };
    },
  };
}
